"""A table in shared memory with a row for each worker: what it does now and what it has done.

Workers write their own row and the owner reads all of them, so that no query pays for being listed.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass

_ROW_BYTES = 1024
_ID_BYTES, _CLIENT_BYTES, _TITLE_BYTES = 128, 64, 752
_BUSY = struct.Struct("<?")
_JOB = struct.Struct(f"<dddQ{_ID_BYTES}s{_CLIENT_BYTES}s{_TITLE_BYTES}s")
_JOB_AT = 8
_DONE_BYTES_SECONDS = struct.Struct("<QQd")
_COUNTS_AT = _JOB_AT + _JOB.size


@dataclass(frozen=True)
class Running:
    """A job that a worker has in hand; times are on the system's monotonic clock.

    `client` is the name of the socket that waits for the answer under `number`, empty for a connection;
    `cpu_started` is the processor time that the worker had used before.
    """

    id: str
    title: str
    started: float
    deadline: float
    client: str = ""
    number: int = 0
    cpu_started: float = 0.0


@dataclass(frozen=True)
class Counts:
    """What the workers of one row have done since the start."""

    jobs: int
    bytes_sent: int
    busy_s: float


class Slots:
    """The shared table; to be made before the workers are forked."""

    def __init__(self, rows: int) -> None:
        self._memory = mmap.mmap(-1, rows * _ROW_BYTES)

    def start(self, row: int, running: Running) -> None:
        """Note that the worker of this row has taken a job."""
        at = row * _ROW_BYTES
        _JOB.pack_into(
            self._memory,
            at + _JOB_AT,
            running.started,
            running.deadline,
            running.cpu_started,
            running.number,
            _encode(running.id, _ID_BYTES),
            _encode(running.client, _CLIENT_BYTES),
            _encode(running.title, _TITLE_BYTES),
        )
        _BUSY.pack_into(self._memory, at, True)

    def finish(self, row: int, bytes_sent: int, busy_s: float) -> None:
        """Note that the worker has finished its job."""
        at = row * _ROW_BYTES + _COUNTS_AT
        jobs, total_bytes, seconds = _DONE_BYTES_SECONDS.unpack_from(self._memory, at)
        _DONE_BYTES_SECONDS.pack_into(self._memory, at, jobs + 1, total_bytes + bytes_sent, seconds + busy_s)
        self.clear(row)

    def clear(self, row: int) -> None:
        """Note that nothing is in hand."""
        _BUSY.pack_into(self._memory, row * _ROW_BYTES, False)

    def running(self, row: int) -> Running | None:
        """Return the job that the worker of this row has in hand."""
        at = row * _ROW_BYTES
        if not _BUSY.unpack_from(self._memory, at)[0]:
            return None
        started, deadline, cpu_started, number, *texts = _JOB.unpack_from(self._memory, at + _JOB_AT)
        job_id, client, title = map(_decode, texts)
        return Running(job_id, title, started, deadline, client, number, cpu_started)

    def counts(self, row: int) -> Counts:
        """Return what has been done in this row."""
        return Counts(*_DONE_BYTES_SECONDS.unpack_from(self._memory, row * _ROW_BYTES + _COUNTS_AT))


def _encode(text: str, size: int) -> bytes:
    return text[:size].encode("utf-8", "replace")[:size]


def _decode(field: bytes) -> str:
    return field.rstrip(b"\0").decode("utf-8", "ignore")
