"""Everything that is known of names, made once: the index of things and what finds them in texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from compute_atlas.graph.lookup.annotation import Annotator
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import read_things
from pyoxigraph import Quad


@dataclass(frozen=True)
class Terms:
    """The names in a dataset with this digest."""

    index: Index
    digest: str
    _annotators: dict[str, Annotator] = field(default_factory=dict, init=False, compare=False)

    def annotator(self, lang: str) -> Annotator:
        """Return what finds the names of a language in texts, `*` for all languages."""
        if lang not in self._annotators:
            self._annotators[lang] = Annotator(self.index, lang)
        return self._annotators[lang]


def read_terms(quads: Iterable[Quad], digest: str) -> Terms:
    """Return the names in a dataset: labels, notations and types of whatever has an IRI."""
    return Terms(Index(read_things(quads)), digest)
