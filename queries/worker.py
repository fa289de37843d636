"""A process that takes jobs from a socket, one at a time, and that can be killed at any moment."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import socket
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from compute_atlas.graph.errors import AtlasError
from compute_atlas.queries.channel import LARGEST_JOB_BYTES, PIECE_BYTES
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.errors import OutOfMemory, to_wire
from compute_atlas.queries.frames import (
    DATA,
    END,
    ERROR,
    HAND_OVER,
    ConnectionLost,
    Job,
    decode_job,
    encode_frame,
    encode_reply,
    receive_job,
)
from compute_atlas.queries.jobs import JOBS
from compute_atlas.queries.slots import Running, Slots

# A worker whose memory has grown by this much ends after its job, and a fresh one takes its place.
LARGEST_GROWTH_KIB = 64 * 1024
_FRAME_BYTES = 1 << 16
_LARGEST_MESSAGE_BYTES = LARGEST_JOB_BYTES + 4096
_SOCKET, _CONNECTION = 3, 4
_MIB = 1 << 20
_PR_SET_PDEATHSIG = 1
# A client that waits for an answer reads it at once.
_REPLY_LIMIT = struct.pack("@ll", 1, 0)


@dataclass(frozen=True)
class Tier:
    """A kind of worker.

    One with `hand_over_ms` gives jobs up after so much processor time, or `most_bytes` of answer: a loaded
    machine makes no job look large. It is asked and answers with datagrams, the others over connections.
    """

    name: str
    nice: int = 0
    hand_over_ms: int | None = None
    most_bytes: int = 0


class HandOver(Exception):
    """The job is too large for this tier."""


def run(
    listening: socket.socket, dataset: Dataset, tier: Tier, slots: Slots, row: int, memory_mib: int
) -> None:
    """Serve jobs until the process is killed or has grown too much; never returns."""
    _become_worker(listening, tier, memory_mib)
    work = _Worker(dataset, tier, slots, row, memory_mib)
    is_fast = tier.hand_over_ms is not None
    own = socket.socket(fileno=_SOCKET)
    own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _REPLY_LIMIT)
    largest_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + LARGEST_GROWTH_KIB
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < largest_kib:
        try:
            if is_fast:
                work.serve_datagram(own)
            else:
                work.serve_connection(own)
        except (OSError, ConnectionLost):
            slots.clear(row)  # the client is gone, and with it whoever wanted the answer
    os._exit(0)


def die_with_parent(parent: int, number: signal.Signals = signal.SIGKILL) -> None:
    """Make the kernel end this process as soon as its parent is gone (Linux)."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def _become_worker(listening: socket.socket, tier: Tier, memory_mib: int) -> None:
    for number in (signal.SIGALRM, signal.SIGPROF, signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the owner's business
    signal.set_wakeup_fd(-1)
    os.nice(tier.nice)
    used_bytes = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    os.dup2(listening.fileno(), _SOCKET)
    listening.detach()
    os.closerange(_SOCKET + 1, 65536)
    # No descriptor is left but for a client: a worker can open no file and call no other service.
    most_files = _SOCKET + 1 if tier.hand_over_ms is not None else _CONNECTION + 1
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    address_space = used_bytes + memory_mib * _MIB
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))


