"""Compare the service over HTTP with `oxigraph serve` and rdflib-endpoint, side by side on this machine.

Every round starts each service anew and asks it the same queries with wrk, so the ratios compare what ran
next to each other; absolute numbers move with the machine. Needs wrk, and the workload in ../shared/bench.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
WORKLOAD = ROOT.parent / "shared" / "bench"
CONCURRENCY = (8, 64)
OURS, OXIGRAPH, RDFLIB = "compute-atlas", "oxigraph", "rdflib-endpoint"
START_LIMIT_S = 60.0


@dataclass(frozen=True)
class Peer:
    """A service to measure: how it is started (`{port}`, `{file}`) and where its endpoint is."""

    name: str
    command: tuple[str, ...]
    endpoint: str
    loads_over_http: bool = False


@dataclass(frozen=True)
class Measure:
    """What wrk saw in one run."""

    peer: str
    is_distinct: bool
    concurrency: int
    per_s: float
    p99_ms: float
    failed: int


@dataclass(frozen=True)
class Download:
    """One answer of 100,000 rows: when its first and last byte came, and memory while it was read slowly."""

    first_byte_s: float
    total_s: float
    memory_mib: float


def main() -> int:
    """Measure and print; 2 if something that is needed is missing."""
    options = _read_options()
    if shutil.which("wrk") is None:
        return _missing("wrk", "install the Debian package wrk")
    if not WORKLOAD.is_dir():
        return _missing(str(WORKLOAD), "the workload and its data generator lie there")
    workload = _module(WORKLOAD / "workload.py")
    peers = _peers(Path(options.peers))
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        small, large = Path(folder, "small.nt"), Path(folder, "100k.nt")
        for scale, file in (("small", small), ("100k", large)):
            subprocess.run(
                [sys.executable, WORKLOAD / "gen.py", scale, file], check=True, stdout=subprocess.DEVNULL
            )
        queries = [workload.QUERIES[name] for name in workload.SMALL if "construct" not in name]
        measures = [
            measure
            for number in range(options.rounds)
            for peer in peers
            for measure in _round(peer, small, queries, options.seconds, Path(folder), number)
        ]
        _print_requests(measures)
        _print_downloads([peer for peer in peers if peer.name != RDFLIB], large, workload.BIG, options.rounds)
    return 0


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default=ROOT / ".venv-bench" / "bin", help="folder of the peers' commands")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2, help="of each run of wrk")
    return parser.parse_args()


def _peers(folder: Path) -> list[Peer]:
    own = Path(sys.executable).with_name("compute-atlas")
    return [
        Peer(OURS, (str(own), "serve", "--data", "{file}", "--port", "{port}"), "/sparql"),
        Peer(OXIGRAPH, (str(folder / "oxigraph"), "serve", "-b", "127.0.0.1:{port}"), "/query", True),
        Peer(
            RDFLIB,
            (str(folder / "rdflib-endpoint"), "serve", "--host", "127.0.0.1", "--port", "{port}", "{file}"),
            "/",
        ),
    ]


@contextlib.contextmanager
def _running(peer: Peer, file: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start the service on the data, yield its process and address, end it and all it started."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [part.format(port=port, file=file) for part in peer.command]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(process, port)
        if peer.loads_over_http:
            headers = {"Content-Type": "application/n-triples"}
            load = urllib.request.Request(f"{url}/store?default", file.read_bytes(), headers, method="POST")
            urllib.request.urlopen(load).close()
        _wait_for_answer(f"{url}{peer.endpoint}?query=" + urllib.parse.quote("ASK {}"))
        yield process, url
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise SystemExit(f"bench: {process.args!r} ended with exit code {process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2):
            return
        time.sleep(0.05)
    raise SystemExit(f"bench: {process.args!r} did not listen within {START_LIMIT_S:g} s")


def _wait_for_answer(url: str) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while True:
        try:
            urllib.request.urlopen(url).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _round(
    peer: Peer, file: Path, queries: Sequence[str], seconds: int, folder: Path, number: int
) -> Iterator[Measure]:
    paths = folder / f"{peer.name}.txt"
    paths.write_text("\n".join(f"{peer.endpoint}?query={urllib.parse.quote(query)}" for query in queries))
    with _running(peer, file) as (_, url):
        _wrk(url, paths, 8, 1, is_distinct=False)  # warm-up
        for is_distinct in (False, True):
            for concurrency in CONCURRENCY:
                found = _wrk(url, paths, concurrency, seconds, is_distinct=is_distinct)
                per_s, p99_ms, failed = found["per_s"], found["p99_ms"], int(found["failed"])
                yield Measure(peer.name, is_distinct, concurrency, per_s, p99_ms, failed)
                kind = "distinct" if is_distinct else "repeated"
                print(
                    f"round {number + 1} {peer.name} {kind} {concurrency}: {found}",
                    file=sys.stderr,
                    flush=True,
                )


def _wrk(url: str, paths: Path, concurrency: int, seconds: int, *, is_distinct: bool) -> dict[str, float]:
    script = Path(__file__).with_name("requests.lua")
    command: list[str | Path] = [
        "wrk",
        "-t",
        "1",
        "-c",
        str(concurrency),
        "-d",
        f"{seconds}s",
        "--timeout",
        "10s",
        "-s",
        script,
        url,
    ]
    environment = os.environ | {"PATHS": str(paths), "DISTINCT": str(int(is_distinct))}
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    line = next(line for line in shown.splitlines() if line.startswith("RESULT "))
    found: dict[str, float] = json.loads(line.removeprefix("RESULT "))
    return found


def _print_requests(measures: Sequence[Measure]) -> None:
    print(
        "| requests/s (median) | "
        + " | ".join(f"{kind}, {count} clients" for kind, count in _columns())
        + " |"
    )
    print("|---|" + "---|" * len(_columns()))
    for peer in (OURS, OXIGRAPH, RDFLIB):
        cells = [f"{_median(measures, peer, column):,.0f}" for column in _columns()]
        print(f"| {peer} | " + " | ".join(cells) + " |")
    for other in (OXIGRAPH, RDFLIB):
        ratios = [
            _median(measures, OURS, column) / max(_median(measures, other, column), 0.1)
            for column in _columns()
        ]
        print(f"| × {other} | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")
    failed = sum(measure.failed for measure in measures if measure.peer == OURS)
    print(f"\n{failed} failed requests of {OURS}")


def _columns() -> list[tuple[str, int]]:
    return [(kind, count) for kind in ("repeated", "distinct") for count in CONCURRENCY]


def _median(measures: Sequence[Measure], peer: str, column: tuple[str, int]) -> float:
    kind, concurrency = column
    return statistics.median(
        measure.per_s
        for measure in measures
        if (measure.peer, measure.concurrency) == (peer, concurrency)
        and measure.is_distinct == (kind == "distinct")
    )


def _print_downloads(peers: Sequence[Peer], file: Path, query: str, rounds: int) -> None:
    found: dict[str, list[Download]] = {peer.name: [] for peer in peers}
    for _ in range(rounds):
        for peer in peers:
            with _running(peer, file) as (process, url):
                address = f"{url}{peer.endpoint}?query={urllib.parse.quote(query)}"
                _download(address, process.pid)  # warm-up
                found[peer.name].append(_download(address, process.pid))
    print(
        "\n| 100,000 rows (median) | first byte ms | total ms | memory of a slow reader MiB |\n|---|---|---|---|"
    )
    for name, downloads in found.items():
        first, total, memory = (
            statistics.median(getattr(download, field) for download in downloads)
            for field in ("first_byte_s", "total_s", "memory_mib")
        )
        print(f"| {name} | {first * 1000:.1f} | {total * 1000:.0f} | {memory:.1f} |")


def _download(url: str, pid: int) -> Download:
    headers = {"Accept": "application/sparql-results+json"}
    before = _memory_mib(pid)
    started = time.monotonic()
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
        answer.read(1)
        first_byte_s = time.monotonic() - started
        while answer.read(1 << 20):
            pass
    total_s = time.monotonic() - started
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as slow:
        slow.read(1)
        time.sleep(0.3)
        memory_mib = _memory_mib(pid) - before
    return Download(first_byte_s, total_s, memory_mib)


def _memory_mib(root: int) -> float:
    """Return the proportional set size of a process and its descendants: shared pages count once."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    total, waiting = 0, [root]
    while waiting:
        pid = waiting.pop()
        waiting += children.get(pid, [])
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _missing(what: str, mend: str) -> int:
    print(f"bench: {what} is missing; {mend}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
