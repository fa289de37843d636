"""Node and edge tables in CSV: for Gephi and Excel, and for Neo4j's import."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from compute_atlas.graph.export.archive import Entry, archive
from compute_atlas.graph.export.columns import SEPARATOR, Column
from compute_atlas.graph.export.drawing import Drawing

_BYTE_ORDER_MARK = "\ufeff"
_ROWS_AT_ONCE = 500


def write_csv(drawing: Drawing) -> Iterator[bytes]:
    """Yield an archive of nodes.csv and edges.csv as Gephi reads them, marked as UTF-8 for Excel."""
    nodes, edges = _names(drawing.node_columns), _names(drawing.edge_columns)
    node_head, edge_head = ["id", *nodes], ["id", "source", "target", "type", *edges]

    def node_rows() -> Iterator[Sequence[object]]:
        for node in drawing.nodes():
            yield [node.id, *(node.attributes.get(name, "") for name in nodes)]

    def edge_rows() -> Iterator[Sequence[object]]:
        for edge in drawing.edges():
            values = (edge.attributes.get(name, "") for name in edges)
            yield [edge.id, edge.source, edge.target, "Directed", *values]

    return archive(
        [
            Entry("nodes.csv", lambda: _table(node_head, node_rows(), _BYTE_ORDER_MARK)),
            Entry("edges.csv", lambda: _table(edge_head, edge_rows(), _BYTE_ORDER_MARK)),
        ]
    )


def write_neo4j(drawing: Drawing) -> Iterator[bytes]:
    """Yield an archive of nodes.csv and relationships.csv with the headers of `neo4j-admin`."""
    nodes, edges = _names(drawing.node_columns), _names(drawing.edge_columns)
    node_head = ["id:ID", *(_neo4j_name(column) for column in drawing.node_columns), ":LABEL"]
    edge_head = [":START_ID", ":END_ID", ":TYPE", "id", *edges]

    def node_rows() -> Iterator[Sequence[object]]:
        for node in drawing.nodes():
            labels = node.type.replace(SEPARATOR, ";")
            yield [node.id, *(node.attributes.get(name, "") for name in nodes), labels]

    def edge_rows() -> Iterator[Sequence[object]]:
        for edge in drawing.edges():
            values = (edge.attributes.get(name, "") for name in edges)
            yield [edge.source, edge.target, edge.attributes["interaction"], edge.id, *values]

    return archive(
        [
            Entry("nodes.csv", lambda: _table(node_head, node_rows())),
            Entry("relationships.csv", lambda: _table(edge_head, edge_rows())),
        ]
    )


def _names(columns: Iterable[Column]) -> list[str]:
    return [column.name for column in columns]


def _neo4j_name(column: Column) -> str:
    return f"{column.name}:{column.type}"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]], mark: str = "") -> Iterator[bytes]:
    page = io.StringIO()
    page.write(mark)
    writer = csv.writer(page)
    writer.writerow(head)
    for number, row in enumerate(rows, 1):
        writer.writerow(row)
        if number % _ROWS_AT_ONCE == 0:
            yield page.getvalue().encode()
            page.seek(0)
            page.truncate()
    yield page.getvalue().encode()
