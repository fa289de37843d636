"""Query workers: limits of time and memory, hand-over, cancelling, and what is left when something dies."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from compute_atlas.queries.client import Workers
from compute_atlas.queries.errors import ServiceForbidden
from compute_atlas.queries.frames import Job

from tests.serving import Service, alive, children, cpu_s, rss_mib, running, wait_for

CROSS = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i"
COUNT = f"SELECT (COUNT(*) AS ?n) WHERE {{ {CROSS} }}"
STREAM = f"SELECT * WHERE {{ {CROSS} }}"
SORT = f"SELECT * WHERE {{ {CROSS} }} ORDER BY ?c ?f ?i"
WITHIN_S = 0.05


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service on 1,000 triples with a limit of 10 s and little memory."""
    folder = tmp_path_factory.mktemp("workers")
    data = folder / "data.nt"
    data.write_text("".join(f'<http://e/s{i}> <http://e/p> "{i}" .\n' for i in range(1000)))
    variables = {"COMPUTE_ATLAS_MEMORY_MIB": "256", "COMPUTE_ATLAS_OPERATOR_TOKEN": "secret"}
    with running(folder, "--data", str(data), "--timeout", "10", **variables) as service:
        yield service


@pytest.fixture
def calm(service: Service) -> Iterator[Service]:
    """The service, with no query running before and after the test."""
    yield service
    assert wait_for(
        lambda: json.loads(service.request("GET", "/running", Authorization="Bearer secret")[2]) == []
    )


def test_a_runaway_query_ends_at_its_limit_and_leaves_nothing_running(calm: Service) -> None:
    started = time.monotonic()
    status, headers, body = calm.ask(COUNT, timeout="0.6")
    took_s = time.monotonic() - started
    assert status == 503
    assert "timeout" in json.loads(body)["detail"]
    assert "0.6 s" in json.loads(body)["detail"]
    assert headers["retry-after"] == "1"
    assert took_s < 0.6 + WITHIN_S
    started = time.monotonic()
    assert calm.ask("ASK {}")[0] == 200
    assert time.monotonic() - started < 0.02
    used_s = cpu_s(calm.family())
    time.sleep(0.5)
    assert cpu_s(calm.family()) - used_s < 0.1


def test_a_slow_query_is_handed_over_and_still_right(calm: Service) -> None:
    query = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f FILTER(STRLEN(CONCAT(?c, ?f)) = 2) }"
    started = time.monotonic()
    assert calm.rows(query) == [{"n": "100"}]
    assert time.monotonic() - started > 0.1, "too quick to have been handed over: make the query larger"


def test_a_large_answer_is_complete(calm: Service) -> None:
    _, headers, body = calm.ask("SELECT * WHERE { ?a ?b ?c . ?d ?e ?f } LIMIT 30000", format="csv")
    assert body.count(b"\r\n") == 30_001
    assert "content-length" not in headers


def test_an_answer_cut_at_the_limit_never_looks_whole(calm: Service) -> None:
    with pytest.raises(http.client.IncompleteRead):
        calm.ask(STREAM, timeout="0.5")
    with pytest.raises(http.client.IncompleteRead):
        calm.request(
            "GET", "/sparql?" + urlencode({"query": STREAM, "timeout": "0.5"}), Accept_Encoding="gzip"
        )


def test_a_query_that_wants_too_much_memory_is_told_so(calm: Service) -> None:
    status, _, body = calm.ask(SORT)
    assert status == 503
    assert "256 MiB of memory" in json.loads(body)["detail"]


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("SELECT (1" + "+1" * 40_000 + " AS ?x) {}", id="terms"),
        pytest.param("SELECT * { ?s " + "!" * 1 + "(" * 300 + "<a:a>" + ")" * 300 + " ?o }", id="path"),
    ],
)
def test_a_query_the_engine_cannot_hold_does_no_harm(calm: Service, query: str) -> None:
    answer = calm.request("POST", "/sparql", query.encode(), Content_Type="application/sparql-query")
    assert answer[0] in (200, 400)
    assert calm.ask("ASK {}")[0] == 200


def test_a_running_query_is_listed_and_can_be_stopped(calm: Service) -> None:
    answers: list[tuple[int, dict[str, str], bytes]] = []
    path = "/sparql?" + urlencode({"query": COUNT})
    thread = threading.Thread(
        target=lambda: answers.append(calm.request("GET", path, Atlas_Query_Id="my.query"))
    )
    thread.start()

    def listed() -> list[dict[str, object]]:
        found: list[dict[str, object]] = json.loads(
            calm.request("GET", "/running", Authorization="Bearer secret")[2]
        )
        return [entry for entry in found if entry["tier"] == "slow"]

    assert wait_for(lambda: [entry["id"] for entry in listed()] == ["my.query"])
    assert listed()[0]["query"] == COUNT
    assert calm.request("DELETE", "/running/my.query")[0] == 204
    thread.join(2)
    [(status, _, body)] = answers
    assert (status, "stopped by a DELETE" in json.loads(body)["detail"]) == (503, True)


