"""What an export is made from and of: the choices of a request, the triples, nodes and edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from compute_atlas.graph.export.columns import Value
from compute_atlas.graph.export.things import Resource
from pyoxigraph import BlankNode, DefaultGraph, NamedNode, Quad, Store


@dataclass(frozen=True)
class Choice:
    """What becomes a node, the languages of labels (best first), and the layout of a picture.

    With `everything` (a graph that somebody composed) all resources become nodes and only types stay
    columns. Without a layout the fitting one is taken.
    """

    languages: Sequence[str] = ()
    literals_as_nodes: bool = False
    classes: bool = False
    annotations: bool = False
    everything: bool = False
    layout: str | None = None


@dataclass(frozen=True)
class Source:
    """The triples to draw: one graph of a store."""

    store: Store
    graph: NamedNode | BlankNode | DefaultGraph = field(default_factory=DefaultGraph)

    def quads(self, subject: Resource | None = None) -> Iterator[Quad]:
        """Yield all triples, or those of a subject."""
        return self.store.quads_for_pattern(subject, None, None, self.graph)


@dataclass(frozen=True, slots=True)
class Node:
    """A node: its place in the order, its id, its most special classes, and its values by columns."""

    number: int
    id: str
    types: tuple[str, ...]
    attributes: dict[str, Value]

    @property
    def label(self) -> str:
        """Return its label in the best language."""
        return str(self.attributes["label"])

    @property
    def type(self) -> str:
        """Return its classes, empty for none."""
        return str(self.attributes.get("type", ""))


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge between two nodes, given by id and by place in the order."""

    id: str
    source: str
    target: str
    source_number: int
    target_number: int
    attributes: dict[str, str]

    @property
    def label(self) -> str:
        """Return the label of its predicate in the best language."""
        return self.attributes["label"]

    @property
    def kind(self) -> str:
        """Return the short name of its predicate, another for each predicate."""
        return self.attributes["kind"]
