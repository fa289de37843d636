"""Answers that were given before, ready to be sent again: status line, headers and bytes."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from compute_atlas.server.responses import Response, is_unchanged, status_line

# All that an answer depends on beside the graph; `entity_tag` of the same makes a client's copy as good.
_ASKED = (
    "HTTP_HOST",
    "HTTP_ACCEPT",
    "HTTP_ACCEPT_ENCODING",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_COOKIE",
    "SCRIPT_NAME",
    "wsgi.url_scheme",
)
# What is known of an entry beside the bytes of its answer.
_OVERHEAD_BYTES = 4096
# No answer may push out most of the others.
_LARGEST_SHARE = 8
_NOT_REPEATED = ("Content-Type", "Content-Length", "Content-Encoding")

Key = tuple[Any, ...]
Headers = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Entry:
    """An answer as a WSGI server takes it, for any number of clients."""

    tag: str
    headers: Headers
    body: list[bytes]
    size: int

    def reply(self, if_none_match: str | None) -> tuple[str, Headers, list[bytes]]:
        """Return status line, headers and body for a client that may have the answer already."""
        if if_none_match is not None and is_unchanged(if_none_match, self.tag):
            kept = [(name, value) for name, value in self.headers if name not in _NOT_REPEATED]
            return status_line(304), kept, []
        return status_line(200), self.headers, self.body


class AnswerCache:
    """Keeps answers up to a number of bytes; those that nobody has asked for lately go first."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._entries: OrderedDict[Key, Entry] = OrderedDict()
        self._used_bytes = 0
        self._lock = Lock()

    def find(self, key: Key) -> Entry | None:
        """Return the answer that was kept under this key."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
            return entry

    def keep(self, key: Key, response: Response) -> None:
        """Keep a finished answer if it is complete, the same for everybody, and not too large."""
        tag, body = response.headers.get("ETag"), response.body
        if (
            response.status != 200
            or tag is None
            or not isinstance(body, list)
            or "Set-Cookie" in response.headers
        ):
            return
        size = sum(map(len, body)) + _OVERHEAD_BYTES
        if size > self._most_bytes // _LARGEST_SHARE:
            return
        headers = [field for field in response.headers.items() if field[0] != "Atlas-Query-Id"]
        entry = Entry(tag, [*headers, ("Server-Timing", 'cache;desc="hit"')], body, size)
        with self._lock:
            self._drop(key)
            self._entries[key] = entry
            self._used_bytes += size
            while self._used_bytes > self._most_bytes:
                self._drop(next(iter(self._entries)))

    def _drop(self, key: Key) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._used_bytes -= entry.size


def key_of(environ: dict[str, Any], digest: str) -> Key:
    """Return what tells an answer from all others; nothing in it is parsed."""
    asked = [environ.get(name) for name in _ASKED]
    return (digest, environ["PATH_INFO"], environ.get("QUERY_STRING", ""), *asked)
