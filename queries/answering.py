"""The jobs that answer by walking the graph: paths, neighbours, evidence, saved queries."""

from __future__ import annotations

import json
from typing import Any

from compute_atlas.graph import evidence
from compute_atlas.graph.export.elements import Choice
from compute_atlas.graph.export.formats import DRAWN, export, find_format
from compute_atlas.graph.export.parts import of_paths
from compute_atlas.graph.walking.neighbourhood import look_around
from compute_atlas.graph.walking.paths import Limits, find_paths
from compute_atlas.graph.walking.telling import Told, tell
from compute_atlas.queries.analysis import analyse
from compute_atlas.queries.asked import from_payload
from compute_atlas.queries.binding import allowed_values, bind
from compute_atlas.queries.catalogue import catalogue, saved_query
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.evaluate import evaluate, query_of
from compute_atlas.queries.formats import RDF_ENGINE
from compute_atlas.queries.results import Output, write, write_graph
from pyoxigraph import NamedNode, QuerySolutions, Store

Payload = dict[str, Any]
# The name of SPARQL's JSON where `json` means the answer of the service.
ROWS_JSON = "srj"

_ROWS = "SELECT ?path ?step ?s ?p ?o WHERE {{ VALUES (?path ?step ?s ?p ?o) {{ {rows} }} }}"


def run_paths(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write the paths of a `question`, at most `most` of them, worded in `languages`, in a `format`.

    What is not found in so many `seconds` is left out, and the answer says so. A format of tables gives
    a row for each statement: path, step, s, p, o.
    """
    question, prepared = from_payload(payload["question"]), dataset.prepared
    found = find_paths(
        prepared.links(question.filter), question, Limits(payload["most"], seconds=payload["seconds"])
    )
    told = tell(prepared.ask, question, found, payload["languages"])
    if payload["format"] in DRAWN:
        choice = Choice(payload["languages"])
        drawing = of_paths(dataset.store, choice, told.triples(), told.paths)
        for chunk in export(drawing, find_format(payload["format"])):
            output.write(chunk)
    elif payload["format"] in RDF_ENGINE:
        write_graph(told.triples(), payload["format"], output)
    elif payload["format"] == "json":
        _write_json(told.as_json(), output)
    else:
        _write_rows(told, payload["format"], output)


def run_neighbours(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write what is up to so many `hops` around the thing `of`, worded in `languages`, in a `format`."""
    prepared = dataset.prepared
    around = look_around(
        prepared.projection, prepared.ask, payload["of"], payload["hops"], payload["languages"]
    )
    if payload["format"] in RDF_ENGINE:
        write_graph(around.triples(), payload["format"], output)
    else:
        _write_json(around.as_json(), output)


def run_evidence(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write the claims behind facts: `subject`, `predicate`, `object` as text or the IRI of a `thing`.

    `is_value` in the answer tells whether the text is a value that the predicate may have.
    """
    facts = dataset.store, payload["subject"], payload["predicate"]
    claims = evidence.find_evidence(*facts, payload["object"])
    if not claims and payload["thing"]:
        claims = evidence.find_evidence(*facts, NamedNode(payload["thing"]))
    predicate, text = payload["predicate"], payload["object"]
    is_value = bool(predicate and text) and evidence.is_value_of(dataset.store, predicate, text)
    _write_json({**evidence.as_json(claims), "is_value": is_value}, output)


def run_saved_query(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write the answer of a saved query: `name`, `values` with things as IRIs, `format`."""
    text = bind(saved_query(payload["name"]), payload["values"], dataset.prepared.ask)
    results = evaluate(dataset, query_of(analyse(text)))
    write(results, payload["format"], output, store=dataset.store)


def run_saved_text(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write the text of a saved query with its `values` in their places."""
    output.write(bind(saved_query(payload["name"]), payload["values"], dataset.prepared.ask).encode())


def run_allowed_values(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write the values that choices among the parameters of saved queries may have, by query and name."""
    ask = dataset.prepared.ask
    found = {
        query.name: {p.name: values for p in query.parameters if (values := allowed_values(p, ask))}
        for query in catalogue().values()
    }
    _write_json(found, output)


def run_presence(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write whether an `iri` is in the graph at all, or `as_predicate`."""
    prepared = dataset.prepared
    is_there = prepared.is_predicate if payload["as_predicate"] else prepared.is_known
    _write_json(is_there(payload["iri"]), output)


def _write_json(content: object, output: Output) -> None:
    output.write(json.dumps(content, ensure_ascii=False).encode())


def _write_rows(told: Told, format_name: str, output: Output) -> None:
    """Write a table of the statements, made by the engine itself from terms."""
    rows = ((path, step, *statement.triple) for path, step, statement in told.rows())
    written = " ".join(f"({' '.join(map(str, row))})" for row in rows)
    results = Store().query(_ROWS.format(rows=written))
    assert isinstance(results, QuerySolutions)
    write(results, "json" if format_name == ROWS_JSON else format_name, output, store=Store())
