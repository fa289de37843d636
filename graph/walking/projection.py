"""The resource graph as arrays: who is linked to whom, and by which predicate, for walking fast."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, compress

from compute_atlas.graph.walking.links import ANNOTATION_CLASSES, NEVER_LINKS, SIDE, Filter, rank
from compute_atlas.graph.walking.search import Budget
from compute_atlas.ontology.names import RDF, RDFS
from pyoxigraph import DefaultGraph, NamedNode, Store

_TYPE = NamedNode(f"{RDF}type")
_SUBCLASS = NamedNode(f"{RDFS}subClassOf")
# So many predicates have numbers of two bytes, which hold the links of a large graph in less memory.
_MOST_SHORT = 1 << 16


@dataclass(frozen=True)
class Index:
    """The links of each node in one direction, one node after the other: `degrees` many, up to `ends`."""

    degrees: array[int]
    ends: array[int]
    others: array[int]
    predicates: array[int]

    def neighbours(self, node: int, allowed: bytes | None) -> Iterable[int]:
        """Return the nodes at the other ends, as often as they are linked by an allowed predicate."""
        end = self.ends[node]
        start = end - self.degrees[node]
        others = self.others[start:end]
        if allowed is None:
            return others
        return compress(others, map(allowed.__getitem__, self.predicates[start:end]))


@dataclass(frozen=True)
class Projection:
    """The links between resources of one store. Nodes are numbers in the order of their ids."""

    iris: list[str]
    predicates: dict[str, int]
    outgoing: Index
    incoming: Index
    store: Store

    def node(self, iri: str) -> int | None:
        """Return the number of a resource, None if nothing links it."""
        place = bisect_left(self.iris, rank(iri), key=rank)
        return place if place < len(self.iris) and self.iris[place] == iri else None

    def iri(self, node: int) -> str:
        """Return the IRI of a node."""
        return self.iris[node]

    def walk(self, links: Filter, exempt: Iterable[int], budget: Budget) -> Walk:
        """Return the links that pass the filter; `exempt` nodes may be of any type."""
        allowed = None
        if links.only or links.without:
            allowed = bytes(links.allows(predicate) for predicate in self.predicates)
        inside = self._of_types(links.types) | set(exempt) if links.types else None
        avoided = {node for iri in links.avoid if (node := self.node(iri)) is not None}
        return Walk(self, links.both_ways, allowed, inside, avoided, budget)

    def _of_types(self, types: Iterable[str]) -> set[int]:
        members = (
            quad.subject.value
            for type_ in with_subclasses(self.store, types)
            for quad in self.store.quads_for_pattern(None, _TYPE, NamedNode(type_), DefaultGraph())
            if isinstance(quad.subject, NamedNode)
        )
        return {node for iri in members if (node := self.node(iri)) is not None}


class Walk:
    """The links of a projection that one search may use; it charges each link looked at to the budget."""

    def __init__(
        self,
        projection: Projection,
        both_ways: bool,
        allowed: bytes | None,
        inside: set[int] | None,
        avoided: set[int],
        budget: Budget,
    ):
        self._indexes = {True: [projection.outgoing], False: [projection.incoming]}
        if both_ways:
            self._indexes = {key: [projection.outgoing, projection.incoming] for key in (True, False)}
        self._allowed, self._inside, self._avoided, self._budget = allowed, inside, avoided, budget

    def cost(self, nodes: Collection[int], forward: bool) -> int:
        """Return how many links leave the nodes (`forward`) or lead to them."""
        return sum(sum(map(index.degrees.__getitem__, nodes)) for index in self._indexes[forward])

    def reach(self, nodes: Collection[int], forward: bool) -> set[int]:
        """Return the nodes one link away from any of the nodes."""
        self._budget.spend(self.cost(nodes, forward))
        found: set[int] = set()
        for index in self._indexes[forward]:
            for node in nodes:
                found.update(index.neighbours(node, self._allowed))
        if self._inside is not None:
            found &= self._inside
        return found - self._avoided

    def links(self, nodes: Collection[int], within: Collection[int]) -> dict[int, list[int]]:
        """Return for each of the nodes that has a link to one `within` these others, sorted."""
        cost, cost_back = self.cost(nodes, True), self.cost(within, False)
        self._budget.spend(min(cost, cost_back))
        found: dict[int, set[int]] = {}
        if cost_back < cost:
            for end in within:
                for node in self._next(end, forward=False):
                    if node in nodes:
                        found.setdefault(node, set()).add(end)
        else:
            for node in nodes:
                ends = {end for end in self._next(node, forward=True) if end in within}
                if ends:
                    found[node] = ends
        return {node: sorted(ends) for node, ends in found.items()}

    def order(self, node: int) -> int:
        """Return what nodes are sorted by."""
        return node

    def _next(self, node: int, forward: bool) -> Iterator[int]:
        for index in self._indexes[forward]:
            yield from index.neighbours(node, self._allowed)


def project(store: Store, *, with_annotations: bool = False) -> Projection:
    """Return the links between the resources of a store, whose default graph is the union of all.

    Left out are literals, blank nodes and links from a resource to itself, and unless
    `with_annotations` the links that are no facts about resources: types, schemes, the order of
    versions, and whatever leads from or to annotations, claims in doubt and disagreements.
    """
    skipped = frozenset() if with_annotations else NEVER_LINKS
    annotations = set() if with_annotations else _annotations(store)
    numbers: dict[str, int] = {}
    predicates: dict[str, int] = {}
    sources, targets, kinds = array("I"), array("I"), array("I")
    for quad in store.quads_for_pattern(None, None, None, DefaultGraph()):
        subject, thing = quad.subject, quad.object
        if not isinstance(thing, NamedNode) or not isinstance(subject, NamedNode) or subject == thing:
            continue
        predicate = quad.predicate.value
        start, end = subject.value, thing.value
        if predicate in skipped or start in annotations or end in annotations:
            continue
        sources.append(numbers.setdefault(start, len(numbers)))
        targets.append(numbers.setdefault(end, len(numbers)))
        kinds.append(predicates.setdefault(predicate, len(predicates)))
    iris = sorted(numbers, key=rank)
    places = array("I", bytes(4 * len(iris)))
    for place, iri in enumerate(iris):
        places[numbers[iri]] = place
    del numbers
    if len(predicates) <= _MOST_SHORT:
        kinds = array("H", kinds)
    sources = array("I", map(places.__getitem__, sources))
    targets = array("I", map(places.__getitem__, targets))
    outgoing = _index(len(iris), sources, targets, kinds)
    return Projection(iris, predicates, outgoing, _index(len(iris), targets, sources, kinds), store)


def with_subclasses(store: Store, types: Iterable[str]) -> set[str]:
    """Return the classes and everything that is stated to be a subclass of them."""
    found: set[str] = set()
    waiting = list(types)
    while waiting:
        type_ = waiting.pop()
        if type_ not in found:
            found.add(type_)
            waiting += [
                quad.subject.value
                for quad in store.quads_for_pattern(None, _SUBCLASS, NamedNode(type_), DefaultGraph())
                if isinstance(quad.subject, NamedNode)
            ]
    return found


def _annotations(store: Store) -> set[str]:
    found = {
        quad.subject.value
        for type_ in ANNOTATION_CLASSES
        for quad in store.quads_for_pattern(None, _TYPE, NamedNode(type_), DefaultGraph())
        if isinstance(quad.subject, NamedNode)
    }
    sides = store.quads_for_pattern(None, NamedNode(SIDE), None, DefaultGraph())
    return found | {quad.object.value for quad in sides if isinstance(quad.object, NamedNode)}


def _index(size: int, starts: array[int], ends: array[int], kinds: array[int]) -> Index:
    degrees = array("I", bytes(4 * size))
    for start in starts:
        degrees[start] += 1
    last = array("I", accumulate(degrees))
    free = [end - degree for end, degree in zip(last, degrees, strict=True)]
    others = array("I", bytes(4 * len(ends)))
    predicates = array(kinds.typecode, bytes(kinds.itemsize * len(ends)))
    for start, end, kind in zip(starts, ends, kinds, strict=True):
        place = free[start]
        free[start] = place + 1
        others[place] = end
        predicates[place] = kind
    return Index(degrees, last, others, predicates)