class _Worker:
    """Does jobs and notes them in its row of the table."""

    def __init__(self, dataset: Dataset, tier: Tier, slots: Slots, row: int, memory_mib: int) -> None:
        self._dataset, self._tier, self._slots, self._row = dataset, tier, slots, row
        self._memory_mib = memory_mib

    def serve_datagram(self, jobs: socket.socket) -> None:
        """Do the next job of the fast tier; the kernel ends a process that uses up its processor time."""
        message, client = jobs.recvfrom(_LARGEST_MESSAGE_BYTES)
        job, deadline, number = decode_job(message)
        output = _Datagrams(jobs, client, number, self._tier.most_bytes)
        # Never disarmed: a worker that waits for a job uses no processor time.
        signal.setitimer(signal.ITIMER_PROF, (self._tier.hand_over_ms or 0) / 1000)
        self._do(job, deadline, output, client.rpartition("/")[2], number)

    def serve_connection(self, listener: socket.socket) -> None:
        """Do the next job of the slow tier; at its default action the alarm ends C code as well."""
        connection, _ = listener.accept()
        with connection:
            job, deadline, _ = receive_job(connection)
            signal.setitimer(signal.ITIMER_REAL, max(0.001, deadline - time.monotonic()))
            try:
                self._do(job, deadline, _Stream(connection))
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)

    def _do(self, job: Job, deadline: float, output: _Output, client: str = "", number: int = 0) -> None:
        started = time.monotonic()
        if started >= deadline:
            return  # its client has given up waiting
        running = Running(job.id, job.title, started, deadline, client, number, time.process_time())
        self._slots.start(self._row, running)
        self._answer(job, output)
        self._slots.finish(self._row, output.sent_bytes, time.monotonic() - started)

    def _answer(self, job: Job, output: _Output) -> None:
        try:
            JOBS[job.kind](self._dataset, job.payload, output)
        except HandOver:
            output.end(HAND_OVER)
        except AtlasError as error:
            output.end(ERROR, json.dumps(to_wire(error)).encode())
        except MemoryError:
            output.end(ERROR, json.dumps(to_wire(OutOfMemory(self._memory_mib))).encode())
        else:
            output.end(END)


class _Output(Protocol):
    """Takes what a job writes; `end` sends what is left and how the job ended."""

    sent_bytes: int

    def write(self, data: bytes, /) -> int:
        """Take some bytes; return how many."""

    def flush(self) -> None:
        """Do nothing: frames are sent when they are full."""

    def end(self, kind: int, payload: bytes = b"") -> None:
        """Send the last frame; what was not sent before an error is dropped."""


class _Datagrams:
    """Keeps an answer until it is complete and sends it to the socket of a client."""

    def __init__(self, own: socket.socket, client: str, number: int, most_bytes: int) -> None:
        self._own, self._client, self._number, self._most_bytes = own, client, number, most_bytes
        self._answer = bytearray()
        self.sent_bytes = 0

    def write(self, data: bytes, /) -> int:
        """Take some bytes. Raises HandOver beyond the tier's limit."""
        self._answer += data
        if len(self._answer) > self._most_bytes:
            raise HandOver
        return len(data)

    def flush(self) -> None:
        """Do nothing."""

    def end(self, kind: int, payload: bytes = b"") -> None:
        """Send the answer, or the error instead of it."""
        if kind == END:
            last = max(0, len(self._answer) - 1) // PIECE_BYTES * PIECE_BYTES
            for start in range(0, last, PIECE_BYTES):
                self._send(DATA, self._answer[start : start + PIECE_BYTES])
            self._send(END, self._answer[last:] if last else self._answer)
        else:
            self._send(kind, payload)

    def _send(self, kind: int, payload: bytes | bytearray) -> None:
        self.sent_bytes += self._own.sendto(encode_reply(kind, self._number, payload), self._client)


class _Stream:
    """Collects what a job writes into frames and sends them over a connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._pending = bytearray()
        self.sent_bytes = 0

    def write(self, data: bytes, /) -> int:
        """Take some bytes."""
        self._pending += data
        if len(self._pending) >= _FRAME_BYTES:
            self._send(encode_frame(DATA, self._pending))
        return len(data)

    def flush(self) -> None:
        """Do nothing: frames are sent when they are full."""

    def end(self, kind: int, payload: bytes = b"") -> None:
        """Send what is left and the last frame."""
        pending = encode_frame(DATA, self._pending) if self._pending and kind == END else b""
        self._send(pending + encode_frame(kind, payload))

    def _send(self, frames: bytes) -> None:
        self._connection.sendall(frames)
        self.sent_bytes += len(frames)
        self._pending.clear()
