"""Run `compute-atlas serve` for a test and look at its processes."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

COMMAND = str(Path(sys.executable).with_name("compute-atlas"))
START_LIMIT_S = 20.0
STOP_LIMIT_S = 10.0


@dataclass
class Service:
    """A running service: its address, its process, what it writes to stderr."""

    port: int
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def url(self) -> str:
        """Return the address without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    def request(
        self, method: str, path: str, body: bytes | None = None, timeout_s: float = 30, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers by lower-case name and body; `_` in a header's name stands for `-`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        with contextlib.closing(connection):
            fields = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, fields)
            response = connection.getresponse()
            return (
                response.status,
                {key.lower(): value for key, value in response.getheaders()},
                response.read(),
            )

    def ask(self, query: str, **parameters: str) -> tuple[int, dict[str, str], bytes]:
        """Return the answer of a query by GET."""
        return self.request("GET", "/sparql?" + urlencode({"query": query, **parameters}))

    def rows(self, query: str, **parameters: str) -> list[dict[str, str]]:
        """Return the rows of a SELECT with values as text."""
        status, _, body = self.ask(query, **parameters)
        assert status == 200, body
        bindings = json.loads(body)["results"]["bindings"]
        return [{name: term["value"] for name, term in row.items()} for row in bindings]

    def query_workers(self) -> list[int]:
        """Return the processes that evaluate queries."""
        return [worker for keeper in self.keepers() for worker in children(keeper)]

    def keepers(self) -> list[int]:
        """Return the processes that hold a graph."""
        return [
            pid for pid in children(self.process.pid) if b"compute_atlas.server.web" not in command_line(pid)
        ]

    def web_server(self) -> int:
        """Return the process that owns the web workers, 0 while there is none."""
        processes = children(self.process.pid)
        return next((pid for pid in processes if b"compute_atlas.server.web" in command_line(pid)), 0)

    def family(self) -> set[int]:
        """Return all processes of the service."""
        return family(self.process.pid)


@contextlib.contextmanager
def running(folder: Path, *options: str, **environment: str) -> Iterator[Service]:
    """Start the service, wait until it is ready, end it afterwards; nothing of it may be left."""
    port = free_port()
    log = folder / f"serve-{port}.log"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [COMMAND, "serve", "--port", str(port), *options],
            stderr=stderr,
            env=os.environ | environment,
            start_new_session=True,
        )
    service = Service(port, process, log)
    try:
        wait_until_ready(service)
        yield service
    finally:
        members = service.family()
        process.send_signal(signal.SIGTERM)
        process.wait(STOP_LIMIT_S)
        left = wait_for(lambda: not alive(members))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert left, "the service left processes behind"


def wait_until_ready(service: Service) -> None:
    """Wait for /health/ready to say so."""

    def is_ready() -> bool:
        assert service.process.poll() is None, service.log.read_text()
        with contextlib.suppress(OSError, http.client.HTTPException):
            return service.request("GET", "/health/ready")[0] == 200
        return False

    assert wait_for(is_ready, START_LIMIT_S), service.log.read_text()


def wait_for(condition: object, limit_s: float = 5.0) -> bool:
    """Return whether the condition came true in time."""
    assert callable(condition)
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.01)
    return bool(condition())


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def children(pid: int) -> list[int]:
    """Return the children of a process."""
    with contextlib.suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def family(pid: int) -> set[int]:
    """Return a process and all its descendants."""
    return {pid}.union(*(family(child) for child in children(pid)))


def alive(pids: set[int]) -> set[int]:
    """Return those of the processes that still run."""
    return {pid for pid in pids if _state(pid) not in ("", "Z")}


def command_line(pid: int) -> bytes:
    """Return the arguments of a process, none if it has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def cpu_s(pids: set[int]) -> float:
    """Return the processor time that the processes have used."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def rss_mib(pids: set[int]) -> float:
    """Return the memory of the processes, shared pages counted in each."""
    pages = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def _state(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return ""
