"""The classes and properties of a graph, to be found by name as things are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import Label, Thing, last_part
from compute_atlas.graph.lookup.resolve import is_ordinary


class Directory:
    """Indexes of the classes that ordinary things have, and of the properties in use."""

    def __init__(self, index: Index, properties: Iterable[str]):
        self._index = index
        uses = Counter(iri for thing in index.things.values() if is_ordinary(thing) for iri in thing.types)
        above = {iri for thing in index.things.values() if is_ordinary(thing) for iri in thing.classes}
        self.types = self._make_index(above)
        self.properties = self._make_index(properties)
        self.common_types = [iri for iri, _ in sorted(uses.items(), key=lambda item: (-item[1], item[0]))]

    def _make_index(self, iris: Iterable[str]) -> Index:
        """Return an index of things; those without a label are called by their IRI's last part."""
        return Index({iri: self._labelled(iri) for iri in sorted(iris)})

    def _labelled(self, iri: str) -> Thing:
        # Without their classes: here properties are what is looked for.
        labels = self._index.things[iri].labels if iri in self._index.things else ()
        return Thing(iri, labels or (Label(last_part(iri), None, "label"),))
