"""Measure paths on a generated graph, next to plain networkx on the same pairs.

The graph has the shape of a price list: each size in each region has an offer, so that regions and series
are hubs. Pairs are random nodes that a shortest path of so many hops connects.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import random
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from compute_atlas.graph.walking.links import Filter
from compute_atlas.graph.walking.paths import Limits, Question, find_paths
from compute_atlas.graph.walking.projection import Projection, project
from pyoxigraph import NamedNode, Quad, Store

BASE = "https://example.org/"
BOTH = Filter(both_ways=True)
LIMITS = Limits(paths=10_000)
ALL_HOPS = 4
LONGEST_PEER_S = 20.0

Pair = tuple[str, str]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--hops", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without-networkx", action="store_true", help="measure ours alone")
    options = parser.parse_args()
    store = Store()
    store.bulk_extend(itertools.islice(links(options.edges), options.edges))
    projection = build(store)
    pairs = list(random_pairs(projection, options.pairs, options.hops, random.Random(options.seed)))
    hubs = largest_hubs(projection, 12)
    warm_up(projection, pairs[:5])
    shortest = measure(lambda pair: paths(projection, pair, "shortest"), pairs)
    every = measure(lambda pair: paths(projection, pair, "all", ALL_HOPS), pairs)
    between_hubs = measure(
        lambda pair: paths(projection, pair, "all", ALL_HOPS), list(itertools.pairwise(hubs))
    )
    report(f"shortest paths of {options.hops} hops", shortest)
    report(f"all simple paths up to {ALL_HOPS} hops", every)
    report(f"all simple paths up to {ALL_HOPS} hops between hubs", between_hubs)
    if not options.without_networkx:
        compare(projection, pairs)


def links(edges: int) -> Iterator[Quad]:
    """Yield links of offers to sizes and regions, of sizes to series and each other: a quarter of them offers."""
    numbers = random.Random(7)
    sizes, regions, series = max(1, edges // 30), 60, 400
    in_series, after, of_size, in_region, near = (
        node(f"ontology#{name}") for name in ("inSeries", "after", "ofSize", "inRegion", "near")
    )
    for size in range(sizes):
        yield Quad(node(f"size/{size}"), in_series, node(f"series/{size % series}"))
        yield Quad(node(f"size/{size}"), after, node(f"size/{numbers.randrange(sizes)}"))
    for offer in itertools.count():
        yield Quad(node(f"offer/{offer}"), of_size, node(f"size/{numbers.randrange(sizes)}"))
        yield Quad(node(f"offer/{offer}"), in_region, node(f"region/{numbers.randrange(regions)}"))
        yield Quad(node(f"offer/{offer}"), near, node(f"offer/{numbers.randrange(offer + 1)}"))


def node(name: str) -> NamedNode:
    """Return a node of the generated graph."""
    return NamedNode(BASE + name)


def build(store: Store) -> Projection:
    """Build the projection; print how long it took and how much memory it keeps."""
    gc.collect()
    before, started = rss_mb(), time.perf_counter()
    projection = project(store)
    took = time.perf_counter() - started
    gc.collect()
    size = f"{len(projection.iris):,} nodes, {len(projection.outgoing.others):,} links"
    print(f"projection of {size}: {took:.2f} s, {rss_mb() - before:.0f} MB")
    return projection


def rss_mb() -> float:
    """Return the memory of this process (Linux)."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) / 1000 for line in status.splitlines() if line.startswith("VmRSS"))


def random_pairs(projection: Projection, most: int, hops: int, numbers: random.Random) -> Iterator[Pair]:
    """Yield pairs of random nodes that so many hops part."""
    found = 0
    while found < most:
        pair = numbers.choice(projection.iris), numbers.choice(projection.iris)
        answer = find_paths(projection, Question(*pair, max_hops=hops, filter=BOTH), Limits(paths=1))
        if answer.paths and len(answer.paths[0]) == hops + 1:
            found += 1
            yield pair


def largest_hubs(projection: Projection, most: int) -> list[str]:
    """Return the nodes with the most links to them."""
    places = sorted(range(len(projection.iris)), key=projection.incoming.degrees.__getitem__, reverse=True)
    return [projection.iris[place] for place in places[:most]]


def warm_up(projection: Projection, pairs: list[Pair]) -> None:
    """Let caches and allocators settle."""
    for pair in pairs:
        paths(projection, pair, "shortest")
        paths(projection, pair, "all", ALL_HOPS)


def paths(projection: Projection, pair: Pair, mode: Any, max_hops: int = 6) -> int:
    """Return how many paths there are."""
    return len(find_paths(projection, Question(*pair, mode, max_hops=max_hops, filter=BOTH), LIMITS).paths)


def measure(find: Callable[[Pair], int], pairs: list[Pair]) -> list[tuple[float, int]]:
    """Return milliseconds and number of paths for each pair; gives up after some seconds."""
    seen: list[tuple[float, int]] = []
    ends = time.perf_counter() + LONGEST_PEER_S
    for pair in pairs:
        started = time.perf_counter()
        count = find(pair)
        seen.append(((time.perf_counter() - started) * 1000, count))
        if time.perf_counter() > ends:
            break
    return seen


def report(what: str, seen: list[tuple[float, int]]) -> None:
    """Print one line of figures."""
    times, counts = [took for took, _ in seen], [count for _, count in seen]
    p50, worst = statistics.median(times), max(times)
    print(f"{what}: {len(seen)} pairs, p50 {p50:.2f} ms, max {worst:.1f} ms, up to {max(counts)} paths")


def compare(projection: Projection, pairs: list[Pair]) -> None:
    """Print what plain networkx needs for the same, on a graph without parallel edges."""
    import networkx

    started, before = time.perf_counter(), rss_mb()
    graph: Any = networkx.Graph()
    for place in range(len(projection.iris)):
        graph.add_edges_from((place, end) for end in projection.outgoing.neighbours(place, None))
    print(f"networkx.Graph of the same: {time.perf_counter() - started:.2f} s, {rss_mb() - before:.0f} MB")

    def ends(pair: Pair) -> list[int | None]:
        return [projection.node(iri) for iri in pair]

    def one(pair: Pair) -> int:
        return len([networkx.bidirectional_shortest_path(graph, *ends(pair))])

    def every(pair: Pair) -> int:
        return sum(1 for _ in networkx.all_simple_paths(graph, *ends(pair), cutoff=ALL_HOPS))

    report("networkx, one shortest path", measure(one, pairs))
    report(f"networkx, all simple paths up to {ALL_HOPS} hops", measure(every, pairs))


if __name__ == "__main__":
    main()
