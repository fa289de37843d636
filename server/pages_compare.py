"""/compare: the members of a class in a table, and some of them side by side."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import flask
from compute_atlas.graph.class_table import Cell, Column, Row, Table, class_table, side_by_side, value_key
from compute_atlas.graph.exchange.facts import Value
from compute_atlas.graph.lookup.labels import Shown
from compute_atlas.ontology.names import ONTOLOGY
from compute_atlas.queries.formats import CSV
from compute_atlas.server import requests
from compute_atlas.server.asking import choose_format, current_names
from compute_atlas.server.cards import find_facts
from compute_atlas.server.errors import BadParameter
from compute_atlas.server.members import members_of_classes
from compute_atlas.server.negotiate import HTML
from compute_atlas.server.pages import View, answer_page
from compute_atlas.server.parameters import Parameters
from compute_atlas.server.requests import accepts, answers
from pyoxigraph import NamedNode

blueprint = flask.Blueprint("compare", __name__)

OFFERS = (HTML, CSV)
FEWEST, MOST = 2, 4
MOST_COLUMNS, MOST_MEMBERS = 14, 300
# A column with more values than this has no filter.
_MOST_CHOICES = 30
# What is compared first in this project's own graph.
_FIRST_CLASS = f"{ONTOLOGY}VMSeries"


@blueprint.get("/compare")
@accepts("class", "pick", "where", "lang", "format")
@answers(*OFFERS)
def show_comparison() -> flask.Response:
    """Show the members of a class with what is stated of them; two to four of them side by side."""
    choice, view, parameters = choose_format(OFFERS), View.current(), requests.read_parameters()
    sizes = {name: len(iris) for name, iris in members_of_classes(view.index).items()}
    asked = parameters.one("class")
    chosen = current_names().type(asked, "class") if asked else _first(sizes)
    if chosen is None:
        return answer_page(view, "compare.html", table=None, sizes={}, chosen=None)
    table = _table(view, chosen)
    filters = [where.partition(" = ")[::2] for where in parameters.all("where") if where]
    rows = [row for row in table.rows if all(_fits(table, row, *pair) for pair in filters)]
    if choice.format is CSV:
        return requests.answer(_as_csv(view, table, rows), CSV.media_types[0], Vary="Accept, Accept-Language")
    picked = _picked(parameters, table)
    return answer_page(
        view,
        "compare.html",
        chosen=chosen,
        sizes={name: sizes[name] for name in view.order(sizes)},
        table=table,
        rows=rows,
        filters=dict(filters),
        where=[where for where in parameters.all("where") if where],
        choices=_choices(view, table),
        picked=picked,
        side=side_by_side(table, picked) if FEWEST <= len(picked) <= MOST else None,
        head=lambda column: _head(view, column),
    )


def _first(sizes: dict[str, int]) -> str | None:
    if _FIRST_CLASS in sizes:
        return _FIRST_CLASS
    return min(sizes, key=lambda name: (-sizes[name], name), default=None)


def _table(view: View, chosen: str) -> Table:
    listed = view.order(members_of_classes(view.index).get(chosen, ())[:MOST_MEMBERS])
    table = class_table(listed, find_facts(listed, None), lambda iri: view.name(iri).value)
    rows = tuple(Row(row.iri, row.cells[:MOST_COLUMNS]) for row in table.rows)
    return Table(table.columns[:MOST_COLUMNS], rows, table.shared)


def _head(view: View, column: Column) -> Shown:
    """Return what stands above a column: the property, or the one value of it."""
    return view.name(column.value or column.predicate)


def _choices(view: View, table: Table) -> dict[Column, list[tuple[str, Value]]]:
    """Return the values by which each column can be filtered."""
    choices: dict[Column, list[tuple[str, Value]]] = {}
    for number, column in enumerate(table.columns):
        values = {value for row in table.rows for value in row.cells[number].values}
        if len(values) <= _MOST_CHOICES:
            ordered = sorted(values, key=lambda value: (view.shown(value).value, str(value)))
            choices[column] = [(value_key(value), value) for value in ordered]
    return choices


def _fits(table: Table, row: Row, key: str, value: str) -> bool:
    number = next((n for n, column in enumerate(table.columns) if column.key == key), None)
    if number is None:
        allowed = [column.key for column in table.columns]
        raise BadParameter("where", f'there is no column "{key}"; use one of: {", ".join(allowed)}', allowed)
    return value in row.cells[number].keys


def _picked(parameters: Parameters, table: Table) -> list[str]:
    names, known = current_names(), {row.iri for row in table.rows}
    found = dict.fromkeys(names.thing(text, "pick") for text in parameters.all("pick"))
    return [iri for iri in found if iri in known]


def _as_csv(view: View, table: Table, rows: Sequence[Row]) -> bytes:
    """Return the table with a label and an id for each thing; several values stand behind each other."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([view.t("name"), "id", *(_head(view, column).value for column in table.columns)])
    for row in rows:
        cells = [_csv_cell(view, column, cell) for column, cell in zip(table.columns, row.cells, strict=True)]
        writer.writerow([view.name(row.iri).value, value_key(NamedNode(row.iri)), *cells])
    return text.getvalue().encode()


def _csv_cell(view: View, column: Column, cell: Cell) -> str:
    if column.value and cell.values:
        return view.t("yes")
    return "; ".join(view.shown(value).value for value in cell.values)
