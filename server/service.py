"""The process behind the service: has graphs loaded and keeps the web server alive."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree

from compute_atlas.queries.wakeup import ended_children, wake_up_on
from compute_atlas.server.keepers import CannotStart, Keepers
from compute_atlas.server.settings import Settings, to_environment

# Unix sockets have short names; a long TMPDIR would not do.
_LONGEST_FOLDER = 80
_WEB_STOP_S = 6.0
# glibc keeps an arena for each of many threads, and large blocks for later: memory would only grow.
_ALLOCATOR = {"MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "262144", "MALLOC_TRIM_THRESHOLD_": "262144"}
_QUICK_END_S = 2.0
_MOST_QUICK_ENDS = 3


def run_service(settings: Settings, *, with_web: bool, say: Callable[[str], None]) -> int:
    """Serve until told to stop; return the exit code. `say` tells the operator one line.

    SIGHUP loads the graph again. Without a web server it also ends when its standard input is closed.
    Raises CannotStart.
    """
    if not sys.platform.startswith("linux"):
        raise CannotStart(
            "the service needs Linux, whose kernel stops queries at their limit; use `query` instead"
        )
    folder = Path(settings.socket_dir or make_socket_dir())
    settings = replace(settings, socket_dir=str(folder))
    web, keepers = _Web(settings), Keepers(settings, say)
    try:
        if with_web:
            web.start()  # it starts up while the graph is loaded
        return _Supervisor(web, keepers).run(watched=None if with_web else sys.stdin.fileno())
    finally:
        web.stop()
        keepers.stop()
        rmtree(folder, ignore_errors=True)


class _Supervisor:
    """Waits for whatever happens to the processes of the service."""

    def __init__(self, web: _Web, keepers: Keepers) -> None:
        self._web, self._keepers = web, keepers
        self._is_stopping, self._is_graph_wanted = False, True
        signals = {signal.SIGTERM: self._stop, signal.SIGINT: self._stop, signal.SIGHUP: self._want_graph}
        self._wakeup = wake_up_on(signals)

    def run(self, watched: int | None) -> int:
        """Return the exit code, when told to stop or when `watched` is closed on its other side."""
        while not self._is_stopping and not self._web.has_failed:
            if self._is_graph_wanted:
                self._is_graph_wanted = False
                self._keepers.load()
            sources = [self._wakeup, *self._keepers.sources(), *([] if watched is None else [watched])]
            ready, _, _ = select.select(sources, [], [])
            if self._wakeup in ready:
                os.read(self._wakeup, 4096)
            self._keepers.read(ready)
            for pid, _ in ended_children():
                self._web.ended(pid)
                self._keepers.ended(pid)
            if watched in ready and not os.read(watched, 4096):
                break
        return 1 if self._web.has_failed else 0

    def _stop(self) -> None:
        self._is_stopping = True

    def _want_graph(self) -> None:
        self._is_graph_wanted = True


def make_socket_dir() -> str:
    """Return a new folder, readable by nobody else, for the sockets of the workers."""
    parent = tempfile.gettempdir()
    return tempfile.mkdtemp(prefix="compute-atlas-", dir=parent if len(parent) < _LONGEST_FOLDER else "/tmp")


def require_free_port(host: str, port: int) -> int:
    """Return the port, a free one for 0. Raises CannotStart if it cannot be listened on."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CannotStart(
            f"cannot listen on {host}:{port}: {reason}; choose another --host or --port"
        ) from None


@dataclass
class _Web:
    """The web server, a process of its own, started again when it ends."""

    settings: Settings
    has_failed: bool = False
    _process: subprocess.Popen[bytes] | None = None
    _started: float = 0.0
    _quick_ends: int = 0

    def start(self) -> None:
        command = [sys.executable, "-m", "compute_atlas.server.web", str(os.getpid())]
        self._process = subprocess.Popen(command, env=os.environ | _ALLOCATOR | to_environment(self.settings))
        self._started = time.monotonic()

    def ended(self, pid: int) -> None:
        """Start it again, but give up on one that ends at once."""
        if self._process is None or pid != self._process.pid:
            return
        self._process = None
        self._quick_ends = self._quick_ends + 1 if time.monotonic() - self._started < _QUICK_END_S else 0
        if self._quick_ends >= _MOST_QUICK_ENDS:
            self.has_failed = True
        else:
            self.start()

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(_WEB_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()  # its own processes end with it
            self._process.wait()
