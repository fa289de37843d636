"""What operators see: metrics, the log of requests, slow queries, and a stop that lets answers end."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.serving import Service, running, wait_for

SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that logs every request."""
    folder = tmp_path_factory.mktemp("operations")
    data = folder / "data.nt"
    data.write_text("".join(f'<http://e/s{row}> <http://e/p> "{row}" .\n' for row in range(180)))
    variables = {"COMPUTE_ATLAS_ACCESS_LOG": "-", "COMPUTE_ATLAS_SLOW_QUERY_MS": "150"}
    with running(folder, "--data", str(data), "--timeout", "10", **variables) as service:
        yield service


def events(service: Service) -> list[dict[str, Any]]:
    """Return the lines of JSON that the service has written."""
    lines = service.log.read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def samples(service: Service) -> dict[tuple[str, ...], float]:
    """Return the metrics by their name and the values of their labels."""
    text = service.request("GET", "/metrics")[2].decode()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_metrics_count_requests_by_how_they_ended(service: Service) -> None:
    before = samples(service)
    service.ask("ASK {} # counted")
    service.ask("ASK {} # counted")
    service.ask("ASK {")
    after = samples(service)
    counted = {
        outcome: after["compute_atlas_requests_total", outcome]
        - before["compute_atlas_requests_total", outcome]
        for outcome in ("answered", "refused", "failed", "unavailable")
    }
    cached = "compute_atlas_requests_total", "cached"
    # Each web process has a cache of its own, so that the second answer may be none from there.
    assert counted["answered"] + after[cached] - before[cached] == 3, "two answers and the metrics themselves"
    assert (counted["refused"], counted["failed"], counted["unavailable"]) == (1, 0, 0)
    assert (
        after["compute_atlas_worker_jobs_total", "fast"] > before["compute_atlas_worker_jobs_total", "fast"]
    )
    assert after["compute_atlas_graph_triples",] == 180


def test_each_request_is_a_line_without_secrets(service: Service) -> None:
    path = "/sparql?" + urlencode({"query": "ASK {} # logged", "token": "hidden"})
    service.request("GET", path, Atlas_Query_Id="logged.1", Authorization="Bearer hidden")
    [event] = [event for event in events(service) if event.get("id") == "logged.1"]
    assert (event["method"], event["path"], event["status"], event["outcome"]) == (
        "GET",
        "/sparql",
        200,
        "answered",
    )
    assert event["query"] == "ASK {} # logged"
    assert event["bytes"] == 26
    assert event["graph"].startswith("sha256:")
    assert "hidden" not in service.log.read_text("utf-8")


def test_a_slow_query_is_written_down(service: Service) -> None:
    service.request("GET", "/sparql?" + urlencode({"query": SLOW}), Atlas_Query_Id="slow.1")
    [event] = [event for event in events(service) if event["event"] == "slow query"]
    assert (event["id"], event["query"]) == ("slow.1", SLOW)
    assert event["ms"] >= 150


def test_an_answer_says_how_long_it_took(service: Service) -> None:
    headers = service.ask("ASK {} # timed")[1]
    assert float(headers["server-timing"].removeprefix("total;dur=")) > 0


def test_a_stop_lets_answers_end(tmp_path: Path) -> None:
    data = tmp_path / "data.nt"
    data.write_text("".join(f'<http://e/s{row}> <http://e/p> "{row}" .\n' for row in range(180)))
    with running(tmp_path, "--data", str(data)) as service:
        answers: list[list[dict[str, str]]] = []
        thread = threading.Thread(target=lambda: answers.append(service.rows(SLOW)))
        thread.start()
        assert wait_for(lambda: samples(service)["compute_atlas_running_jobs", "slow"] == 1)
        service.process.send_signal(signal.SIGTERM)
        thread.join()
        assert answers == [[{"n": str(180**3)}]]
