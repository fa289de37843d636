"""The way to the fast workers: a socket for datagrams, on which one job after the other is answered.

All fast workers take their jobs from one socket, so the kernel gives a job to whichever of them is free. A
job costs its client two system calls, and while the queue is full the kernel lets it wait for a place.
"""

from __future__ import annotations

import json
import secrets
import socket
import struct
import time
import weakref
from pathlib import Path

from compute_atlas.queries.errors import QueryTooSlow, ServiceUnavailable, TooBusy, from_wire
from compute_atlas.queries.frames import (
    DATA,
    END,
    ERROR,
    HAND_OVER,
    LOST,
    PERHAPS_LOST,
    Job,
    decode_reply,
    encode_job,
)

CLIENT_PREFIX = "client-"
# Below what the kernel's usual buffers take in one piece.
LARGEST_JOB_BYTES = 1 << 17
PIECE_BYTES = 1 << 16
_RECEIVE_BYTES = PIECE_BYTES + 64
# The worker's own limit comes first; this is for a job that still waits in the queue.
_GRACE_S = 0.02
_TIME = struct.Struct("@ll")


class HandedOver(Exception):
    """A fast worker has given the job up: it is one for the slow ones."""


class FastWorkerLost(Exception):
    """The worker that had the job has died; `cause` says of what."""

    def __init__(self, cause: str):
        super().__init__(cause)
        self.cause = cause


class Channel:
    """A socket in the workers' folder, made when it is first used; for one job at a time."""

    def __init__(self, folder: Path, most_wait_s: float) -> None:
        self._folder, self._most_wait_s = folder, most_wait_s
        self._target = str(folder / "fast")
        self._socket: socket.socket | None = None
        self._wait_s = 0.0
        self._number = 0
        self._sent_ns = 0

    def ask(self, job: Job, task: bytes, deadline: float) -> bytes:
        """Return the complete answer.

        Raises what the job raises, QueryTooSlow, TooBusy, ServiceUnavailable, HandedOver, FastWorkerLost.
        """
        connection = self._socket or self._open()
        self._number += 1
        message = encode_job(job, task, deadline, self._number)
        self._limit_waits(connection, deadline)
        self._send(connection, message)
        pieces = []
        while True:
            kind, payload = self._receive(connection, job, deadline)
            if kind == END:
                pieces.append(payload)
                return payload if len(pieces) == 1 else b"".join(pieces)
            if kind == DATA:
                pieces.append(payload)
            elif kind == ERROR:
                raise from_wire(json.loads(payload))
            elif kind == HAND_OVER:
                raise HandedOver
            elif kind == LOST:
                raise FastWorkerLost(payload.decode())
            else:  # PERHAPS_LOST: asking twice does no harm, as the first answer is dropped if it comes
                pieces.clear()
                self._number += 1
                self._send(connection, encode_job(job, task, deadline, self._number))

    def _open(self) -> socket.socket:
        path = str(self._folder / f"{CLIENT_PREFIX}{secrets.token_hex(8)}")
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            connection.bind(path)
        except OSError:
            connection.close()
            raise ServiceUnavailable from None
        # No __del__: in a circle of garbage the socket might go first, still open.
        weakref.finalize(self, _close, connection, path)
        self._socket, self._wait_s = connection, 0.0
        return connection

    def _limit_waits(self, connection: socket.socket, deadline: float) -> None:
        wait_s = round(max(0.001, deadline - time.monotonic() + _GRACE_S), 2) or 0.01
        if wait_s != self._wait_s:
            limit_waiting(connection, socket.SO_RCVTIMEO, wait_s)
            limit_waiting(connection, socket.SO_SNDTIMEO, min(wait_s, self._most_wait_s))
            self._wait_s = wait_s

    def _send(self, connection: socket.socket, message: bytes) -> None:
        self._sent_ns = time.monotonic_ns()
        try:
            connection.sendto(message, self._target)
        except BlockingIOError:
            raise TooBusy from None
        except OSError:
            raise ServiceUnavailable from None

    def _receive(self, connection: socket.socket, job: Job, deadline: float) -> tuple[int, bytes]:
        """Return the next frame of this job; what belongs to an earlier one is dropped."""
        while True:
            try:
                kind, number, payload = decode_reply(connection.recv(_RECEIVE_BYTES))
            except BlockingIOError:
                raise QueryTooSlow(job.limit_s) from None
            if number == self._number or (kind == PERHAPS_LOST and number > self._sent_ns):
                return kind, payload
            if time.monotonic() > deadline:
                raise QueryTooSlow(job.limit_s)


def _close(connection: socket.socket, path: str) -> None:
    connection.close()
    Path(path).unlink(missing_ok=True)


def limit_waiting(connection: socket.socket, option: int, limit_s: float) -> None:
    """Let the kernel end the waits with BlockingIOError: a timeout of Python's makes two calls of each."""
    whole = int(max(0.001, limit_s))
    connection.setsockopt(
        socket.SOL_SOCKET, option, _TIME.pack(whole, int((max(0.001, limit_s) - whole) * 1_000_000))
    )
