"""What lies around a thing: its neighbours one or two links away, and the statements between them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from compute_atlas.graph.walking.frontier import Ask
from compute_atlas.graph.walking.links import Filter
from compute_atlas.graph.walking.paths import DEFAULT_LIMITS, Ground, Limits
from compute_atlas.graph.walking.search import Budget, Node, OutOfBudget, Steps
from compute_atlas.graph.walking.statements import Statement, find_statements
from compute_atlas.graph.walking.wording import Wording, word
from pyoxigraph import Triple

MOST_NODES = 500


@dataclass(frozen=True)
class Neighbourhood:
    """The nodes around a thing by their hops from it (itself: 0), and the statements between them."""

    center: str
    hops: dict[str, int]
    is_complete: bool
    statements: dict[tuple[str, str], tuple[Statement, ...]]
    wording: Wording

    def as_json(self) -> dict[str, Any]:
        """Return the answer of the service: nodes by hops and id, links by the ids of their ends."""
        return {
            "of": self.wording.thing(self.center),
            "complete": self.is_complete,
            "nodes": [self.wording.node(iri) | {"hops": hops} for iri, hops in self.hops.items()],
            "links": [
                {
                    "from": self.wording.things[start].id,
                    "to": self.wording.things[end].id,
                    "predicates": list(map(self.wording.statement, statements)),
                }
                for (start, end), statements in self.statements.items()
            ],
        }

    def triples(self) -> list[Triple]:
        """Return the statements."""
        return [statement.triple for statements in self.statements.values() for statement in statements]


def look_around(
    ground: Ground[Node],
    ask: Ask,
    center: str,
    hops: int,
    languages: Sequence[str],
    most: int = MOST_NODES,
    limits: Limits = DEFAULT_LIMITS,
) -> Neighbourhood:
    """Return what is up to so many hops away in any direction, at most so many nodes, the nearest first.

    Not complete if the nodes are more, or if looking for them or for their links takes too long.
    """
    budget = Budget(limits.links, time.monotonic() + limits.seconds)
    links = Filter(both_ways=True)
    steps = ground.walk(links, (), budget)
    start = ground.node(center)
    rings: dict[Node, int] = {} if start is None else {start: 0}
    is_complete, linked = True, dict[Node, list[Node]]()
    try:
        for number in range(1, hops + 1):
            is_complete = _add_ring(steps, rings, number, most) and is_complete
        linked = steps.links(set(rings), set(rings))
    except OutOfBudget:
        is_complete = False
    nodes = {ground.iri(node): number for node, number in rings.items()} or {center: 0}
    pairs = [(ground.iri(node), ground.iri(end)) for node, ends in linked.items() for end in ends]
    statements = find_statements(ask, pairs, links)
    told = [statement for found in statements.values() for statement in found]
    return Neighbourhood(center, nodes, is_complete, statements, word(ask, nodes, told, languages))


def _add_ring(steps: Steps[Node], rings: dict[Node, int], number: int, most: int) -> bool:
    """Add the nodes that are one hop further than the last ring; tell whether all had room."""
    last = {node for node, hops in rings.items() if hops == number - 1}
    reached = sorted(steps.reach(last, True).difference(rings), key=steps.order)
    rings |= dict.fromkeys(islice(reached, max(0, most - len(rings))), number)
    return all(node in rings for node in reached)
