"""Find paths between two nodes of a graph, whatever holds the graph."""

from __future__ import annotations

import time
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import chain, combinations, pairwise, permutations
from typing import Any, Generic, Protocol, TypeVar

Node = TypeVar("Node", bound=Hashable)
Links = dict[Node, list[Node]]
"""For each node the nodes that may follow it, sorted."""

_CLOCK_EVERY = 4096


class OutOfBudget(Exception):
    """A search has looked at as many links, or taken as long, as it may."""


@dataclass
class Budget:
    """How much one search may still do: links to look at, and the time (`time.monotonic`) to end by."""

    links: int
    deadline: float
    _unclocked: int = field(default=0, init=False)

    def spend(self, links: int) -> None:
        """Take links off. Raises OutOfBudget."""
        self.links -= links
        self._unclocked += links
        if self.links < 0:
            raise OutOfBudget
        if self._unclocked >= _CLOCK_EVERY:
            self._unclocked = 0
            if time.monotonic() > self.deadline:
                raise OutOfBudget


class Steps(Protocol[Node]):
    """What a search asks of a graph: always for many nodes at once."""

    def cost(self, nodes: Collection[Node], forward: bool) -> int:
        """Return about how much work `reach` would be."""

    def reach(self, nodes: Collection[Node], forward: bool) -> set[Node]:
        """Return the nodes one step from any of the nodes, or (not `forward`) one step before them."""

    def links(self, nodes: Collection[Node], within: Collection[Node]) -> Links[Node]:
        """Return for each of the nodes that has a step to one `within` these others, sorted."""

    def order(self, node: Node) -> Any:
        """Return what nodes are sorted by."""


class Search(Generic[Node]):
    """The paths without a repeated node from one node to another that go through all of `via`."""

    def __init__(self, steps: Steps[Node], source: Node, target: Node, via: Collection[Node], budget: Budget):
        self._steps, self._source, self._target, self._budget = steps, source, target, budget
        self._via = sorted(set(via) - {source, target}, key=steps.order)
        self._fixed = {source, target, *self._via}
        self._stretches: dict[tuple[Node, Node], _Stretch[Node]] = {}

    def shortest(self, max_hops: int) -> Iterator[tuple[Node, ...]]:
        """Yield all paths with the fewest hops, sorted."""
        first = next(self._by_length(max_hops), None)
        if first is not None:
            yield from first

    def paths(self, max_hops: int) -> Iterator[tuple[Node, ...]]:
        """Yield all paths by number of hops, those of the same number sorted."""
        for found in self._by_length(max_hops):
            yield from found

    def _by_length(self, max_hops: int) -> Iterator[Iterator[tuple[Node, ...]]]:
        """Yield the paths of each length for which there are any."""
        if self._source == self._target:
            if not self._via:
                yield iter([(self._source,)])
            return
        for hops in range(self._fewest_hops(max_hops), max_hops + 1):
            found = merge(*self._of_length(hops), key=self._order)
            for first in found:
                yield chain([first], found)
                break

    def _order(self, path: tuple[Node, ...]) -> list[Any]:
        return [self._steps.order(node) for node in path]

    def _fewest_hops(self, max_hops: int) -> int:
        """Return a number of hops that no path can be shorter than; more than allowed if there is none."""
        return min(
            sum(self._distance(*pair, max_hops) for pair in pairwise(stops)) for stops in self._tours()
        )

    def _distance(self, start: Node, end: Node, max_hops: int) -> int:
        return self._stretch(start, end).distance(max_hops)

    def _of_length(self, hops: int) -> Iterator[Iterator[tuple[Node, ...]]]:
        """Yield the paths of this length, sorted, for each way to place the nodes to go through."""
        for stops in self._tours():
            for cuts in combinations(range(1, hops), len(stops) - 2):
                self._budget.spend(1)
                lengths = [end - start for start, end in pairwise((0, *cuts, hops))]
                layers = self._layers(stops, lengths)
                if layers:
                    yield self._walk(layers)

    def _tours(self) -> Iterator[tuple[Node, ...]]:
        for order in permutations(self._via):
            yield (self._source, *order, self._target)

    def _layers(self, stops: Sequence[Node], lengths: Sequence[int]) -> list[Links[Node]] | None:
        layers: list[Links[Node]] = []
        for (start, end), hops in zip(pairwise(stops), lengths, strict=True):
            stretch = self._stretch(start, end).layers(hops)
            if stretch is None:
                return None
            layers += stretch
        return layers

    def _stretch(self, start: Node, end: Node) -> _Stretch[Node]:
        if (start, end) not in self._stretches:
            self._stretches[start, end] = _Stretch(self._steps, start, end, self._fixed)
        return self._stretches[start, end]

    def _walk(self, layers: Sequence[Links[Node]]) -> Iterator[tuple[Node, ...]]:
        """Yield the paths through the layers that come by no node twice, sorted."""
        path = [self._source]
        open_steps = [iter(layers[0][self._source])]
        while open_steps:
            for node in open_steps[-1]:
                self._budget.spend(1)
                if node in path:
                    continue
                if len(path) == len(layers):
                    yield (*path, node)
                    continue
                open_steps.append(iter(layers[len(path)][node]))
                path.append(node)
                break
            else:
                open_steps.pop()
                path.pop()


