"""What answering needs that is made once: the links between things, saved queries, rules."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from compute_atlas.graph import derivation
from compute_atlas.graph.lookup import words
from compute_atlas.graph.walking.frontier import Ask, asking
from compute_atlas.graph.walking.links import Filter
from compute_atlas.graph.walking.projection import Projection, project
from compute_atlas.ontology.names import GRAPH_INFERRED
from compute_atlas.queries.catalogue import catalogue
from pyoxigraph import NamedNode, Store


class Prepared:
    """Links of a store that does not change, and whether a thing is in it."""

    def __init__(self, store: Store):
        self._store = store

    @cached_property
    def ask(self) -> Ask:
        """Return the way to ask the store."""
        return asking(self._store)

    @cached_property
    def projection(self) -> Projection:
        """Return the links between resources."""
        return project(self._store)

    @cached_property
    def whole_projection(self) -> Projection:
        """Return the links, those of annotations, types and schemes included."""
        return project(self._store, with_annotations=True)

    def make(self) -> None:
        """Make it all now: processes forked later share it, and may be able to open no file themselves."""
        catalogue()
        words.elision()
        assert self.projection
        if self._has(None, None, None, NamedNode(GRAPH_INFERRED)):
            derivation.rules()

    def links(self, links: Filter) -> Projection:
        """Return the links that a search with this filter walks on."""
        return self.whole_projection if links.asks_for_annotations else self.projection

    def is_known(self, iri: str) -> bool:
        """Say whether anything is stated of a thing, or with it as a value."""
        node = _node(iri)
        return node is not None and (self._has(node, None, None) or self._has(None, None, node))

    def is_predicate(self, iri: str) -> bool:
        """Say whether anything is stated with a predicate."""
        node = _node(iri)
        return node is not None and self._has(None, node, None)

    def _has(self, *pattern: Any) -> bool:
        return any(True for _ in self._store.quads_for_pattern(*pattern))


def _node(iri: str) -> NamedNode | None:
    try:
        return NamedNode(iri)
    except ValueError:
        return None
