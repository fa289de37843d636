"""Write what names need: the labels and types of things, and which class is part of which."""

from __future__ import annotations

from collections.abc import Iterator

from compute_atlas.graph.lookup.labels import LABEL_PREDICATES
from compute_atlas.ontology.names import RDF, RDFS
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.results import Output, write_graph
from pyoxigraph import DefaultGraph, Literal, NamedNode, Triple

_TYPE = NamedNode(f"{RDF}type")
_SUBCLASS = NamedNode(f"{RDFS}subClassOf")


def write_names(dataset: Dataset, output: Output) -> None:
    """Write the statements as N-Triples."""
    write_graph(_statements(dataset), "nt", output)


def _statements(dataset: Dataset) -> Iterator[Triple]:
    store = dataset.store
    named: set[NamedNode] = set()
    for predicate in map(NamedNode, LABEL_PREDICATES):
        for quad in store.quads_for_pattern(None, predicate, None, DefaultGraph()):
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, Literal):
                named.add(quad.subject)
                yield Triple(quad.subject, predicate, quad.object)
    for thing in named:
        for quad in store.quads_for_pattern(thing, _TYPE, None, DefaultGraph()):
            yield Triple(thing, _TYPE, quad.object)
    for quad in store.quads_for_pattern(None, _SUBCLASS, None, DefaultGraph()):
        if isinstance(quad.subject, NamedNode):
            yield Triple(quad.subject, _SUBCLASS, quad.object)
