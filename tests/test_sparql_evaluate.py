"""One query on one dataset: errors that name the place, and default graphs that are sets."""

from __future__ import annotations

import pytest
from compute_atlas.graph.store import open_store
from compute_atlas.queries.analysis import analyse
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.errors import (
    DatasetTooLarge,
    InvalidIri,
    QueryError,
    QuerySyntaxError,
    UnknownFunction,
)
from compute_atlas.queries.evaluate import evaluate, query_of
from pyoxigraph import QuerySolutions, RdfFormat, parse

DATA = """
@prefix e: <http://e/> .
e:a e:p 10 .
GRAPH e:g { e:a e:p 10 }
GRAPH e:h { e:a e:p 10 , 20 }
GRAPH e:i { e:b e:p 30 . _:x e:p 40 }
"""


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return Dataset(open_store(list(parse(DATA, format=RdfFormat.TRIG))))


def rows(dataset: Dataset, text: str) -> list[str]:
    results = evaluate(dataset, query_of(analyse(text)))
    assert isinstance(results, QuerySolutions)
    return sorted(" ".join(str(getattr(term, "value", term)) for term in solution) for solution in results)


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("SELECT * {\n  xx ?s ?p ?o }", 2, 3, '"xx" cannot stand here'),
        ("SELECT * {\n  ?s ?p シ }", 2, 9, '"シ" cannot stand here'),
        ('SELECT * {\n  ?s ?p "日本" ?o }', 2, 14, '"?o" cannot stand here'),
        ("SELECT * { ?s ?p ?o ", 1, 20, "the query ends too early"),
        ("SELECT ?a ?a {}", 1, 16, "Duplicated variable name in SELECT"),
        ("SELECT * { ?s ?p 'abc }", 1, 18, "the string that starts here is not closed"),
        ("# only a comment", 1, 17, "the query is empty"),
        ("", 1, 1, "the query is empty"),
        ("INSERT DATA { <a:a> <a:b> 1 }", 1, 1, '"INSERT" cannot stand here'),
    ],
)
def test_a_syntax_error_points_to_the_token(
    dataset: Dataset, text: str, line: int, column: int, reason: str
) -> None:
    with pytest.raises(QuerySyntaxError) as raised:
        evaluate(dataset, query_of(analyse(text)))
    error = raised.value
    assert (error.line, error.column, error.reason) == (line, column, reason)
    assert error.source_line == (text.split("\n") or [""])[line - 1]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SELECT (<http://e/f>(1) AS ?x) {}", "<http://e/f>"),
        ("SELECT (NOSUCH(1) AS ?x) {}", '"NOSUCH"'),
        ("SELECT (xsd:nothing(1) AS ?x) {}", "<http://www.w3.org/2001/XMLSchema#nothing>"),
    ],
)
def test_a_function_that_is_missing_is_named(dataset: Dataset, text: str, name: str) -> None:
    with pytest.raises(UnknownFunction) as raised:
        evaluate(dataset, query_of(analyse(text)))
    assert raised.value.name == name


@pytest.mark.parametrize(
    ("source", "values"),
    [
        pytest.param("", ["10", "20", "30", "40"], id="union"),
        pytest.param("FROM e:g", ["10"], id="one-graph"),
        pytest.param("FROM e:g FROM e:h", ["10", "20"], id="overlapping-graphs"),
        pytest.param("FROM e:g FROM e:g", ["10"], id="one-graph-twice"),
        pytest.param("FROM e:g FROM e:i", ["10", "30", "40"], id="disjoint-graphs"),
        pytest.param("FROM e:none", [], id="unknown-graph"),
        pytest.param("FROM e:none FROM e:h", ["10", "20"], id="unknown-and-known"),
        pytest.param("FROM NAMED e:g", [], id="named-only"),
    ],
)
def test_the_default_graph_is_a_set(dataset: Dataset, source: str, values: list[str]) -> None:
    assert rows(dataset, f"PREFIX e: <http://e/> SELECT ?o {source} {{ ?s e:p ?o }}") == values


@pytest.mark.parametrize(
    ("source", "graphs"),
    [
        pytest.param("", ["http://e/g", "http://e/h"], id="all"),
        pytest.param("FROM e:h", [], id="from-hides-named"),
        pytest.param("FROM NAMED e:h", ["http://e/h"], id="named"),
        pytest.param("FROM e:g FROM e:h FROM NAMED e:g", ["http://e/g"], id="named-beside-a-merge"),
    ],
)
def test_named_graphs_are_those_asked_for(dataset: Dataset, source: str, graphs: list[str]) -> None:
    assert rows(dataset, f"PREFIX e: <http://e/> SELECT ?g {source} {{ GRAPH ?g {{ ?s e:p 10 }} }}") == graphs


def test_a_merge_is_remembered_and_leaves_no_trace(dataset: Dataset) -> None:
    text = "PREFIX e: <http://e/> SELECT ?g FROM e:g FROM e:h { ?s e:p 20 }"
    query = query_of(analyse(text))
    view = dataset.view(query.default_graphs, query.named_graphs)
    assert view.store is dataset.view(("http://e/h", "http://e/g"), ()).store
    assert view.store is not dataset.store
    assert rows(dataset, "SELECT DISTINCT ?g { GRAPH ?g {} }") == ["http://e/g", "http://e/h", "http://e/i"]


def test_a_merge_that_is_too_large_is_refused(dataset: Dataset) -> None:
    small = Dataset(dataset.store, largest_merge_triples=2)
    with pytest.raises(DatasetTooLarge, match="hold 3 triples together; merging is allowed up to 2"):
        small.view(("http://e/g", "http://e/h"), None)


def test_a_graph_name_that_is_no_iri_is_named(dataset: Dataset) -> None:
    with pytest.raises(InvalidIri, match="<no iri>"):
        dataset.view(("no iri",), None)


def test_every_error_of_a_query_can_be_shown_to_its_author() -> None:
    assert issubclass(QuerySyntaxError, QueryError)
