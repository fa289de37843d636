"""Add what rules derive: SPARQL CONSTRUCT queries, run until nothing new comes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from compute_atlas.graph.store import open_store
from compute_atlas.ontology.names import PREFIXES
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, QueryTriples, Store, Triple

MAX_PASSES = 100


class RulesDoNotEnd(RuntimeError):
    """Rules go on making new triples: a fault in the rule files."""


def derive(quads: Iterable[Quad], rules: Iterable[Path]) -> list[Triple]:
    """Return the triples that the rules add to the union of all graphs, sorted.

    Only legal RDF that no graph states already. Raises RulesDoNotEnd after 100 passes.
    """
    store = open_store(quads)
    texts = [path.read_text(encoding="utf-8") for path in rules]
    added: list[Triple] = []
    for _ in range(MAX_PASSES):
        before = len(added)
        for text in texts:
            new = _new_triples(store, text)
            store.extend(Quad(*triple) for triple in new)
            added += new
        if len(added) == before:
            return sorted(added, key=str)
    raise RulesDoNotEnd(f"rules still add triples after {MAX_PASSES} passes")


def _new_triples(store: Store, text: str) -> list[Triple]:
    found = store.query(text, prefixes=PREFIXES)
    assert isinstance(found, QueryTriples)
    return [triple for triple in dict.fromkeys(found) if _is_new(store, triple)]


def _is_new(store: Store, triple: Triple) -> bool:
    if not isinstance(triple.subject, NamedNode | BlankNode) or not isinstance(triple.predicate, NamedNode):
        return False
    if not isinstance(triple.object, NamedNode | BlankNode | Literal):
        return False
    return Quad(*triple) not in store
