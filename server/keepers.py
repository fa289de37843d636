"""Processes that each hold one snapshot of the graph with its query workers; the newest is asked.

A graph is replaced by loading the new one in a process of its own. Until it is ready, and for good if it
cannot be loaded, the old one is asked; then the old one finishes what it has in hand and ends.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any

from compute_atlas.graph.errors import AtlasError
from compute_atlas.graph.store import digest, open_store
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.owner import About, Owner
from compute_atlas.queries.pool import Limits, Pool, tell_all_clients
from compute_atlas.queries.snapshots import Snapshots
from compute_atlas.queries.worker import die_with_parent
from compute_atlas.server.data import read_data
from compute_atlas.server.settings import Settings
from pyoxigraph import DefaultGraph

_STOP_S = 2.0
_CHECK_S = 0.01
# A process that holds a graph and ends before this has had no use; after some such the service gives up.
_QUICK_END_S = 2.0
_MOST_QUICK_ENDS = 3


class CannotStart(AtlasError):
    """The service cannot start; the message says why and what to do."""


@dataclass
class _Keeper:
    """A process with a snapshot; `news` is the descriptor on which it says that it is ready."""

    number: int
    pid: int
    news: int
    started: float


class Keepers:
    """Starts, follows and ends the processes that hold graphs."""

    def __init__(self, settings: Settings, say: Callable[[str], None]) -> None:
        self._settings, self._say = settings, say
        self._snapshots = Snapshots(Path(settings.socket_dir))
        self._keepers: dict[int, _Keeper] = {}
        self._number = 0
        self._is_wanted = False
        self._quick_ends = 0

    def load(self) -> None:
        """Load the graph in a new process; while one is being loaded, once more after that."""
        if self._loading():
            self._is_wanted = True
            return
        self._is_wanted = False
        self._number += 1
        folder = self._snapshots.folder(self._number)
        folder.mkdir()
        news, writing = os.pipe()
        sys.stderr.flush()
        parent, pid = os.getpid(), os.fork()
        if pid == 0:
            _keep(parent, folder, self._settings, self._say, writing)
        os.close(writing)
        self._keepers[pid] = _Keeper(self._number, pid, news, time.monotonic())

    def sources(self) -> list[int]:
        """Return the descriptors to wait for."""
        return [keeper.news for keeper in self._loading()]

    def read(self, ready: list[int]) -> None:
        """Take the news of those that have some. Raises CannotStart if there will be no graph to ask."""
        for keeper in self._loading():
            if keeper.news in ready:
                news = os.read(keeper.news, 65536)
                os.close(keeper.news)
                keeper.news = -1
                self._take(keeper, json.loads(news or '{"error": "its process has ended"}'))
                if self._is_wanted:
                    self.load()

    def ended(self, pid: int) -> None:
        """Clear up after a process; if its snapshot was the one to ask, load it again."""
        keeper = self._keepers.pop(pid, None)
        if keeper is None:
            return
        folder = self._snapshots.folder(keeper.number)
        if keeper.number == self._snapshots.current:
            tell_all_clients(folder)
            is_quick = time.monotonic() - keeper.started < _QUICK_END_S
            self._quick_ends = self._quick_ends + 1 if is_quick else 0
            if self._quick_ends >= _MOST_QUICK_ENDS:
                raise CannotStart("the process with the graph ends again and again; the lines above say why")
            self.load()
        rmtree(folder, ignore_errors=True)

    def stop(self) -> None:
        """End all of them, and with them their workers."""
        for number, limit_s in ((signal.SIGTERM, _STOP_S), (signal.SIGKILL, _STOP_S)):
            for pid in self._keepers:
                os.kill(pid, number)
            deadline = time.monotonic() + limit_s
            while self._keepers and time.monotonic() < deadline:
                for pid in list(self._keepers):
                    with suppress(ChildProcessError):
                        if os.waitpid(pid, os.WNOHANG) == (0, 0):
                            continue
                    del self._keepers[pid]
                time.sleep(_CHECK_S)

    def _loading(self) -> list[_Keeper]:
        return [keeper for keeper in self._keepers.values() if keeper.news >= 0]

    def _take(self, keeper: _Keeper, news: dict[str, Any]) -> None:
        if "error" in news:
            if not self._snapshots.current:
                raise CannotStart(news["error"])
            self._say(f"the graph was not replaced: {news['error']}")
            return
        replaced = self._snapshots.current
        self._snapshots.publish(keeper.number)
        self._say(_ready_line(self._settings, news))
        for other in self._keepers.values():
            if other.number == replaced:
                os.kill(other.pid, signal.SIGUSR1)


def _keep(parent: int, folder: Path, settings: Settings, say: Callable[[str], None], news: int) -> None:
    """Hold a graph until told to end; never returns. What is written to `news` says how loading went."""
    try:
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the parent's business
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        die_with_parent(parent)
        dataset, about = _load(settings, say)
        pool = Pool(folder, _limits(settings))
        owner = Owner(folder, pool, about)
        pool.start(dataset)
        os.write(news, json.dumps({**about, "graphs": len(about["graphs"])}).encode())
        os.close(news)
        owner.run()
        pool.stop()
        os._exit(0)
    except AtlasError as error:
        os.write(news, json.dumps({"error": str(error)}).encode())
        os._exit(1)
    finally:  # a forked child must never return into its parent's code
        traceback.print_exc()
        os._exit(1)


def _load(settings: Settings, say: Callable[[str], None]) -> tuple[Dataset, About]:
    quads = read_data(settings.data, say)
    store = open_store(quads)
    dataset = Dataset(store, settings.largest_merge_triples)
    dataset.prepared.make()
    triples = sum(1 for _ in store.quads_for_pattern(None, None, None, DefaultGraph()))
    return dataset, {"digest": digest(quads), "triples": triples, "graphs": dataset.sizes}


def _limits(settings: Settings) -> Limits:
    return Limits(
        settings.fast_workers,
        settings.slow_workers,
        settings.hand_over_ms,
        settings.held_back_kib * 1024,
        settings.slow_queue,
        settings.memory_mib,
    )


def _ready_line(settings: Settings, news: dict[str, Any]) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    size = f"{news['triples']} triples in {news['graphs']} named graphs"
    return f"http://{host}:{settings.port}/ serves {size}, {news['digest']}"