class _Stretch(Generic[Node]):
    """The walks from one node to another that touch none of the `fixed` nodes in between."""

    def __init__(self, steps: Steps[Node], start: Node, end: Node, fixed: Collection[Node]):
        self._nearest = _Halves(steps, start, end, fixed, revisits=False)
        self._all = _Halves(steps, start, end, fixed, revisits=True)
        self._shortest: int | None = None

    def distance(self, max_hops: int) -> int:
        """Return the number of hops of the shortest walk, `max_hops + 1` if none is short enough."""
        if self._shortest is None:
            found = (hops for hops in range(1, max_hops + 1) if self._nearest.join(hops))
            self._shortest = next(found, max_hops + 1)
        return self._shortest

    def layers(self, hops: int) -> list[Links[Node]] | None:
        """Return what may follow each node at each step of a walk of so many hops, None if there is none."""
        return (self._nearest if hops == self._shortest else self._all).join(hops)


class _Halves(Generic[Node]):
    """Nodes by their number of steps from the start and to the end of a walk.

    Without `revisits` a node stands only where it is nearest, which is enough for shortest walks.
    """

    def __init__(
        self, steps: Steps[Node], start: Node, end: Node, fixed: Collection[Node], *, revisits: bool
    ):
        self._steps, self._fixed, self._revisits = steps, frozenset(fixed), revisits
        self._ahead: list[set[Node]] = [{start}]
        self._behind: list[set[Node]] = [{end}]
        self._joined: dict[int, list[Links[Node]] | None] = {}
        self._costs = {forward: self._cost(forward) for forward in (True, False)}

    def join(self, hops: int) -> list[Links[Node]] | None:
        """Return the walks of so many hops, layer by layer and nothing else; None if there is none."""
        if hops not in self._joined:
            self._joined[hops] = self._join(hops)
        return self._joined[hops]

    def _join(self, hops: int) -> list[Links[Node]] | None:
        while len(self._ahead) + len(self._behind) < hops + 1:
            self._grow()
        place = min(len(self._ahead), hops) - 1
        middle = self._steps.links(self._ahead[place], self._behind[hops - 1 - place])
        if not middle:
            return None
        before, inside = [], set(middle)
        for nodes in reversed(self._ahead[:place]):
            before.append(self._steps.links(nodes, inside))
            inside = set(before[-1])
        after, inside = [], _ends(middle)
        for nodes in reversed(self._behind[: hops - 1 - place]):
            after.append(self._steps.links(inside, nodes))
            inside = _ends(after[-1])
        return [*reversed(before), middle, *after]

    def _grow(self) -> None:
        """Add a layer on the side where it is less work."""
        forward = self._costs[True] <= self._costs[False]
        side = self._ahead if forward else self._behind
        found = self._steps.reach(side[-1], forward) - self._fixed
        if not self._revisits:
            found = found.difference(*side)
        side.append(found)
        self._costs[forward] = self._cost(forward)

    def _cost(self, forward: bool) -> int:
        return self._steps.cost((self._ahead if forward else self._behind)[-1], forward)


def _ends(links: Links[Node]) -> set[Node]:
    return {node for nodes in links.values() for node in nodes}
