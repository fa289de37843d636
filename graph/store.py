"""Hold a dataset so that its default graph is the union of all graphs, as a set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from compute_atlas.ontology.names import PREFIXES
from pyoxigraph import NamedNode, Quad, QuerySolutions, RdfFormat, Store, serialize

# pyoxigraph's own union counts a triple once for each graph that states it (oxigraph#1919), so COUNT goes
# wrong: the union is written out instead. The default graph's own triples are part of it.
_UNION = "INSERT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }"


def open_store(quads: Iterable[Quad]) -> Store:
    """Return an in-memory store of the quads, the union of all graphs written into the default graph."""
    store = Store()
    store.extend(quads)  # not load(): that would rename blank nodes
    store.update(_UNION)
    return store


def digest(quads: Iterable[Quad]) -> str:
    """Return `sha256:…` over the sorted N-Quads lines: the same dataset, the same digest."""
    lines = serialize(quads, format=RdfFormat.N_QUADS) or b""
    return "sha256:" + hashlib.sha256(b"".join(sorted(set(lines.splitlines(keepends=True))))).hexdigest()


def graph_sizes(store: Store) -> dict[str, int]:
    """Return the number of triples in each named graph that has an IRI, sorted by IRI."""
    graphs = [graph for graph in store.named_graphs() if isinstance(graph, NamedNode)]
    sizes = {
        graph.value: sum(1 for _ in store.quads_for_pattern(None, None, None, graph)) for graph in graphs
    }
    return dict(sorted(sizes.items()))


def select(store: Store, text: str) -> QuerySolutions:
    """Return the solutions of a SELECT query of our own; the vocabulary's prefixes need no declaration."""
    found = store.query(text, prefixes=PREFIXES)
    if not isinstance(found, QuerySolutions):
        raise TypeError("not a SELECT query")
    return found
