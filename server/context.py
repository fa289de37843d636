"""What every request needs: the settings, the way to the workers, facts about the graph."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from threading import BoundedSemaphore, RLock
from typing import Any, TypeVar

from compute_atlas.queries.client import Workers, ask_owner
from compute_atlas.queries.errors import ServiceUnavailable, TooBusy
from compute_atlas.queries.frames import Job
from compute_atlas.queries.snapshots import Snapshots
from compute_atlas.server.bodies import read_body
from compute_atlas.server.counts import Counts
from compute_atlas.server.ids import new_id
from compute_atlas.server.responses import Body
from compute_atlas.server.settings import Settings
from flask import current_app, request

ENVIRON_KEY = "compute_atlas.context"
# Threads that no query may take, so that health checks and pages are answered at all times.
_SPARE_THREADS = 8
_START_LIMIT_S = 3.0
_START_CHECK_S = 0.02

Made = TypeVar("Made")


class Context:
    """One snapshot of the graph as a web process knows it; nothing that it says ever changes.

    The first one, number 0, is there before any graph is loaded and can answer nothing about it.
    """

    def __init__(self, settings: Settings, workers: Workers, number: int) -> None:
        self.settings, self.workers, self.number = settings, workers, number
        self._kept: dict[str, Any] = {}
        self._making = RLock()

    @cached_property
    def about(self) -> dict[str, Any]:
        """Return digest, number of triples and graphs with their sizes."""
        about: dict[str, Any] = self.workers.ask_owner(ask="about")
        return about

    @cached_property
    def digest(self) -> str:
        """Return the digest of the graph."""
        digest: str = self.about["digest"]
        return digest

    @property
    def is_known(self) -> bool:
        """Say whether there is a graph."""
        return self.number > 0

    def run(self, job: Job) -> Body:
        """Let a worker do a job. Raises TooBusy if this process has too many in hand."""
        return self.workers.run(job)

    def ask(self, kind: str, **payload: Any) -> bytes:
        """Return the whole answer of a job that belongs to a page."""
        job = Job(kind, payload, id=new_id(), limit_s=self.settings.timeout_s, title=kind)
        return b"".join(self.run(job))

    @cached_property
    def statistics(self) -> dict[str, Any]:
        """Return the numbers of the VoID description, counted once."""
        numbers: dict[str, Any] = json.loads(self.ask("statistics"))
        return numbers

    def once(self, name: str, make: Callable[[], Made]) -> Made:
        """Return what was made of this snapshot under a name; the first caller makes it while others wait."""
        if name not in self._kept:
            with self._making:
                if name not in self._kept:
                    self._kept[name] = make()
        made: Made = self._kept[name]
        return made


class Contexts:
    """The state of a web process: the context of the current snapshot, and who may send a body."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._snapshots = Snapshots(Path(settings.socket_dir))
        self._context = self._make(0)
        self._changing = RLock()
        self._uploads = BoundedSemaphore(max(1, settings.web_threads // 2))
        self.counts = Counts(Path(settings.socket_dir))

    def current(self) -> Context:
        """Return the context of the snapshot to ask now; a request keeps to the one it began with."""
        if self._snapshots.current != self._context.number:
            self._change()
        return self._context

    def after(self, context: Context) -> Context | None:
        """Return the context that has replaced this one, None if none has; the first graph is waited for."""
        deadline = time.monotonic() + (0 if context.is_known else _START_LIMIT_S)
        while self.current() is context:
            if time.monotonic() >= deadline:
                return None
            time.sleep(_START_CHECK_S)
        return self._context

    def read_body(self, environ: dict[str, Any]) -> bytes:
        """Return the body of a request.

        Whoever sends one slowly holds a thread: half of them are never spent on that. Raises TooBusy.
        """
        if environ["REQUEST_METHOD"] in ("GET", "HEAD", "OPTIONS"):
            return b""
        if not self._uploads.acquire(blocking=False):
            raise TooBusy
        try:
            return read_body(environ, self.settings.max_body_kib * 1024)
        finally:
            self._uploads.release()

    def ask_owners(self, **question: str) -> list[Any]:
        """Return the answers of all owners of workers, those of graphs that were replaced included."""
        answers = []
        for folder in self._snapshots.folders():
            with suppress(ServiceUnavailable):
                answers.append(ask_owner(folder, **question))
        return answers

    def _change(self) -> None:
        with self._changing:
            number = self._snapshots.current
            if number != self._context.number:
                newer = self._make(number)
                with suppress(
                    ServiceUnavailable
                ):  # it has been replaced already: the next request looks again
                    assert newer.about
                    self._context = newer

    def _make(self, number: int) -> Context:
        settings = self.settings
        workers = Workers(
            self._snapshots.folder(number),
            memory_mib=settings.memory_mib,
            held_back_bytes=settings.held_back_kib * 1024,
            places=settings.web_threads - _SPARE_THREADS,
            most_wait_s=settings.most_wait_s,
        )
        return Context(settings, workers, number)


def contexts() -> Contexts:
    """Return the state of this web process."""
    gateway = current_app.wsgi_app
    state: Contexts = gateway.contexts  # type: ignore[attr-defined]
    return state


def current() -> Context:
    """Return the context of the current request."""
    context: Context = request.environ[ENVIRON_KEY]
    return context