def test_a_client_that_hangs_up_stops_its_query(calm: Service) -> None:
    with socket.create_connection(("127.0.0.1", calm.port)) as client:
        client.sendall(f"GET /sparql?{urlencode({'query': STREAM})} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert client.recv(100).startswith(b"HTTP/1.1 200")


def test_small_queries_do_not_wait_for_many_large_ones(calm: Service) -> None:
    statuses: list[int] = []
    queries = [f"{COUNT} # {number}" for number in range(16)]
    threads = [
        threading.Thread(target=lambda query=query: statuses.append(calm.ask(query, timeout="2")[0]))
        for query in queries
    ]
    for thread in threads:
        thread.start()

    def tiers() -> set[object]:
        answer = calm.request("GET", "/running", Authorization="Bearer secret")[2]
        return {entry["tier"] for entry in json.loads(answer)}

    assert wait_for(lambda: tiers() == {"slow"}), "each of them has its turn in a fast worker"
    started = time.monotonic()
    assert calm.ask("ASK {}")[0] == 200
    assert time.monotonic() - started < 0.25
    for thread in threads:
        thread.join(5)
    assert statuses == [503] * 16


def test_slow_uploads_do_not_take_every_thread(calm: Service) -> None:
    head = b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\nContent-Length: 1000\r\n\r\nSEL"
    clients = [socket.create_connection(("127.0.0.1", calm.port)) for _ in range(80)]
    for client in clients:
        client.sendall(head)
    try:
        assert calm.request("GET", "/health/live", timeout_s=2)[0] == 200
        assert calm.ask("ASK {}")[0] == 200
    finally:
        for client in clients:
            client.close()


@pytest.mark.parametrize("silent", ["", "SILENT"])
def test_a_query_past_the_check_for_service_still_calls_nobody(calm: Service, silent: str) -> None:
    variables = Path(f"/proc/{calm.web_server()}/environ").read_bytes().split(b"\0")
    [folder] = [value.partition(b"=")[2].decode() for value in variables if b"SOCKET_DIR=" in value]
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.settimeout(0.2)
        text = f"SELECT * {{ SERVICE {silent} <http://127.0.0.1:{other.getsockname()[1]}/> {{ ?s ?p ?o }} }}"
        payload: dict[str, Any] = {
            "text": text,
            "base": None,
            "prefixes": [],
            "default_graphs": None,
            "named_graphs": None,
        }
        with contextlib.suppress(ServiceForbidden):
            list(Workers(Path(folder, "1")).run(Job("query", payload | {"format": "json"}, "past", 5.0)))
            assert silent, "without SILENT it is an error"
        with pytest.raises(TimeoutError):
            other.accept()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_killed_query_workers_are_replaced(calm: Service, number: signal.Signals) -> None:
    before = set(calm.query_workers())
    for pid in before:
        os.kill(pid, number)
    assert wait_for(
        lambda: not before & set(calm.query_workers()) and len(calm.query_workers()) == len(before)
    )
    assert calm.ask("ASK {}")[0] == 200


def test_no_query_worker_can_call_out_or_holds_the_listening_socket(calm: Service) -> None:
    for pid in calm.query_workers():
        files = sorted(int(entry.name) for entry in Path(f"/proc/{pid}/fd").iterdir())
        limits = Path(f"/proc/{pid}/limits").read_text()
        [most_files] = [int(line.split()[3]) for line in limits.splitlines() if "open files" in line]
        assert len(files) <= most_files <= 5


def test_a_killed_web_worker_costs_its_connections_only(calm: Service) -> None:
    victim = children(calm.web_server())[0]
    os.kill(victim, signal.SIGKILL)
    assert wait_for(
        lambda: len(children(calm.web_server())) == 2 and victim not in children(calm.web_server())
    )
    assert wait_for(lambda: calm.ask("ASK {}")[0] == 200)


def test_a_killed_web_server_is_started_again(calm: Service) -> None:
    web = calm.web_server()
    time.sleep(max(0.0, 2.1 - (time.time() - Path(f"/proc/{web}").stat().st_ctime)))
    os.kill(web, signal.SIGKILL)
    assert wait_for(lambda: calm.web_server() not in (0, web))

    def answers() -> bool:
        try:
            return calm.ask("ASK {}")[0] == 200
        except OSError:
            return False

    assert wait_for(answers)


def test_memory_comes_back_after_large_answers(calm: Service) -> None:
    query = "SELECT * WHERE { ?a ?b ?c . ?d ?e ?f } LIMIT 200000"
    calm.ask(query)
    before = rss_mib(calm.family())
    for _ in range(5):
        calm.ask(query)
    assert rss_mib(calm.family()) < before * 1.2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_whatever_ends_the_service(tmp_path: Path, number: signal.Signals) -> None:
    data = tmp_path / "data.nt"
    data.write_text('<http://e/s> <http://e/p> "1" .\n' * 1)
    with running(tmp_path, "--data", str(data)) as service:
        members = service.family()
        assert len(members) >= 8
        service.process.send_signal(number)
        code = service.process.wait(10)
        assert code == (-signal.SIGKILL if number == signal.SIGKILL else 0)
        assert wait_for(lambda: not alive(members))


def test_no_small_query_fails_however_many_ask_at_once(calm: Service) -> None:
    statuses: list[int] = []

    def ask(client: int) -> None:
        for number in range(15):
            statuses.append(calm.ask(f"ASK {{ ?s ?p '{number}' }} # {client}.{number}")[0])

    threads = [threading.Thread(target=ask, args=(client,)) for client in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 64 * 15
