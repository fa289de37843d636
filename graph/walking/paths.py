"""Answer how two things are connected: shortest paths, the k shortest, or all of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, Protocol

from compute_atlas.graph.walking.links import Filter
from compute_atlas.graph.walking.search import Budget, Node, OutOfBudget, Search, Steps

Mode = Literal["shortest", "all", "k"]


@dataclass(frozen=True)
class Limits:
    """What one search may cost: paths to list, links to look at, seconds."""

    paths: int = 1_000
    links: int = 10_000_000
    seconds: float = 10.0


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class Question:
    """From where to where (IRIs), and which paths are asked for. `k` counts only in the mode of that name."""

    source: str
    target: str
    mode: Mode = "shortest"
    k: int = 3
    max_hops: int = 6
    via: tuple[str, ...] = ()
    filter: Filter = field(default_factory=Filter)


@dataclass(frozen=True)
class Found:
    """Paths as IRIs of nodes; not complete if a limit ended the search or cut the list."""

    paths: list[tuple[str, ...]]
    is_complete: bool


class Ground(Protocol[Node]):
    """What holds the links between resources."""

    def node(self, iri: str) -> Node | None:
        """Return the node of a resource, None if nothing links it."""

    def iri(self, node: Node) -> str:
        """Return the IRI of a node."""

    def walk(self, links: Filter, exempt: Iterable[Node], budget: Budget) -> Steps[Node]:
        """Return the links that pass the filter; `exempt` nodes may be of any type."""


def find_paths(ground: Ground[Node], question: Question, limits: Limits = DEFAULT_LIMITS) -> Found:
    """Return the paths asked for, those of fewer hops first, then in order of the nodes' ids.

    A path comes by no node twice, so from a thing to itself there is one path without a step. Each thing
    to go `via` is on each path, in any order.
    """
    if not question.filter.avoid.isdisjoint({question.source, question.target, *question.via}):
        return Found([], True)
    source, target = ground.node(question.source), ground.node(question.target)
    via = [ground.node(iri) for iri in question.via if iri not in (question.source, question.target)]
    if question.source == question.target:
        return Found([] if via else [(question.source,)], True)
    stops = [node for node in via if node is not None]
    if source is None or target is None or len(stops) < len(via):
        return Found([], True)
    budget = Budget(limits.links, time.monotonic() + limits.seconds)
    steps = ground.walk(question.filter, {source, target, *stops}, budget)
    found: list[tuple[str, ...]] = []
    wanted = _wanted(Search(steps, source, target, stops, budget), question)
    try:
        for path in islice(wanted, limits.paths):
            found.append(tuple(map(ground.iri, path)))
        return Found(found, next(wanted, None) is None)
    except OutOfBudget:
        return Found(found, False)


def _wanted(search: Search[Node], question: Question) -> Iterator[tuple[Node, ...]]:
    if question.mode == "shortest":
        return search.shortest(question.max_hops)
    paths = search.paths(question.max_hops)
    return islice(paths, question.k) if question.mode == "k" else paths
