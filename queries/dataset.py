"""A store with the datasets that queries may choose from it, where each default graph is a set."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from compute_atlas.graph.store import graph_sizes
from compute_atlas.queries.errors import DatasetTooLarge, InvalidIri
from compute_atlas.queries.prepared import Prepared
from pyoxigraph import DefaultGraph, NamedNode, Quad, Store

REMEMBERED_MERGES = 8
LARGEST_MERGE_TRIPLES = 1_000_000

Graphs = tuple[str, ...]


@dataclass(frozen=True)
class View:
    """A store and the graphs in it that one query sees; None: as the store has them."""

    store: Store
    default_graphs: list[NamedNode | DefaultGraph] | None = None
    named_graphs: list[NamedNode] | None = None


@dataclass
class Dataset:
    """A store whose default graph is the union of its graphs, and the merges made from it so far."""

    store: Store
    largest_merge_triples: int = LARGEST_MERGE_TRIPLES
    sizes: dict[str, int] = field(init=False)
    prepared: Prepared = field(init=False)
    _views: OrderedDict[tuple[Graphs, Graphs], View] = field(default_factory=OrderedDict, init=False)

    def __post_init__(self) -> None:
        self.sizes = graph_sizes(self.store)
        self.prepared = Prepared(self.store)

    def view(self, default: Graphs | None, named: Graphs | None) -> View:
        """Return what a query sees that asks for these graphs; unknown graphs are empty.

        Both None: everything. One None: that part of the dataset is empty.
        Raises InvalidIri, DatasetTooLarge.
        """
        if default is None and named is None:
            return View(self.store)
        key = (tuple(sorted(set(default or ()))), tuple(sorted(set(named or ()))))
        if key not in self._views:
            self._views[key] = self._make_view(*key)
            if len(self._views) > REMEMBERED_MERGES:
                self._views.popitem(last=False)
        self._views.move_to_end(key)
        return self._views[key]

    def _make_view(self, default: Graphs, named: Graphs) -> View:
        defaults, nameds = _nodes(default), _nodes(named)
        known = [graph for graph in defaults if graph.value in self.sizes]
        if not self._overlap(known):
            return View(self.store, [*defaults], nameds)
        return View(self._merge(known, nameds), [DefaultGraph()], nameds)

    def _overlap(self, graphs: list[NamedNode]) -> bool:
        """Say whether a triple stands in two graphs; the engine would count it twice (oxigraph#1919)."""
        ordered = sorted(graphs, key=lambda graph: self.sizes[graph.value])
        self._refuse_large(ordered[:-1])
        return any(
            Quad(quad.subject, quad.predicate, quad.object, other) in self.store
            for number, graph in enumerate(ordered[:-1])
            for quad in self._triples(graph)
            for other in ordered[number + 1 :]
        )

    def _merge(self, default: list[NamedNode], named: list[NamedNode]) -> Store:
        self._refuse_large([*default, *named])
        merged = Store()
        for graph in default:
            merged.extend(Quad(quad.subject, quad.predicate, quad.object) for quad in self._triples(graph))
        for graph in named:
            merged.extend(self._triples(graph))
        return merged

    def _refuse_large(self, graphs: Iterable[NamedNode]) -> None:
        triples = sum(self.sizes.get(graph.value, 0) for graph in graphs)
        if triples > self.largest_merge_triples:
            raise DatasetTooLarge(triples, self.largest_merge_triples)

    def _triples(self, graph: NamedNode) -> Iterator[Quad]:
        return self.store.quads_for_pattern(None, None, None, graph)


def _nodes(graphs: Graphs) -> list[NamedNode]:
    return [_node(graph) for graph in graphs]


def _node(graph: str) -> NamedNode:
    try:
        return NamedNode(graph)
    except ValueError:
        raise InvalidIri(graph) from None
