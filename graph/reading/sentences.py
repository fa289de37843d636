"""Read claims from sentences and from the lists that a sentence leads."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from compute_atlas.graph.reading.claims import Claim, Value
from compute_atlas.graph.reading.document import Prose
from compute_atlas.graph.reading.lexicon import Cue, Lexicon, Statement
from compute_atlas.graph.reading.names import normal

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")
_FIELD = re.compile(r"\{(\w+)\}")

# What each placeholder of a cue stands for in one sentence: one value, or several that all hold.
Bindings = dict[str, list[Value]]


@dataclass(frozen=True)
class Match:
    """A sentence of a known kind: where the cue stands in the normal text, and what it captured."""

    statement: Statement
    start: int
    end: int
    bindings: Bindings


def read_prose(
    block: Prose,
    items: Sequence[Prose],
    lexicon: Lexicon,
    statements: Sequence[Statement],
    section: str | None,
) -> Iterator[Claim]:
    """Yield what a paragraph or item states, and what the list items that follow it state."""
    for sentence, offset in split(block.text):
        for match in find(sentence, "page", lexicon, statements):
            place = _Place(block.line_at(offset), section, block.api)
            members = [_item_claims(match, item, lexicon, section) for item in items]
            match.bindings["count"] = [_count(members)]
            yield from _claims(match.statement.claims, match.bindings, place, "sentence")
            yield from itertools.chain.from_iterable(members)


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


@dataclass(frozen=True)
class _Place:
    line: int
    section: str | None
    api: str | None


def _match(statement: Statement, cue: Cue, text: str, lexicon: Lexicon) -> Match | None:
    found = cue.pattern.search(text)
    if found is None:
        return None
    bindings: Bindings = {}
    for name, capture in cue.captures.items():
        values = _values(capture.kind, capture.is_list, found[capture.group], lexicon)
        if not values:
            return None
        bindings[name] = values
    return Match(statement, found.start(), found.end(), bindings)


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


def number(text: str) -> Value:
    """Return the number in a text such as "120" or "1,5": an integer where it is one, else as text."""
    value = float(text.replace(",", "."))
    return int(value) if value.is_integer() else str(value)


def _item_claims(match: Match, item: Prose, lexicon: Lexicon, section: str | None) -> list[Claim]:
    place = _Place(item.line, section, item.api)
    text = normal(item.text)
    claims: list[Claim] = []
    for template in match.statement.items:
        if "when" in template and not lexicon.has_word(template["when"], text):
            continue
        fields = {field for part in ("s", "o") for field in _FIELD.findall(str(template[part]))}
        bindings = match.bindings | {
            field: list(dict.fromkeys(mention.id for mention in lexicon.names.mentions(text, [field])))
            for field in fields - match.bindings.keys()
        }
        claims += _claims([template], bindings, place, "list")
    return claims


def _count(members: Sequence[Sequence[Claim]]) -> int:
    return len({claim.subject for claims in members for claim in claims})


def _claims(
    templates: Sequence[dict[str, Any]], bindings: Bindings, place: _Place, tier: str
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
