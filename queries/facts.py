"""Write what is stated of some things, and which predicates the things of a class have."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from compute_atlas.ontology.names import RDF, RDFS
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.results import Output, write_graph
from pyoxigraph import DefaultGraph, NamedNode, Triple

_TYPE = NamedNode(f"{RDF}type")
_SUBCLASS = NamedNode(f"{RDFS}subClassOf")


def run_values(dataset: Dataset, payload: dict[str, Any], output: Output) -> None:
    """Write as N-Triples what is stated of `iris` (None: of all) with `predicates` (None: with all)."""
    write_graph(_statements(dataset, payload["iris"], payload["predicates"]), "nt", output)


def run_usage(dataset: Dataset, payload: dict[str, Any], output: Output) -> None:
    """Write as JSON how many statements things of the class `iri` have with each predicate."""
    counts: Counter[str] = Counter()
    for thing in _instances(dataset, NamedNode(payload["iri"])):
        quads = dataset.store.quads_for_pattern(thing, None, None, DefaultGraph())
        counts.update(quad.predicate.value for quad in quads)
    output.write(json.dumps(counts, ensure_ascii=False).encode())


def _statements(
    dataset: Dataset, iris: Iterable[str] | None, predicates: Iterable[str] | None
) -> Iterator[Triple]:
    subjects = [None] if iris is None else [NamedNode(iri) for iri in iris]
    wanted = [None] if predicates is None else [NamedNode(iri) for iri in predicates]
    for subject in subjects:
        for predicate in wanted:
            for quad in dataset.store.quads_for_pattern(subject, predicate, None, DefaultGraph()):
                yield Triple(quad.subject, quad.predicate, quad.object)


def _instances(dataset: Dataset, class_: NamedNode) -> set[Any]:
    """Return the things of a class and of those below it."""
    classes, open_ends = {class_}, [class_]
    while open_ends:
        for quad in dataset.store.quads_for_pattern(None, _SUBCLASS, open_ends.pop(), DefaultGraph()):
            if isinstance(quad.subject, NamedNode) and quad.subject not in classes:
                classes.add(quad.subject)
                open_ends.append(quad.subject)
    return {
        quad.subject
        for name in classes
        for quad in dataset.store.quads_for_pattern(None, _TYPE, name, DefaultGraph())
    }
