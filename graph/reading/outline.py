"""The outline of a page: what stands where and what it states, without its sentences.

With the outline of a known edition, a page in another language can be aligned: both have the same sections,
tables, links, figures and product names in the same order.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from compute_atlas.graph.reading import sentences
from compute_atlas.graph.reading.columns import PARENTHESES, Key
from compute_atlas.graph.reading.document import Cell, Document, Heading, Link, Prose, Table
from compute_atlas.graph.reading.edition import with_sections
from compute_atlas.graph.reading.lexicon import Lexicon, link_keys
from compute_atlas.graph.reading.names import normal
from compute_atlas.graph.reading.statements import Statement
from compute_atlas.graph.reading.table_shapes import recognise, row_keys

_NUMBERS = re.compile(r"\d+(?:[.,]\d+)?")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9+_]*[A-Z0-9_][A-Za-z0-9+_]*|[A-Z][a-z]{3,}")
# A longer text is a sentence and not just a name.
SHORT = 60
# A word in more sentences of a page says nothing about any of them.
_RARE = 6
_WORDS = ("yes", "no", "no_restriction", "approval", "preview", "deprecated")
_NAMED = ("target", "use", "framework", "os")
_CELL_KINDS = (("category",), ("capability",), ("term",), ("target",), ("use",))


@dataclass(frozen=True)
class Sentence:
    """A sentence: the kinds of statements it makes, its language-independent marks, its length."""

    states: tuple[str, ...]
    marks: tuple[str, ...]
    length: int


@dataclass(frozen=True)
class Part:
    """A block of a page. `kind` is heading, prose, item or table.

    `things` are what an item names; of a table, the thing that each header cell names ("" for none).
    `rows` are the marks of a table's cells, the first being the key's id; of a table whose blank cells were
    lost (`is_packed`) those of the others.
    """

    kind: str
    line: int
    section: str | None
    depth: int = 0
    anchors: tuple[str, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    things: tuple[str, ...] = ()
    table: str | None = None
    rows: tuple[tuple[str, ...], ...] = ()
    is_packed: bool = False


def outline(document: Document, lexicon: Lexicon, statements: Sequence[Statement]) -> list[Part]:
    """Return the outline of a document; in a language without words, what its shape tells."""
    parts = []
    for block, section in with_sections(document, lexicon):
        if isinstance(block, Heading):
            slug = re.sub(r"[^\w-]+", "", re.sub(r"\s+", "-", block.text.casefold()))
            anchors = tuple(anchor.casefold() for anchor in block.anchors) or (slug,)
            parts.append(Part("heading", block.line, section, block.level, anchors))
        elif isinstance(block, Prose):
            kind = "item" if block.is_item else "prose"
            found = tuple(_sentences(block.text, block.links, "page", lexicon, statements))
            things = tuple(_things(block, lexicon)) if block.is_item else ()
            parts.append(Part(kind, block.line, section, block.depth, (), found, things))
        else:
            parts.append(_table(block, section, lexicon))
    return _without_common_words(parts)


def _without_common_words(parts: Sequence[Part]) -> list[Part]:
    """Return the outline without the words that stand all over the page: they tell nothing."""
    of_sentences = [sentence.marks for part in parts for sentence in part.sentences]
    counts = Counter(mark for found in of_sentences for mark in found if mark[0] not in "[#@")
    return [
        replace(
            part,
            sentences=tuple(
                replace(each, marks=tuple(mark for mark in each.marks if counts[mark] <= _RARE))
                for each in part.sentences
            ),
        )
        for part in parts
    ]


def _sentences(
    text: str, links: Iterable[Link], scope: str, lexicon: Lexicon, statements: Sequence[Statement]
) -> Iterable[Sentence]:
    for sentence, offset in sentences.split(text):
        inside = [link for link in links if offset <= link.start < offset + len(sentence)]
        states = (match.statement.name for match in sentences.find(sentence, scope, lexicon, statements))
        yield Sentence(tuple(states), _marks(sentence, inside, lexicon), len(sentence))


def _marks(text: str, links: Iterable[Link], lexicon: Lexicon) -> tuple[str, ...]:
    """Return what of a text is the same in every language: things, link targets, numbers, Latin names."""
    found = {f"[{key}" for link in links for key in link_keys(link.target)[:1]}
    found |= {f"#{number.replace(',', '.')}" for number in _NUMBERS.findall(normal(text))}
    found |= {f"@{mention.id}" for mention in lexicon.names.mentions(normal(text), _NAMED)}
    # Not the first word of a sentence: any word has a capital there.
    start = 1 if len(text) > SHORT else 0
    found |= {match[0].casefold() for match in _LATIN.finditer(normal(text), start)}
    return tuple(sorted(found))


def _things(item: Prose, lexicon: Lexicon) -> Iterable[str]:
    for kind in ("tool", "target", "method", "size", "capability"):
        yield from map(str, sentences.mentioned(item, kind, lexicon))


def _table(table: Table, section: str | None, lexicon: Lexicon) -> Part:
    shape = recognise(table, lexicon)
    rows = [[cell_mark(cell, lexicon) for cell in row] for row in table.rows]
    things: tuple[str, ...] = ("",) * len(table.header)
    if shape:
        things = tuple(thing or "" for thing in shape.header)
        for row, key in zip(rows, row_keys(table, shape.kind, lexicon), strict=True):
            row[0] = _key_mark(key, lexicon)
    if not table.keeps_blanks:
        rows = [[row[0], *filter(None, row[1:])] for row in rows]
    return Part(
        "table",
        table.line,
        section,
        len(things),
        things=things,
        table=shape.kind.name if shape else None,
        rows=tuple(map(tuple, rows)),
        is_packed=not table.keeps_blanks,
    )


def _key_mark(key: Key | None, lexicon: Lexicon) -> str:
    if key is None:
        return ""
    return f"{key.id}+word:preview" if lexicon.is_word("preview", key.remark) else key.id


def cell_mark(cell: Cell, lexicon: Lexicon) -> str:
    """Return what a cell says: a thing, `word` kinds, a condition after +; "?" for what is not known."""
    text = normal(cell.text)
    if not text:
        return ""
    remark = PARENTHESES.search(text)
    bare = PARENTHESES.sub("", text) if remark else text
    condition = lexicon.names.find(remark[1], ["condition"]) if remark else None
    for word in _WORDS:
        if lexicon.is_word(word, bare):
            return f"word:{word}" + (f"+{condition}" if condition else "")
    if lexicon.floor(text):
        return "floor"
    return next((thing for kinds in _CELL_KINDS if (thing := lexicon.names.find(text, kinds))), "?")


def dump(parts: Iterable[Part]) -> str:
    """Return an outline as JSON, one part a line."""
    lines = []
    for part in parts:
        fields = {name: value for name, value in vars(part).items() if value}
        if part.sentences:
            fields["sentences"] = [[list(s.states), list(s.marks), s.length] for s in part.sentences]
        lines.append(json.dumps(fields, ensure_ascii=False))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def load(text: str) -> list[Part]:
    """Return the outline in a JSON text."""
    return [_part(fields) for fields in json.loads(text)]


def _part(fields: dict[str, object]) -> Part:
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    if "rows" in fields:
        values["rows"] = tuple(map(tuple, fields["rows"]))  # type: ignore[call-overload]
    if "sentences" in fields:
        values["sentences"] = tuple(
            Sentence(tuple(states), tuple(found), length)
            for states, found, length in fields["sentences"]  # type: ignore[attr-defined]
        )
    return Part(**{"section": None, **values})  # type: ignore[arg-type]
