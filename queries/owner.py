"""The process that holds a graph and owns its query workers, whatever number of web workers asks them."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import time
from pathlib import Path
from typing import Any

from compute_atlas.queries.pool import Pool
from compute_atlas.queries.wakeup import ended_children, wake_up_on

_CHECK_EVERY_S = 0.05
_REQUEST_LIMIT_S = 0.5
_LARGEST_REQUEST_BYTES = 65536
# A request that began before the graph was replaced may still have a question.
_LINGER_S = 1.0

About = dict[str, Any]


class Owner:
    """Answers questions about the workers on a socket and replaces those that end.

    SIGTERM ends it. After SIGUSR1, as another graph is asked now, it ends when nothing is in hand any more.
    """

    def __init__(self, folder: Path, pool: Pool, about: About) -> None:
        self._is_stopping = self._is_retired = False
        self._last_used = 0.0
        self._pool, self._about = pool, about
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / "owner"))
        self._listener.listen(128)
        self._listener.setblocking(False)
        self._wakeup = wake_up_on({signal.SIGTERM: self._stop, signal.SIGUSR1: self._retire})

    def run(self) -> None:
        """Serve until told to end."""
        while not self._is_stopping and not self._is_done():
            ready, _, _ = select.select([self._listener.fileno(), self._wakeup], [], [], _CHECK_EVERY_S)
            if self._wakeup in ready:
                os.read(self._wakeup, 4096)
            self._reap()
            self._pool.kill_overdue()
            if self._listener.fileno() in ready:
                self._answer_all()
        self._listener.close()

    def _stop(self) -> None:
        self._is_stopping = True

    def _retire(self) -> None:
        self._is_retired, self._last_used = True, time.monotonic()

    def _is_done(self) -> bool:
        if self._pool.running():
            self._last_used = time.monotonic()
        return self._is_retired and time.monotonic() - self._last_used > _LINGER_S

    def _reap(self) -> None:
        for pid, status in ended_children():
            self._pool.reap(pid, status)

    def _answer_all(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except BlockingIOError:
                return
            with connection:
                self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        connection.settimeout(_REQUEST_LIMIT_S)
        try:
            request = json.loads(connection.recv(_LARGEST_REQUEST_BYTES))
            self._reap()  # the question is often how a worker ended just now
            connection.sendall(json.dumps(self._reply(**request)).encode())
        except (OSError, ValueError):
            return  # the asker has gone, or was none of ours

    def _reply(self, ask: str, id: str = "") -> Any:
        if ask == "about":
            return self._about
        if ask == "outcome":
            return self._pool.outcome(id)
        if ask == "cancel":
            return self._pool.cancel(id)
        if ask == "counters":
            return self._pool.counters()
        now = time.monotonic()
        return [
            {
                "id": job.id,
                "tier": tier,
                "query": job.title,
                "running_s": round(now - job.started, 3),
                "ends_within_s": round(job.deadline - now, 3),
            }
            for tier, job in sorted(self._pool.running(), key=lambda pair: pair[1].started)
        ]
