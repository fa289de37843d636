"""One graph of the dataset as triples."""

from __future__ import annotations

from collections.abc import Iterator

from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.errors import InvalidIri, UnknownThing
from pyoxigraph import DefaultGraph, NamedNode, Triple


def stored_graph(dataset: Dataset, graph: str | None) -> Iterator[Triple]:
    """Return the triples of a named graph, of the union of all for None. Raises UnknownThing, InvalidIri."""
    target: NamedNode | DefaultGraph = DefaultGraph()
    if graph is not None:
        try:
            target = NamedNode(graph)
        except ValueError:
            raise InvalidIri(graph, "graph") from None
        if not dataset.store.contains_named_graph(target):
            raise UnknownThing(f"there is no graph <{graph}>; GET /sparql lists the graphs")
    quads = dataset.store.quads_for_pattern(None, None, None, target)
    return (Triple(quad.subject, quad.predicate, quad.object) for quad in quads)
