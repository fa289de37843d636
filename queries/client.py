"""Ask the workers from any thread of any process: first the fast ones, then the slow ones."""

from __future__ import annotations

import json
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore
from typing import Any

from compute_atlas.graph.errors import AtlasError
from compute_atlas.queries.channel import (
    LARGEST_JOB_BYTES,
    Channel,
    FastWorkerLost,
    HandedOver,
    limit_waiting,
)
from compute_atlas.queries.errors import (
    EngineFault,
    OutOfMemory,
    QueryCancelled,
    QueryTooComplex,
    QueryTooSlow,
    ServiceUnavailable,
    TooBusy,
    WorkerLost,
    from_wire,
)
from compute_atlas.queries.frames import (
    DATA,
    END,
    ERROR,
    ConnectionLost,
    Job,
    encode_job,
    encode_task,
    receive_frames,
    send_job,
)

HELD_BACK_BYTES = 1 << 20
_REMEMBERED_SLOW_TASKS = 512
_SLOW_FOR_S = 60.0
_FAST_ATTEMPTS = 2
_OWNER_WAIT_S = 2.0
# Whoever is killed from outside, or has gone, is replaced; the job is tried again.
_NO_FAULT = ("", "killed")
# Small jobs give their places back many times in this; a thread that waited longer would be missed elsewhere.
_PLACE_WAIT_S = 0.02
# The worker's alarm comes first; this is for a job that still waits in the queue.
_GRACE_S = 0.02
# An outcome is known as soon as the owner has reaped the worker, usually within a millisecond.
_OUTCOME_WAITS_S = (0.0, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)

Chunks = Iterable[bytes]


