"""Fork workers from the process that holds the graph, and know how each of them ended."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import time
import traceback
from collections import OrderedDict
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from compute_atlas.queries import worker
from compute_atlas.queries.channel import CLIENT_PREFIX
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.frames import HAND_OVER, LOST, PERHAPS_LOST, encode_reply
from compute_atlas.queries.slots import Running, Slots
from compute_atlas.queries.worker import Tier

REMEMBERED_OUTCOMES = 2000
# A worker's own alarm is exact; this is for one that cannot even die of that.
_GRACE_S = 0.25
# On a loaded machine it takes a job long to use its processor time up. Small ones would have to wait: it is
# moved before, if it has had enough to show that it is none of them.
_LONGEST_FAST_S, _LEAST_CPU_S = 0.1, 0.01
# The clock of the processor time of another process (see clock_getcpuclockid in glibc).
_CPU_CLOCK = 2
# Web processes come first, or a health check would wait for queries; then small queries, then large ones.
_FAST_NICE, _SLOW_NICE = 5, 15
_CAUSES = {
    signal.SIGALRM: "timeout",
    signal.SIGPROF: "hand_over",
    signal.SIGABRT: "memory",  # how Rust ends when an allocation fails
    signal.SIGSEGV: "stack",
    signal.SIGBUS: "stack",
}


@dataclass(frozen=True)
class Limits:
    """How many workers there are and what a job may use."""

    fast_workers: int = 4
    slow_workers: int = 2
    hand_over_ms: int = 30
    held_back_bytes: int = 1 << 20
    slow_queue: int = 6
    memory_mib: int = 1024


@dataclass
class Pool:
    """The workers of both tiers. Its process must have a single thread: a fork copies only one."""

    folder: Path
    limits: Limits
    dataset: Dataset | None = None
    deaths: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        limits = self.limits
        fast = Tier("fast", _FAST_NICE, limits.hand_over_ms, limits.held_back_bytes)
        self._rows = [fast] * limits.fast_workers + [Tier("slow", _SLOW_NICE)] * limits.slow_workers
        self._slots = Slots(len(self._rows))
        self._pids: dict[int, int] = {}
        self._outcomes: OrderedDict[str, str] = OrderedDict()
        self._sockets = {
            "fast": _bind(self.folder / "fast", socket.SOCK_DGRAM),
            "slow": _bind(self.folder / "slow", socket.SOCK_STREAM),
        }
        # The kernel keeps the queue and refuses jobs beyond.
        self._sockets["slow"].listen(limits.slow_queue)

    def start(self, dataset: Dataset) -> None:
        """Fork all workers, which share the dataset's memory."""
        self.dataset = dataset
        gc.collect()
        gc.freeze()  # or the first collection in a worker would touch, and so copy, every page
        for row in range(len(self._rows)):
            self._fork(row)

    def reap(self, pid: int, status: int) -> None:
        """Note how a worker ended and replace it."""
        row = self._pids.pop(pid)
        cause = _cause(status)
        running = self._slots.running(row)
        if running:
            self._note_outcome(running, cause)
        elif cause:
            tell_all_clients(self.folder)  # it may have taken a job and had no time to note it
        if cause:
            self.deaths[cause] = self.deaths.get(cause, 0) + 1
        self._slots.clear(row)
        self._fork(row)

    def outcome(self, job_id: str) -> str | None:
        """Return how the worker ended that had the job, None if it has not ended."""
        return self._outcomes.pop(job_id, None)

    def running(self) -> list[tuple[str, Running]]:
        """Return the jobs in hand, each with the name of its tier."""
        rows = ((tier.name, self._slots.running(row)) for row, tier in enumerate(self._rows))
        return [(name, running) for name, running in rows if running and running.id]

    def cancel(self, job_id: str) -> bool:
        """Kill the workers that have the job; False if there are none."""
        rows = [row for row in self._pids.values() if self._has_job(row, job_id)]
        if rows:
            self._outcomes[job_id] = "cancelled"
        self._kill(rows)
        return bool(rows)

    def kill_overdue(self) -> None:
        """Kill workers that are past the deadline of their job, or too long at one for the slow tier."""
        now = time.monotonic()
        for pid, row in self._pids.items():
            job = self._slots.running(row)
            if job and job.deadline + _GRACE_S < now:
                os.kill(pid, signal.SIGKILL)
            elif job and job.client and now - job.started > _LONGEST_FAST_S and _is_working(pid, job):
                os.kill(pid, signal.SIGPROF)

    def counters(self) -> dict[str, float]:
        """Return what all workers have done since the start, and how many of them died of what."""
        counts = [(tier.name, self._slots.counts(row)) for row, tier in enumerate(self._rows)]
        totals: dict[str, float] = {}
        for name, count in counts:
            for what, amount in (
                ("jobs", count.jobs),
                ("bytes", count.bytes_sent),
                ("seconds", count.busy_s),
            ):
                totals[f"{name}_{what}"] = totals.get(f"{name}_{what}", 0) + amount
        return totals | {f"deaths_{cause}": number for cause, number in sorted(self.deaths.items())}

    def stop(self) -> None:
        """Kill all workers and wait for them."""
        pids = list(self._pids)
        self._kill(list(self._pids.values()))
        self._pids.clear()
        for pid in pids:
            os.waitpid(pid, 0)
        for listening in self._sockets.values():
            listening.close()

    def _note_outcome(self, running: Running, cause: str) -> None:
        """Tell the client of a fast worker; that of a slow one will ask when its connection ends."""
        cause = self._outcomes.setdefault(running.id, cause)
        while len(self._outcomes) > REMEMBERED_OUTCOMES:
            self._outcomes.popitem(last=False)
        if running.client:
            del self._outcomes[running.id]
            kind = HAND_OVER if cause == "hand_over" else LOST
            self._tell(running.client, encode_reply(kind, running.number, cause.encode()))

    def _tell(self, client: str, message: bytes) -> None:
        with suppress(OSError):  # it has gone, or reads nothing
            self._sockets["fast"].sendto(message, socket.MSG_DONTWAIT, str(self.folder / client))

    def _has_job(self, row: int, job_id: str) -> bool:
        running = self._slots.running(row)
        return running is not None and running.id == job_id

    def _kill(self, rows: list[int]) -> None:
        for pid, row in self._pids.items():
            if row in rows:
                os.kill(pid, signal.SIGKILL)

    def _fork(self, row: int) -> None:
        assert self.dataset is not None
        owner = os.getpid()
        sys.stderr.flush()
        pid = os.fork()
        if pid:
            self._pids[pid] = row
            return
        try:
            worker.die_with_parent(owner)
            tier = self._rows[row]
            worker.run(self._sockets[tier.name], self.dataset, tier, self._slots, row, self.limits.memory_mib)
        finally:  # a forked child must never return into its parent's code
            traceback.print_exc()
            os._exit(1)


def _is_working(pid: int, job: Running) -> bool:
    with suppress(OSError):
        return time.clock_gettime(~pid << 3 | _CPU_CLOCK) - job.cpu_started > _LEAST_CPU_S
    return False


def tell_all_clients(folder: Path) -> None:
    """Make every client of the fast workers in a folder ask again that waits for an answer."""
    message = encode_reply(PERHAPS_LOST, time.monotonic_ns())
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as own:
        for path in folder.glob(f"{CLIENT_PREFIX}*"):
            with suppress(OSError):  # it has gone, or reads nothing
                own.sendto(message, socket.MSG_DONTWAIT, str(path))


def _cause(status: int) -> str:
    """Return the word for how a process ended, an empty one if it ended as planned."""
    if os.WIFSIGNALED(status):
        return _CAUSES.get(signal.Signals(os.WTERMSIG(status)), "killed")
    return "crash" if os.WEXITSTATUS(status) else ""


def _bind(path: Path, kind: socket.SocketKind) -> socket.socket:
    path.unlink(missing_ok=True)
    bound = socket.socket(socket.AF_UNIX, kind)
    bound.bind(str(path))
    return bound
