"""The things of a class in rows, what is stated of them in columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from compute_atlas.graph.exchange.facts import Facts, Value
from compute_atlas.graph.layout.text import natural_key
from compute_atlas.graph.lookup.labels import LABEL_PREDICATES
from compute_atlas.ontology.names import RDF, RDFS, SKOS, identifier
from pyoxigraph import BlankNode, NamedNode, Triple

Name = Callable[[str], str]
"""Gives the label of a thing by its IRI."""

# What a thing is called or described by, and what it is.
NOT_COMPARED = {
    *LABEL_PREDICATES,
    f"{RDF}type",
    f"{SKOS}inScheme",
    f"{SKOS}definition",
    f"{RDFS}comment",
}
# A property of several values each becomes a column for each value while these are few.
_MOST_VALUE_COLUMNS = 3
# From so many values on that follow each other without a gap, the first and the last say it all.
_SHORTEST_RUN = 4


@dataclass(frozen=True)
class Column:
    """A property, or one value of a property that has few."""

    predicate: str
    value: str | None = None

    @property
    def key(self) -> str:
        """What names the column in an address."""
        return " ".join(identifier(part) or part for part in (self.predicate, self.value) if part)


@dataclass(frozen=True)
class Cell:
    """The values of a thing in a column; a run has all values from its first to its last."""

    values: tuple[Value, ...]
    is_run: bool = False

    @property
    def keys(self) -> list[str]:
        """What names the values in an address."""
        return list(map(value_key, self.values))


@dataclass(frozen=True)
class Row:
    """A thing with a cell for each column."""

    iri: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """Rows by label; columns that most rows have come first, links before literals.

    `shared` is the same for all rows.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    shared: dict[str, tuple[Value, ...]]


def class_table(members: Collection[str], facts: Facts, name: Name) -> Table:
    """Return the table of some things."""
    by_predicate: dict[str, dict[str, tuple[Value, ...]]] = {}
    for iri in members:
        for predicate, values in facts.get(iri, {}).items():
            kept = [value for value in values if not isinstance(value, BlankNode | Triple)]
            if predicate not in NOT_COMPARED and kept:
                by_predicate.setdefault(predicate, {})[iri] = _sorted(kept, name)
    shared = {
        predicate: next(iter(cells.values()))
        for predicate, cells in by_predicate.items()
        if len(members) > 1 and len(cells) == len(members) and len(set(cells.values())) == 1
    }
    columns: list[Column] = []
    cells_of: dict[Column, dict[str, Cell]] = {}

    def weight(predicate: str) -> tuple[object, ...]:
        cells = by_predicate[predicate].values()
        links = any(isinstance(value, NamedNode) for values in cells for value in values)
        return -len(cells), not links, natural_key(name(predicate)), predicate

    for predicate in sorted(by_predicate, key=weight):
        if predicate not in shared:
            made = _columns(predicate, by_predicate[predicate], name)
            columns += made
            cells_of |= made
    rows = sorted(members, key=lambda iri: (natural_key(name(iri)), iri))
    return Table(
        tuple(columns),
        tuple(Row(iri, tuple(cells_of[column].get(iri, Cell(())) for column in columns)) for iri in rows),
        shared,
    )


def side_by_side(table: Table, picked: Sequence[str]) -> list[tuple[Column, list[Cell], bool]]:
    """Return for some rows each column that one of them has: the cells, and whether these differ."""
    rows = {row.iri: row.cells for row in table.rows}
    found = []
    for number, column in enumerate(table.columns):
        cells = [rows[iri][number] for iri in picked]
        if any(cell.values for cell in cells):
            found.append((column, cells, len({cell.values for cell in cells}) > 1))
    return found


def value_key(value: Value) -> str:
    """Return what names a value in an address: the id of a thing, the text of a literal."""
    return (identifier(value.value) or value.value) if isinstance(value, NamedNode) else value_text(value)


def value_text(value: Value) -> str:
    """Return a term as plain text."""
    return str(getattr(value, "value", value))


def _columns(
    predicate: str, cells: Mapping[str, tuple[Value, ...]], name: Name
) -> dict[Column, dict[str, Cell]]:
    distinct = _sorted({value for values in cells.values() for value in values}, name)
    has_several = any(len(values) > 1 for values in cells.values())
    are_few = len(distinct) <= _MOST_VALUE_COLUMNS and all(isinstance(v, NamedNode) for v in distinct)
    if has_several and are_few:
        return {
            Column(predicate, value_text(value)): {
                iri: Cell((value,)) for iri, values in cells.items() if value in values
            }
            for value in distinct
        }
    return {Column(predicate): {iri: _cell(values, distinct) for iri, values in cells.items()}}


def _cell(values: tuple[Value, ...], distinct: tuple[Value, ...]) -> Cell:
    start = distinct.index(values[0])
    return Cell(values, len(values) >= _SHORTEST_RUN and distinct[start : start + len(values)] == values)


def _sorted(values: Collection[Value], name: Name) -> tuple[Value, ...]:
    def key(value: Value) -> tuple[object, str]:
        text = name(value.value) if isinstance(value, NamedNode) else value_text(value)
        return natural_key(text), str(value)

    return tuple(sorted(values, key=key))
