"""One request and its answer, followed to the last byte."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from typing import Any

from compute_atlas.graph.errors import AtlasError
from compute_atlas.server.journal import Journal, Record
from compute_atlas.server.responses import Response, close

_log = logging.getLogger(__name__)


class Exchange:
    """Notes in the journal how a request ended."""

    def __init__(self, environ: dict[str, Any], started: float, journal: Journal) -> None:
        self._method, self._path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        self._started, self._journal = started, journal

    def took_ms(self) -> float:
        """Return the time since the request came."""
        return (time.perf_counter() - self._started) * 1000

    def follow(self, response: Response) -> Iterable[bytes]:
        """Return the body for the server; the request has ended when that has."""
        if isinstance(response.body, list):
            self.end(response, _outcome(response.status), sum(map(len, response.body)))
            return response.body
        return _Followed(response, self)

    def end(self, response: Response, outcome: str, sent_bytes: int) -> None:
        """Note how it ended."""
        self._journal.note(
            Record(
                self._method,
                self._path,
                response.status,
                outcome,
                time.perf_counter() - self._started,
                sent_bytes,
                response.headers.get("Atlas-Query-Id", ""),
                response.headers.get("Atlas-Graph", ""),
                response.query,
            )
        )


class _Followed:
    """A body under way. A failure of it is logged in a line before it breaks the connection."""

    def __init__(self, response: Response, exchange: Exchange) -> None:
        self._response, self._exchange = response, exchange
        self._chunks = iter(response.body)
        self._sent_bytes = 0
        self._outcome = "left"

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            chunk = next(self._chunks)
        except StopIteration:
            self._outcome = _outcome(self._response.status)
            raise
        except AtlasError as error:
            self._outcome = "broken"
            _log.warning("an answer under way was broken off: %s", error)
            raise
        self._sent_bytes += len(chunk)
        return chunk

    def close(self) -> None:
        """End the body."""
        close(self._response.body)
        self._exchange.end(self._response, self._outcome, self._sent_bytes)


def _outcome(status: int) -> str:
    if status < 400:
        return "unchanged" if status == 304 else "answered"
    if status < 500:
        return "refused"
    return "unavailable" if status == 503 else "failed"
