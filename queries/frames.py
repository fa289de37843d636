"""What workers and their clients say to each other over Unix sockets: jobs one way, frames the other.

Both ends are processes of one service and their sockets lie in a folder that is nobody else's, so the
messages are in Python's own `marshal` format, which costs a fifth of JSON.
"""

from __future__ import annotations

import marshal
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

# A frame on a stream is its kind, the length of its payload, the payload.
DATA, END, ERROR, HAND_OVER = b"DEXH"
# Only from the process that owns the workers: one of them has died, with the job or perhaps with it. The
# number of the second is the time of the death in nanoseconds on the system's monotonic clock.
LOST, PERHAPS_LOST = b"L?"
# The version of the format in which equal values give equal bytes.
_MARSHAL_VERSION = 2
_FRAME = struct.Struct("<BI")
_LENGTH = struct.Struct("<I")
# A frame in a datagram is its kind, the number its client has given the job, the payload.
_REPLY = struct.Struct("<BQ")
_RECEIVE_BYTES = 1 << 18


@dataclass(frozen=True)
class Job:
    """Work for a worker: its kind (a name in jobs.JOBS), what it needs to know, its id and time limit."""

    kind: str
    payload: dict[str, Any] = field(default_factory=dict)
    id: str = ""
    limit_s: float = 30.0
    title: str = ""


class ConnectionLost(Exception):
    """The other side ended before the last frame."""


def encode_task(job: Job) -> bytes:
    """Return what is to be done, the same bytes whenever the same is to be done."""
    return marshal.dumps((job.kind, job.payload), _MARSHAL_VERSION)


def encode_job(job: Job, task: bytes, deadline: float, number: int = 0) -> bytes:
    """Return the message that asks for a job; `deadline` is on the system's monotonic clock."""
    return marshal.dumps((number, deadline, job.id, job.limit_s, job.title, task), _MARSHAL_VERSION)


def decode_job(message: bytes) -> tuple[Job, float, int]:
    """Return a job, its deadline and its client's number for it."""
    number, deadline, job_id, limit_s, title, task = marshal.loads(message)
    kind, payload = marshal.loads(task)
    return Job(kind, payload, job_id, limit_s, title), deadline, number


def send_job(connection: socket.socket, message: bytes) -> None:
    """Send a job over a stream."""
    connection.sendall(_LENGTH.pack(len(message)) + message)


def receive_job(connection: socket.socket) -> tuple[Job, float, int]:
    """Return what `decode_job` does of a job that comes over a stream. Raises ConnectionLost."""
    received = connection.recv(_RECEIVE_BYTES)
    while len(received) < _LENGTH.size or len(received) < _LENGTH.size + _LENGTH.unpack_from(received)[0]:
        more = connection.recv(_RECEIVE_BYTES)
        if not more:
            raise ConnectionLost
        received += more
    return decode_job(received[_LENGTH.size :])


def encode_reply(kind: int, number: int, payload: bytes | bytearray = b"") -> bytes:
    """Return one frame for a datagram."""
    return _REPLY.pack(kind, number) + payload


def decode_reply(datagram: bytes) -> tuple[int, int, bytes]:
    """Return kind, number and payload of a frame in a datagram."""
    kind, number = _REPLY.unpack_from(datagram)
    return kind, number, datagram[_REPLY.size :]


def encode_frame(kind: int, payload: bytes | bytearray = b"") -> bytes:
    """Return one frame for a stream."""
    return _FRAME.pack(kind, len(payload)) + payload


def receive_frames(connection: socket.socket) -> Iterator[tuple[int, bytes]]:
    """Yield kind and payload of each frame up to and with the last. Raises ConnectionLost, TimeoutError."""
    received = bytearray()
    while True:
        more = connection.recv(_RECEIVE_BYTES)
        if not more:
            raise ConnectionLost
        received += more
        while len(received) >= _FRAME.size:
            kind, length = _FRAME.unpack_from(received)
            end = _FRAME.size + length
            if len(received) < end:
                break
            yield kind, bytes(received[_FRAME.size : end])
            if kind != DATA:
                return
            del received[:end]
