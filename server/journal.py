"""What is known afterwards about requests: a line of JSON for each, one for each slow query, numbers."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from compute_atlas.server.counts import Counts
from compute_atlas.server.settings import Settings

STANDARD_ERROR = "-"


@dataclass(frozen=True, slots=True)
class Record:
    """A request that has ended. `query` is the start of the text that was asked, for /sparql only."""

    method: str
    path: str
    status: int
    outcome: str
    duration_s: float
    sent_bytes: int
    query_id: str = ""
    graph: str = ""
    query: str = ""


class Journal:
    """Writes requests down. Headers and query strings, where secrets may stand, are never written."""

    def __init__(self, settings: Settings, counts: Counts) -> None:
        self.counts = counts
        self._slow_s = settings.slow_query_ms / 1000
        self._log = _open(settings.access_log)

    def note_cached(
        self, environ: dict[str, Any], status: str, graph: str, body: list[bytes], started: float
    ) -> None:
        """Write down an answer from the cache; there are many of these."""
        sent_bytes = sum(map(len, body))
        self.counts.add_cached(sent_bytes)
        if self._log is not None:
            took_s = time.perf_counter() - started
            request = environ["REQUEST_METHOD"], environ["PATH_INFO"], int(status[:3])
            _write(self._log, "request", Record(*request, "cached", took_s, sent_bytes, graph=graph))

    def note(self, record: Record) -> None:
        """Write a request down."""
        self.counts.add(record.outcome, record.duration_s, record.sent_bytes)
        if self._log is not None:
            _write(self._log, "request", record)
        if record.query and record.duration_s >= self._slow_s:
            _write(sys.stderr.fileno(), "slow query", record)


def _open(name: str) -> int | None:
    if name == STANDARD_ERROR:
        return sys.stderr.fileno()
    return os.open(Path(name), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640) if name else None


def _write(file: int, event: str, record: Record) -> None:
    """Write a line in one piece, so that the lines of several processes never mix."""
    members: dict[str, Any] = {
        "time": datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds"),
        "event": event,
        "id": record.query_id,
        "method": record.method,
        "path": record.path,
        "status": record.status,
        "outcome": record.outcome,
        "ms": round(record.duration_s * 1000, 2),
        "bytes": record.sent_bytes,
        "graph": record.graph,
        "query": record.query,
    }
    kept = {name: value for name, value in members.items() if value != ""}
    os.write(file, json.dumps(kept, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
