"""Recognise tables: of what kind one is, what its header cells name, what each row is about.

A table is known by the things that its header cells name or link to, else by the identifiers in its columns:
that holds for every language.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from compute_atlas.graph.reading.columns import KINDS, PARENTHESES, Key, Kind, has_version, series_in
from compute_atlas.graph.reading.document import Cell, Table
from compute_atlas.graph.reading.lexicon import Lexicon
from compute_atlas.graph.reading.names import fold, normal

_HEADER_KINDS = (("class",), ("use",), ("target",), ("tool",), ("term",))


@dataclass(frozen=True)
class Shape:
    """What is known of a table: its kind, and the thing that each of its header cells names."""

    kind: Kind
    header: tuple[str | None, ...]


def recognise(table: Table, lexicon: Lexicon) -> Shape | None:
    """Return what kind of table it is: by its first header cell, by the others, else by its content."""
    header = [_header_thing(cell, lexicon) for cell in table.header]
    first = KINDS.get(header[0] or "")
    if first and any(first.column(thing) for thing in header[1:]):
        return _completed(table, first, header, lexicon)
    counts = {kind.name: sum(bool(kind.column(thing)) for thing in header[1:]) for kind in KINDS.values()}
    best = max(KINDS.values(), key=lambda kind: counts[kind.name])
    if counts[best.name] >= 2 and list(counts.values()).count(counts[best.name]) == 1:
        return _completed(table, best, header, lexicon)
    return _by_content(table, header, lexicon)


def named_headers(table: Table, lexicon: Lexicon) -> int:
    """Return how many header cells the language's own words name."""
    return sum(
        any(lexicon.names.find(cell.text, kinds) for kinds in _HEADER_KINDS)
        for cell in table.header
        if cell.text
    )


def _header_thing(cell: Cell, lexicon: Lexicon) -> str | None:
    linked = lexicon.linked(cell.links, ["use", "tool"])
    found = (lexicon.names.find(cell.text, kinds) for kinds in _HEADER_KINDS)
    return linked or next((thing for thing in found if thing), None)


def _by_content(table: Table, header: list[str | None], lexicon: Lexicon) -> Shape | None:
    """Recognise the table of series and that of architectures by the identifiers in their first column."""
    for name in ("ontology#GPUArchitecture", "ontology#VMSeries"):
        kind = KINDS[name]
        keys = row_keys(table, kind, lexicon)
        if sum(key is not None for key in keys) * 2 > len(keys) >= 2:
            shape = _completed(table, kind, header, lexicon)
            has_columns = any(kind.column(thing) for thing in shape.header[1:])
            # A column of five series and more is a list of the supported ones, whatever stands beside it.
            if has_columns or (kind.name == "series" and len(keys) - keys.count(None) >= 5):
                return shape
    return None


def _completed(table: Table, kind: Kind, header: Sequence[str | None], lexicon: Lexicon) -> Shape:
    """Return the shape with the columns that no header names told by what most of their cells hold."""
    things = list(header)
    if table.keeps_blanks:
        things += [None] * (max((len(row) for row in table.rows), default=0) - len(things))
    for number in range(1, len(things)):
        if kind.column(things[number]) is None and kind.name in ("series", "cuda"):
            cells = [row[number] for row in table.rows if number < len(row) and row[number].text]
            things[number] = _column_by_content(kind, cells, lexicon)
    seen = [thing for thing in things if thing and kind.column(thing)]
    once = {thing for thing in seen if seen.count(thing) == 1}
    kept = tuple(thing if thing in once or kind.column(thing) is None else None for thing in things)
    return Shape(kind, kept if len(table.rows) else tuple(header))


def _column_by_content(kind: Kind, cells: Sequence[Cell], lexicon: Lexicon) -> str | None:
    checks = {
        "ontology#CUDAVersion": lambda cell: has_version(normal(cell.text)),
        "ontology#VMSeries": lambda cell: bool(series_in(cell, lexicon)[0]),
        "ontology#VMCategory": lambda cell: bool(lexicon.names.find(cell.text, ["category"])),
        "term/restrictions": lambda cell: (
            lexicon.is_word("no_restriction", cell.text) or lexicon.is_word("approval", cell.text)
        ),
        "term/supported_by": lambda cell: bool(lexicon.names.mentions(normal(cell.text), ["target"])),
    }
    for thing, holds in checks.items():
        # Of the categories only GPU is written alike in all languages: a third of a page's series.
        least = len(cells) / 4 if thing == "ontology#VMCategory" else len(cells) / 2
        if thing in kind.columns and cells and sum(map(holds, cells)) > least:
            return thing
    return None


def row_keys(table: Table, kind: Kind, lexicon: Lexicon) -> list[Key | None]:
    """Return what each row is about, None where its first cell names nothing of the kind."""
    if kind.key_kind != "series":
        return [_key(row[0], kind.key_kind, lexicon) for row in table.rows]
    named = {thing for row in table.rows if (thing := lexicon.names.find(row[0].text, ["series"]))}
    return [_series_key(row[0], lexicon, named) for row in table.rows]


def _key(cell: Cell, kind: str, lexicon: Lexicon) -> Key | None:
    text = normal(cell.text)
    bare, remark = PARENTHESES.sub("", text), ""
    if match := PARENTHESES.search(text):
        remark = match[1]
    for name in (text, bare):
        if thing := lexicon.names.find(name, [kind]):
            written = None if lexicon.names.is_preferred(name, thing) else cell.text
            return Key(thing, written, cell.line, remark)
    if linked := lexicon.linked(cell.links, [kind]):
        return Key(linked, cell.text, cell.line, remark)
    return None


def _series_key(cell: Cell, lexicon: Lexicon, named: Collection[str]) -> Key | None:
    """Return the series of a row: by its name where the link does not contradict it, else by the link.

    `named` are the series that rows of the table name: a row that only links to one of them is another.
    """
    bare = PARENTHESES.sub("", normal(cell.text))
    linked = lexicon.linked_series(cell.links)
    if thing := lexicon.names.find(bare, ["series"]):
        written = None if lexicon.names.is_preferred(bare, thing) else cell.text
        goes_with_link = not linked or any(fold(thing).startswith(fold(other)) for other in linked)
        return Key(thing, written, cell.line, is_uncertain=not goes_with_link)
    if len(linked) == 1 and not linked & set(named):
        return Key(next(iter(linked)), cell.text, cell.line)
    if guess := lexicon.names.find_longer(bare):
        return Key(guess, cell.text, cell.line, is_uncertain=True)
    new = lexicon.new_series(bare)
    return Key(new, None, cell.line) if new and not linked else None
