"""What workers can do: each kind of job is a function of the dataset, the job's payload and an output."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from compute_atlas.queries import answering
from compute_atlas.queries.analysis import analyse
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.evaluate import Query, evaluate
from compute_atlas.queries.exports import run_export
from compute_atlas.queries.facts import run_usage, run_values
from compute_atlas.queries.names import write_names
from compute_atlas.queries.resources import describe_resource, resource_facts
from compute_atlas.queries.results import Output, write, write_graph
from compute_atlas.queries.statistics import statistics
from compute_atlas.queries.stored_graphs import stored_graph

Payload = dict[str, Any]
JobFunction = Callable[[Dataset, Payload, Output], None]


def run_query(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write the answer of a query: text, base, prefixes, default_graphs, named_graphs, format, labels."""
    query = Query(
        payload["text"],
        payload["base"],
        tuple((prefix, iri) for prefix, iri in payload["prefixes"]),
        _graphs(payload["default_graphs"]),
        _graphs(payload["named_graphs"]),
    )
    results = evaluate(dataset, query)
    write(results, payload["format"], output, store=dataset.store, labels=payload.get("labels"))


def run_analysis(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write what `analyse` finds about a text too long to be looked at anywhere else."""
    facts = asdict(analyse(payload["text"], payload["base"]))
    del facts["text"]
    output.write(json.dumps(facts).encode())


def run_stored_graph(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write one graph as it is stored; `graph` is its IRI, None for the union of all."""
    write_graph(stored_graph(dataset, payload["graph"]), payload["format"], output)


def run_description(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write what is known about a resource as RDF."""
    describe_resource(dataset, payload["iri"], payload["format"], output)


def run_facts(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write what is known about a resource as JSON for a page: labels in a language and rows of facts."""
    facts = resource_facts(dataset, payload["iri"], payload["languages"])
    output.write(json.dumps(facts, ensure_ascii=False).encode())


def run_statistics(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write the numbers of a VoID description as JSON."""
    output.write(json.dumps(statistics(dataset), ensure_ascii=False).encode())


def run_names(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write the labels and types of everything that has a name, as N-Triples."""
    write_names(dataset, output)


JOBS: dict[str, JobFunction] = {
    "query": run_query,
    "analysis": run_analysis,
    "stored_graph": run_stored_graph,
    "description": run_description,
    "facts": run_facts,
    "statistics": run_statistics,
    "paths": answering.run_paths,
    "neighbours": answering.run_neighbours,
    "evidence": answering.run_evidence,
    "saved_query": answering.run_saved_query,
    "saved_text": answering.run_saved_text,
    "export": run_export,
    "allowed_values": answering.run_allowed_values,
    "presence": answering.run_presence,
    "names": run_names,
    "values": run_values,
    "usage": run_usage,
}


def _graphs(graphs: list[str] | None) -> tuple[str, ...] | None:
    return None if graphs is None else tuple(graphs)
