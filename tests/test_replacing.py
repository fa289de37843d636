"""A new graph without a restart: every answer is from one graph, none fails, a broken one changes nothing."""

from __future__ import annotations

import itertools
import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving import Service, alive, children, running, wait_for

TIMES = 50
ROWS = 200
CLIENTS = 4
VERSIONS = "SELECT ?v (COUNT(*) AS ?n) { ?s <http://e/v> ?v } GROUP BY ?v"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The file that is served, with version 0."""
    path = tmp_path / "data.nt"
    write_version(path, 0)
    return path


@pytest.fixture
def service(tmp_path: Path, data: Path) -> Iterator[Service]:
    """A service on the file."""
    with running(tmp_path, "--data", str(data)) as service:
        yield service


def write_version(path: Path, version: int) -> None:
    """Put rows that all name the version into the file, all at once."""
    new = path.with_suffix(".new.nt")
    new.write_text("".join(f'<http://e/s{row}> <http://e/v> "{version}" .\n' for row in range(ROWS)))
    new.rename(path)


def replace(service: Service) -> None:
    """Tell the service that there is a new graph."""
    os.kill(service.process.pid, signal.SIGHUP)


def served_version(service: Service) -> int:
    """Return the version that an answer is from, which must be from one alone."""
    [row] = service.rows(VERSIONS)
    assert row["n"] == str(ROWS)
    return int(row["v"])


class Asking:
    """A client that asks the same and new queries in turn and notes each answer with the graph it names."""

    def __init__(self, service: Service) -> None:
        self.seen: set[tuple[str, str]] = set()
        self.faults: list[object] = []
        self.asked = 0
        self.is_done = threading.Event()
        self._service = service
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()

    def _ask(self) -> None:
        for number in itertools.count():
            if self.is_done.is_set():
                return
            query = VERSIONS if number % 2 else f"{VERSIONS} # {id(self)} {number}"
            status, headers, body = self._service.ask(query)
            rows = json.loads(body)["results"]["bindings"] if status == 200 else []
            if [row["n"]["value"] for row in rows] != [str(ROWS)]:
                self.faults.append((status, body))
            else:
                self.seen.add((headers["atlas-graph"], rows[0]["v"]["value"]))
            self.asked += 1
            time.sleep(0.001)

    def end(self) -> None:
        """Stop asking."""
        self.is_done.set()
        self._thread.join()


def test_replacing_the_graph_under_load(service: Service, data: Path) -> None:
    clients = [Asking(service) for _ in range(CLIENTS)]
    for version in range(1, TIMES + 1):
        write_version(data, version)
        replace(service)
        assert wait_for(lambda wanted=version: served_version(service) == wanted)
    for client in clients:
        client.end()
    assert [fault for client in clients for fault in client.faults] == []
    seen = set().union(*(client.seen for client in clients))
    assert len(seen) == len({graph for graph, _ in seen}) == len({version for _, version in seen})
    assert len(seen) > TIMES // 2, "the clients were too slow to see the graphs change"
    assert wait_for(lambda: len(service.keepers()) == 1), "a graph that nobody asks is given up"


def test_a_long_query_ends_on_the_graph_it_began_with(service: Service, data: Path) -> None:
    slow = "SELECT ?v (COUNT(*) AS ?n) { ?s <http://e/v> ?v . ?a ?b ?c . ?d ?e ?f } GROUP BY ?v"
    answers: list[list[dict[str, str]]] = []
    thread = threading.Thread(target=lambda: answers.append(service.rows(slow)))
    thread.start()
    time.sleep(0.1)
    write_version(data, 1)
    replace(service)
    assert wait_for(lambda: served_version(service) == 1)
    thread.join()
    assert answers == [[{"v": "0", "n": str(ROWS**3)}]]


def test_a_broken_graph_is_refused(service: Service, data: Path) -> None:
    whole = data.read_text()
    data.write_text("<http://e/s> <http://e/v> ")
    replace(service)
    assert wait_for(lambda: "the graph was not replaced: " in service.log.read_text())
    assert "data.nt" in service.log.read_text()
    assert served_version(service) == 0
    data.write_text(whole.replace('"0"', '"2"'))
    replace(service)
    assert wait_for(lambda: served_version(service) == 2)


def test_the_same_answer_has_a_new_tag_after_the_graph_changed(service: Service, data: Path) -> None:
    path = "/rdf-graph-store?default"
    tag = service.request("GET", path)[1]["etag"]
    assert service.request("GET", path, If_None_Match=tag)[0] == 304
    write_version(data, 1)
    replace(service)
    assert wait_for(lambda: served_version(service) == 1)
    status, headers, body = service.request("GET", path, If_None_Match=tag)
    assert status == 200
    assert headers["etag"] != tag
    assert b'"1"' in body


def test_names_follow_the_graph(service: Service, data: Path) -> None:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"

    def found(name: str) -> int:
        return int(json.loads(service.request("GET", f"/lookup?q={name}&lang=en")[2])["total"])

    assert found("beaver") == 0
    data.write_text(f'<http://e/beaver> {label} "beaver"@en .\n')
    replace(service)
    assert wait_for(lambda: found("beaver") == 1)


def test_a_killed_process_with_the_graph_is_replaced(service: Service) -> None:
    [keeper] = service.keepers()
    workers = set(children(keeper))
    os.kill(keeper, signal.SIGKILL)
    assert wait_for(lambda: not alive(workers))
    assert wait_for(lambda: service.ask(VERSIONS + " # again")[0] == 200)
