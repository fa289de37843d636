"""What is stated of things, gathered by thing and predicate."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import Thing
from pyoxigraph import BlankNode, Literal, NamedNode, Triple

Value = NamedNode | BlankNode | Literal | Triple
Facts = dict[str, dict[str, list[Value]]]
"""By the IRI of a thing and that of a predicate: the values, sorted."""

FactSource = Callable[[Collection[str] | None, Collection[str] | None], Facts]
"""Gives what is stated of some things (None: of all) with some predicates (None: with all)."""


def gather(triples: Iterable[Triple]) -> Facts:
    """Return the triples about things with an IRI by subject and predicate."""
    found: Facts = {}
    for triple in triples:
        if isinstance(triple.subject, NamedNode):
            found.setdefault(triple.subject.value, {}).setdefault(triple.predicate.value, []).append(
                triple.object
            )
    for by_predicate in found.values():
        for values in by_predicate.values():
            values.sort(key=str)
    return found


def thing_of(index: Index, iri: str) -> Thing:
    """Return a thing with its names; one without any is called by its IRI's last part."""
    return index.things.get(iri) or Thing(iri, ())
