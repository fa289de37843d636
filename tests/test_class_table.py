"""Things of a class as a table: which columns there are, runs of values, what differs."""

from __future__ import annotations

from compute_atlas.graph.class_table import Cell, Column, class_table, side_by_side
from compute_atlas.graph.exchange.facts import Facts
from compute_atlas.ontology.names import RDFS
from pyoxigraph import BlankNode, Literal, NamedNode

BASE = "http://kg.test/"


def node(name: str) -> NamedNode:
    return NamedNode(BASE + name)


def table_of(**stated: dict[str, list[str]]) -> object:
    facts: Facts = {
        BASE + thing: {
            BASE + predicate: [node(value) for value in values] for predicate, values in told.items()
        }
        for thing, told in stated.items()
    }
    return class_table(list(facts), facts, lambda iri: iri.removeprefix(BASE))


def columns_of(**stated: dict[str, list[str]]) -> list[str]:
    return [column.key.replace(BASE, "") for column in table_of(**stated).columns]  # type: ignore[attr-defined]


def test_a_property_of_few_values_each_becomes_a_column_for_each() -> None:
    assert columns_of(a={"by": ["cluster", "instance"]}, b={"by": ["cluster"]}) == [
        "by cluster",
        "by instance",
    ]
    assert columns_of(a={"by": ["cluster"]}, b={"by": ["instance"]}) == ["by"]
    assert columns_of(a={"by": ["1", "2", "3", "4"]}, b={"by": ["1"]}) == ["by"]


def test_columns_that_most_rows_have_come_first() -> None:
    assert columns_of(a={"rare": ["x"], "often": ["x"]}, b={"often": ["y"]}, c={"often": ["z"]}) == [
        "often",
        "rare",
    ]


def test_what_all_have_is_told_apart() -> None:
    facts: Facts = {
        BASE + name: {BASE + "same": [Literal(True)], BASE + "own": [node(name)]} for name in "ab"
    }
    table = class_table(list(facts), facts, lambda iri: iri)
    assert table.shared == {BASE + "same": (Literal(True),)}
    assert [column.predicate for column in table.columns] == [BASE + "own"]


def test_labels_and_blank_nodes_are_not_compared() -> None:
    facts: Facts = {BASE + "a": {f"{RDFS}label": [Literal("A")], BASE + "p": [BlankNode()]}}
    assert class_table(list(facts), facts, lambda iri: iri).columns == ()


def test_values_without_a_gap_are_a_run_and_versions_are_in_order() -> None:
    facts: Facts = {
        BASE + "all": {BASE + "v": [node(v) for v in ("9.0", "10.0", "10.1", "10.2", "11.0")]},
        BASE + "low": {BASE + "v": [node(v) for v in ("10.0", "10.1", "10.2", "11.0")]},
        BASE + "gap": {BASE + "v": [node(v) for v in ("9.0", "10.1", "10.2", "11.0")]},
        BASE + "few": {BASE + "v": [node(v) for v in ("10.0", "10.1", "10.2")]},
        BASE + "none": {},
    }
    table = class_table(list(facts), facts, lambda iri: iri.removeprefix(BASE))
    cells = {row.iri.removeprefix(BASE): row.cells[0] for row in table.rows}
    assert [row.iri.removeprefix(BASE) for row in table.rows] == ["all", "few", "gap", "low", "none"]
    assert cells["all"].values[0] == node("9.0")
    assert {name: cell.is_run for name, cell in cells.items()} == {
        "all": True, "low": True, "gap": False, "few": False, "none": False,
    }  # fmt: skip


def test_side_by_side_marks_what_differs_and_leaves_out_what_none_has() -> None:
    facts: Facts = {
        BASE + "a": {BASE + "p": [node("x")], BASE + "q": [node("x")]},
        BASE + "b": {BASE + "p": [node("y")], BASE + "q": [node("x")]},
        BASE + "c": {BASE + "q": [node("z")], BASE + "r": [node("z")]},
    }
    table = class_table(list(facts), facts, lambda iri: iri)
    assert side_by_side(table, [BASE + "a", BASE + "b"]) == [
        (Column(BASE + "q"), [Cell((node("x"),)), Cell((node("x"),))], False),
        (Column(BASE + "p"), [Cell((node("x"),)), Cell((node("y"),))], True),
    ]