class Workers:
    """The way to the workers whose sockets lie in a folder, for `places` jobs at a time."""

    def __init__(
        self,
        folder: Path,
        *,
        memory_mib: int = 1024,
        held_back_bytes: int = HELD_BACK_BYTES,
        places: int = 32,
        most_wait_s: float = 2.0,
    ) -> None:
        self.folder, self._memory_mib, self._held_back_bytes = folder, memory_mib, held_back_bytes
        self._most_wait_s = most_wait_s
        self._slow_tasks: OrderedDict[bytes, float] = OrderedDict()
        # Whoever waits for a slow worker holds a thread: half of them are left for small jobs.
        self._slow_places = BoundedSemaphore(max(1, places // 2))
        self._channels: SimpleQueue[Channel] = SimpleQueue()
        for _ in range(places):
            self._channels.put(Channel(folder, most_wait_s))

    def run(self, job: Job) -> Chunks:
        """Return the answer: a list if it is complete, else an iterator whose first MiB is there already.

        Raises what the job raises, QueryTooSlow, OutOfMemory, TooBusy, QueryCancelled, WorkerLost. The
        iterator raises the same if the rest fails, and has a `close` that ends the job.
        """
        deadline = time.monotonic() + job.limit_s
        try:
            channel = self._channels.get(timeout=_PLACE_WAIT_S)
        except Empty:
            raise TooBusy from None
        try:
            task = encode_task(job)
            answer = None if self._is_slow(task) else self._run_fast(channel, job, task, deadline)
            return self._held_back(self._run_slow(job, task, deadline)) if answer is None else [answer]
        finally:
            self._channels.put(channel)

    def ask_owner(self, **question: str) -> Any:
        """Return what `ask_owner` does for the owner of these workers."""
        return ask_owner(self.folder, **question)

    def _run_fast(self, channel: Channel, job: Job, task: bytes, deadline: float) -> bytes | None:
        """Return the complete answer, None if the job is one for the slow workers."""
        for _ in range(_FAST_ATTEMPTS):
            try:
                return channel.ask(job, task, deadline)
            except HandedOver:
                self._remember_slow(task)
                return None
            except FastWorkerLost as lost:
                if lost.cause not in _NO_FAULT:
                    raise self._error(lost.cause, job) from None
        return None

    def _run_slow(self, job: Job, task: bytes, deadline: float) -> Generator[bytes, None, None]:
        """Yield what a slow worker writes. Raises what the job raises and how the worker ended."""
        with closing(self._connect(job, task, deadline)) as connection:
            try:
                yield from _chunks(connection, deadline)
            except (ConnectionLost, ConnectionError):
                raise self._error(self._outcome(job), job) from None
            except TimeoutError:
                raise QueryTooSlow(job.limit_s) from None

    def _held_back(self, chunks: Generator[bytes, None, None]) -> Chunks:
        held = bytearray()
        for chunk in chunks:
            held += chunk
            if len(held) >= self._held_back_bytes:
                return Rest(bytes(held), chunks)
        return [bytes(held)]

    def _connect(self, job: Job, task: bytes, deadline: float) -> socket.socket:
        if not self._slow_places.acquire(blocking=False):
            raise TooBusy
        connection = socket.socket(socket.AF_UNIX)
        try:
            limit_waiting(connection, socket.SO_SNDTIMEO, min(self._most_wait_s, deadline - time.monotonic()))
            connection.connect(str(self.folder / "slow"))
            connection.settimeout(max(0.001, deadline - time.monotonic()) + _GRACE_S)
            send_job(connection, encode_job(job, task, deadline))
        except BlockingIOError:
            connection.close()
            raise QueryTooSlow(job.limit_s) if time.monotonic() > deadline else TooBusy() from None
        except OSError:
            connection.close()
            raise ServiceUnavailable from None
        finally:
            self._slow_places.release()
        return connection

    def _outcome(self, job: Job) -> str:
        for wait_s in _OUTCOME_WAITS_S:
            time.sleep(wait_s)
            outcome = self.ask_owner(ask="outcome", id=job.id)
            if outcome is not None:
                return str(outcome)
        return ""

    def _error(self, outcome: str, job: Job) -> AtlasError:
        errors: dict[str, Callable[[], AtlasError]] = {
            "timeout": lambda: QueryTooSlow(job.limit_s),
            "memory": lambda: OutOfMemory(self._memory_mib),
            "stack": QueryTooComplex,
            "cancelled": lambda: QueryCancelled(job.id),
            "crash": lambda: EngineFault("a query worker failed; its traceback is in the log"),
        }
        return errors.get(outcome, WorkerLost)()

    def _is_slow(self, task: bytes) -> bool:
        """Say whether this is no job for a fast worker: too long for its socket, or given up lately."""
        if len(task) > LARGEST_JOB_BYTES:
            return True
        given_up = self._slow_tasks.get(task) if self._slow_tasks else None
        return given_up is not None and time.monotonic() - given_up < _SLOW_FOR_S

    def _remember_slow(self, task: bytes) -> None:
        self._slow_tasks[task] = time.monotonic()
        while len(self._slow_tasks) > _REMEMBERED_SLOW_TASKS:
            self._slow_tasks.popitem(last=False)


def ask_owner(folder: Path, **question: str) -> Any:
    """Return an owner's answer: ask=about, running, counters, or cancel and outcome with an id.

    Raises ServiceUnavailable if it does not answer.
    """
    try:
        with closing(socket.socket(socket.AF_UNIX)) as connection:
            connection.settimeout(_OWNER_WAIT_S)
            connection.connect(str(folder / "owner"))
            connection.sendall(json.dumps(question).encode())
            received = b"".join(iter(lambda: connection.recv(65536), b""))
            return json.loads(received)
    except (OSError, ValueError):
        raise ServiceUnavailable from None


class Rest:
    """The first part of a long answer and an iterator of the rest."""

    def __init__(self, first: bytes, rest: Generator[bytes, None, None]) -> None:
        self._first: bytes | None = first
        self._rest = rest

    def __iter__(self) -> Rest:
        return self

    def __next__(self) -> bytes:
        if self._first is not None:
            first, self._first = self._first, None
            return first
        return next(self._rest)

    def close(self) -> None:
        """Hang up: the worker stops at its next write."""
        self._rest.close()


def _chunks(connection: socket.socket, deadline: float) -> Generator[bytes, None, None]:
    for kind, payload in receive_frames(connection):
        if kind == DATA:
            yield payload
        elif kind == ERROR:
            raise from_wire(json.loads(payload))
        elif kind == END:
            return
        connection.settimeout(max(0.001, deadline - time.monotonic()) + _GRACE_S)
