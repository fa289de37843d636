"""The metrics of the service in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from compute_atlas.server.counts import Totals
from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

CONTENT_TYPE = CONTENT_TYPE_LATEST
_PREFIX = "compute_atlas"
_OF_TIERS = {
    "jobs": "Jobs that query workers have finished.",
    "bytes": "Bytes of answers that query workers have written.",
    "seconds": "Time that query workers were busy.",
}


def write_metrics(
    totals: Totals, counters: dict[str, float], running: dict[str, int], about: dict[str, Any]
) -> bytes:
    """Return all metrics; `counters` are the workers' and start again with each graph."""
    registry = CollectorRegistry()
    registry.register(_Collected([*_of_requests(totals), *_of_workers(counters, running), *_of_graph(about)]))
    return generate_latest(registry)


class _Collected(Collector):
    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> list[Metric]:
        return self._families


def _of_requests(totals: Totals) -> Iterator[Metric]:
    requests = CounterMetricFamily(f"{_PREFIX}_requests", "Requests by how they ended.", labels=["outcome"])
    for outcome, number in totals.requests.items():
        requests.add_metric([outcome], number)
    yield requests
    yield CounterMetricFamily(f"{_PREFIX}_sent_bytes", "Bytes of bodies that were sent.", totals.sent_bytes)
    measured = sum(number for outcome, number in totals.requests.items() if outcome != "cached")
    yield HistogramMetricFamily(
        f"{_PREFIX}_request_seconds",
        "Time from request to the end of its answer, those from the cache left out.",
        [(str(bound), number) for bound, number in totals.within_s.items()] + [("+Inf", measured)],
        totals.seconds,
    )


def _of_workers(counters: dict[str, float], running: dict[str, int]) -> Iterator[Metric]:
    for what, meaning in _OF_TIERS.items():
        family = CounterMetricFamily(f"{_PREFIX}_worker_{what}", meaning, labels=["tier"])
        for tier in running:
            family.add_metric([tier], counters[f"{tier}_{what}"])
        yield family
    deaths = CounterMetricFamily(f"{_PREFIX}_worker_deaths", "Workers that ended early.", labels=["cause"])
    for name, number in counters.items():
        if name.startswith("deaths_"):
            deaths.add_metric([name.removeprefix("deaths_")], number)
    yield deaths
    in_hand = GaugeMetricFamily(f"{_PREFIX}_running_jobs", "Jobs in hand.", labels=["tier"])
    for tier, number in running.items():
        in_hand.add_metric([tier], number)
    yield in_hand


def _of_graph(about: dict[str, Any]) -> Iterator[Metric]:
    yield GaugeMetricFamily(f"{_PREFIX}_graph_triples", "Triples in the current graph.", about["triples"])
    graph = GaugeMetricFamily(f"{_PREFIX}_graph_info", "The current graph.", labels=["digest"])
    graph.add_metric([about["digest"]], 1)
    yield graph
