"""Read claims from sentences and from the lists that a sentence leads."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from compute_atlas.graph.reading.claims import Claim, Value
from compute_atlas.graph.reading.cues import MAX_SENTENCE, Cue
from compute_atlas.graph.reading.document import Prose
from compute_atlas.graph.reading.lexicon import Lexicon
from compute_atlas.graph.reading.names import normal
from compute_atlas.graph.reading.remarks import Remark
from compute_atlas.graph.reading.statements import Statement

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")
_FIELD = re.compile(r"\{(\w+)\}")
_SIZE = re.compile(r"\bStandard_[A-Z]{1,4}\d+[A-Za-z0-9]*(?:_[A-Za-z0-9]+)*")
_LEADS_ON = (":", "：")

# What each placeholder of a cue stands for in one sentence: one value, or several that all hold.
Bindings = dict[str, list[Value]]


@dataclass(frozen=True)
class Match:
    """A sentence of a known kind: where the cue stands in the normal text, and what it captured."""

    statement: Statement
    start: int
    end: int
    bindings: Bindings


@dataclass(frozen=True)
class Place:
    """Where a claim stands."""

    line: int
    section: str | None
    api: str | None


@dataclass(frozen=True)
class Read:
    """What a paragraph or item states, what it shows to be missing, the kinds of sentences it holds."""

    claims: list[Claim]
    remarks: list[Remark]
    statements: set[str]


def read_prose(
    block: Prose,
    items: Sequence[Prose],
    lexicon: Lexicon,
    statements: Sequence[Statement],
    section: str | None,
) -> Read:
    """Return what a paragraph or item states, and what the list items that follow it state."""
    found = Read([], [], set())
    for sentence, offset in split(block.text):
        for match in find(sentence, "page", lexicon, statements):
            place = Place(block.line_at(offset), section, block.api)
            members = [item_claims(match.statement, match.bindings, item, lexicon, section) for item in items]
            match.bindings["count"] = [len({claim.subject for claims in members for claim in claims})]
            found.claims.extend(_claims(match.statement.claims, match.bindings, place, "sentence"))
            found.claims.extend(itertools.chain.from_iterable(members))
            found.statements.add(match.statement.name)
            found.remarks.extend(_missing_lists(match, place, items, members))
    return found


def split(text: str) -> Iterator[tuple[str, int]]:
    """Yield the sentences of a text with their offsets."""
    start = 0
    for gap in _SENTENCE_END.finditer(text):
        yield text[start : gap.start()], start
        start = gap.end()
    if text[start:].strip():
        yield text[start:], start


def find(text: str, scope: str, lexicon: Lexicon, statements: Sequence[Statement]) -> list[Match]:
    """Return the statements of this scope that a sentence makes."""
    if len(text) > MAX_SENTENCE:
        return []
    text = normal(text)
    found: dict[str, Match] = {}
    for statement in statements:
        if statement.scope == scope and statement.unless not in found:
            for cue in lexicon.cues.get(statement.name, ()):
                if match := _match(statement, cue, text, lexicon):
                    found[statement.name] = match
                    break
    return list(found.values())


def fill(template: Any, bindings: Bindings) -> Iterator[Any]:
    """Yield the template with its placeholders replaced, once for each combination of their values.

    A template that is nothing but a placeholder yields the value itself, a number as a number.
    """
    if not isinstance(template, str):
        yield template
        return
    fields = _FIELD.findall(template)
    if fields and template == f"{{{fields[0]}}}":
        yield from bindings.get(fields[0], ())
        return
    for values in itertools.product(*(bindings.get(field, ()) for field in fields)):
        yield template.format(**dict(zip(fields, values, strict=True)))


def number(text: str) -> Value:
    """Return the number in a text such as "120" or "1,5": an integer where it is one, else as text."""
    whole, _, part = text.replace(",", ".").partition(".")
    part = part.rstrip("0")
    return f"{int(whole)}.{part}" if part else int(whole)


def mentioned(item: Prose, kind: str, lexicon: Lexicon) -> list[Value]:
    """Return the things of a kind that an item names or, where it names none, to which its links lead."""
    text = normal(item.text)
    if kind == "size":
        return list(dict.fromkeys(f"size/{name}" for name in _SIZE.findall(text)))
    found: list[Value] = list(dict.fromkeys(mention.id for mention in lexicon.names.mentions(text, [kind])))
    linked = lexicon.linked(item.links, [kind])
    return found or ([linked] if linked else [])


def item_claims(
    statement: Statement, bindings: Bindings, item: Prose, lexicon: Lexicon, section: str | None
) -> list[Claim]:
    """Return what a statement says by one item of the list that it leads."""
    claims: list[Claim] = []
    for template in statement.items:
        line = _line_of_word(item, template["when"], lexicon) if "when" in template else item.line
        if line is None:
            continue
        fields = {field for part in ("s", "o") for field in _FIELD.findall(str(template[part]))}
        own: Bindings = {field: mentioned(item, field, lexicon) for field in fields - bindings.keys()}
        place = Place(line, section, item.api)
        claims += _claims([template], bindings | own, place, "list")
    if len(claims) == 1 and _is_stopped_name(item, lexicon):
        claims = [replace(claims[0], source_name=item.text)]
    return claims


def _is_stopped_name(item: Prose, lexicon: Lexicon) -> bool:
    """Tell whether an item is nothing but a name and a full stop."""
    bare = item.text.rstrip(".。")
    return bare != item.text and any(
        lexicon.names.find(bare, [kind]) for kind in ("target", "tool", "method")
    )


def _line_of_word(item: Prose, word: str, lexicon: Lexicon) -> int | None:
    """Return the line on which an item, or its footnote, says a word of this kind."""
    if lexicon.has_word(word, item.text):
        return item.line
    if item.note and lexicon.has_word(word, item.note.text):
        return item.note.line
    return None


def _match(statement: Statement, cue: Cue, text: str, lexicon: Lexicon) -> Match | None:
    found = cue.search(text)
    if found is None:
        return None
    bindings: Bindings = {}
    for capture, captured in found.captures:
        values = _values(capture.kind, capture.is_list, captured, lexicon)
        if not values:
            return None
        bindings[capture.group] = values
    return Match(statement, found.start, found.end, bindings)


def _values(kind: str, is_list: bool, text: str, lexicon: Lexicon) -> list[Value]:
    if kind == "number":
        return [number(text)]
    if kind == "date":
        date = lexicon.date(text)
        return [date] if date else []
    if is_list:
        return list(dict.fromkeys(mention.id for mention in lexicon.names.mentions(text, [kind])))
    thing = lexicon.names.find(text, [kind])
    return [thing] if thing else []


def _missing_lists(
    match: Match, place: Place, items: Sequence[Prose], members: Sequence[Sequence[Claim]]
) -> Iterator[Remark]:
    """Yield a remark where a sentence announces a list and none follows, and where an item does so."""
    statement = match.statement
    if not statement.items:
        return
    predicate = str(statement.items[0]["p"])
    if not any(members):
        about = statement.about or next((str(claim["s"]) for claim in statement.claims), None)
        for subject in fill(about, match.bindings) if about else ():
            yield Remark("list_missing", subject, predicate, ((place.line, "no list follows"),))
        return
    for number_, (item, claims) in enumerate(zip(items, members, strict=True)):
        following = items[number_ + 1].depth if number_ + 1 < len(items) else -1
        if claims and item.text.rstrip().endswith(_LEADS_ON) and following <= item.depth:
            # The same one of several things in every language, so that editions can be compared.
            subject = max(str(claim.object) for claim in claims)
            yield Remark("list_missing", subject, predicate, ((item.line, "nested list missing"),))


def _claims(
    templates: Sequence[dict[str, Any]], bindings: Bindings, place: Place, tier: str
) -> Iterator[Claim]:
    for template in templates:
        qualifiers = {name: next(fill(value, bindings)) for name, value in template.get("q", {}).items()}
        if place.api:
            qualifiers["api"] = place.api
        for subject, thing in itertools.product(fill(template["s"], bindings), fill(template["o"], bindings)):
            yield Claim(
                subject,
                template["p"],
                thing,
                (place.line,),
                tier,
                tuple(sorted(qualifiers.items())),
                place.section,
            )
