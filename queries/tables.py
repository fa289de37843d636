"""Write the rows of a SELECT as CSV or TSV with columns of names, or as a table to read."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol

from compute_atlas.ontology.names import PREFIXES, RDFS, SKOS, XSD
from pyoxigraph import (
    BlankNode,
    DefaultGraph,
    Literal,
    NamedNode,
    QuerySolutions,
    Store,
    Triple,
)

Term = NamedNode | BlankNode | Literal | Triple
Row = Iterable[Term | None]

LABEL_PROPERTIES = (NamedNode(f"{SKOS}prefLabel"), NamedNode(f"{RDFS}label"))
_WITH_VALUE = (NamedNode, Literal)
# What Turtle, and so TSV, reads as a literal of these datatypes without quotes.
_BARE_IN_TSV = {
    f"{XSD}integer": re.compile(r"[+-]?\d+\Z"),
    f"{XSD}decimal": re.compile(r"[+-]?\d*\.\d+\Z"),
    f"{XSD}double": re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+\Z"),
    f"{XSD}boolean": re.compile(r"(?:true|false)\Z"),
}
_PIECE_ROWS = 200


class Output(Protocol):
    """Where a table is written to."""

    def write(self, data: bytes, /) -> int:
        """Take some bytes; return how many."""


def write_table(
    solutions: QuerySolutions, format_name: str, output: Output, *, store: Store, labels: str | None = None
) -> None:
    """Write CSV or TSV; with `labels` a column `x_label` stands behind each column x that holds an IRI.

    A name is given only in the language asked for, or without a language: never silently in another.
    """
    names = [variable.value for variable in solutions.variables]
    rows: Iterable[Row] = solutions
    if labels is not None:
        names, rows = _with_labels(names, [list(row) for row in rows], store, labels)
    pieces = _csv_lines(names, rows) if format_name == "csv" else _tsv_lines(names, rows)
    for piece in pieces:
        output.write(piece.encode())


def find_label(store: Store, thing: NamedNode, language: str) -> str | None:
    """Return the name of a thing by RFC 4647 lookup (`ja-JP` finds `ja`), else one without a language."""
    found: dict[str, str] = {}
    for label_property in LABEL_PROPERTIES:
        for quad in store.quads_for_pattern(thing, label_property, None, DefaultGraph()):
            if isinstance(quad.object, Literal):
                tag = (quad.object.language or "").lower()
                found[tag] = min(found.get(tag, quad.object.value), quad.object.value)
    wanted = language.lower()
    while wanted and wanted not in found:
        wanted = wanted.rpartition("-")[0]
    return found.get(wanted)


def readable_lines(solutions: QuerySolutions) -> Iterator[str]:
    """Yield the lines of an aligned table to read; characters of East Asia count as two columns."""
    names = [variable.value for variable in solutions.variables]
    rows = [[_short(term) for term in solution] for solution in solutions]
    widths = [max(map(_width, column)) for column in zip(names, *rows, strict=True)]
    yield _aligned(names, widths)
    yield "  ".join("─" * width for width in widths)
    for row in rows:
        yield _aligned(row, widths)


def _short(term: Term | None) -> str:
    """Return a term as people write it: prefixed name, text with its language."""
    if isinstance(term, NamedNode):
        for prefix, namespace in PREFIXES.items():
            local = term.value.removeprefix(namespace)
            if local != term.value and local and "/" not in local:
                return f"{prefix}:{local}"
        return f"<{term.value}>"
    if isinstance(term, Literal):
        text = " ".join(term.value.split())
        return f"{text} @{term.language}" if term.language else text
    return "" if term is None else _text(term)


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def _free_name(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _with_labels(
    names: list[str], rows: list[list[Term | None]], store: Store, language: str
) -> tuple[list[str], Iterable[Row]]:
    labelled = [any(isinstance(row[place], NamedNode) for row in rows) for place in range(len(names))]
    known: dict[Term | None, Literal | None] = {}

    def label(term: Term | None) -> Literal | None:
        if term not in known:
            text = find_label(store, term, language) if isinstance(term, NamedNode) else None
            known[term] = None if text is None else Literal(text)
        return known[term]

    columns = [
        [name, _free_name(f"{name}_label", names)] if is_labelled else [name]
        for name, is_labelled in zip(names, labelled, strict=True)
    ]
    wide = (
        [
            cell
            for term, is_labelled in zip(row, labelled, strict=True)
            for cell in ([term, label(term)] if is_labelled else [term])
        ]
        for row in rows
    )
    return [name for column in columns for name in column], wide


def _csv_lines(names: list[str], rows: Iterable[Row]) -> Iterator[str]:
    """Yield pieces of some lines each; one empty value alone is two quotes, as readers skip empty lines."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(names)
    plain = (
        ["" if term is None else term.value if isinstance(term, _WITH_VALUE) else _text(term) for term in row]
        for row in rows
    )
    while piece := list(islice(plain, _PIECE_ROWS)):
        writer.writerows(piece)
        yield text.getvalue()
        text.seek(0)
        text.truncate()
    yield text.getvalue()


def _tsv_lines(names: list[str], rows: Iterable[Row]) -> Iterator[str]:
    """Yield pieces of some lines each."""
    yield "\t".join(f"?{name}" for name in names) + "\n"
    lines = ("\t".join(map(_turtle, row)) + "\n" for row in rows)
    while piece := "".join(islice(lines, _PIECE_ROWS)):
        yield piece


def _turtle(term: Term | None) -> str:
    if term is None:
        return ""
    if isinstance(term, Literal):
        bare = _BARE_IN_TSV.get(term.datatype.value)
        if bare and bare.match(term.value):
            return term.value
    return _text(term).replace("\t", "\\t")


def _text(term: Term) -> str:
    """Return a term as N-Triples writes it; `str` leaves the brackets of a triple term off."""
    if isinstance(term, Triple):
        return f"<<( {' '.join(map(_text, term))} )>>"
    return str(term)
