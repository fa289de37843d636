"""Finish answers: entity tags, compression, HEAD, the headers that every answer has."""

from __future__ import annotations

import hashlib
import marshal
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from compute_atlas.server.errors import MEDIA_TYPE, Problem
from compute_atlas.server.negotiate import prefers_html

Body = Iterable[bytes]

ALLOWED_METHODS = "GET, HEAD, POST, QUERY, DELETE, OPTIONS"
CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "Atlas-Graph, Atlas-Query-Id, ETag, Link, Retry-After, Allow, Content-Language, Content-Disposition"
    ),
}
_COMPRESSIBLE = re.compile(
    r"text/|image/svg\+xml|application/(?:[\w.-]+\+)?(?:json|xml)\b|application/(?:trig|n-triples|n-quads)\b"
)
_GZIP = re.compile(
    r"(?:^|,)\s*(?:gzip|x-gzip|\*)\s*(?:;\s*q\s*=\s*([01](?:\.\d*)?))?\s*(?=,|$)", re.IGNORECASE
)
# The version of the format in which equal values give equal bytes.
_MARSHAL_VERSION = 2
_LEAST_COMPRESSED_BYTES = 860
_GZIP_LEVEL, _GZIP_WINDOW = 4, 31


@dataclass(frozen=True)
class Response:
    """A status, headers by name, and a body: a list if it is complete, else an iterator to be closed.

    `query` is the start of the query that it answers, for those who look at the log.
    """

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: Body = ()
    query: str = ""


def problem_response(problem: Problem, accept: str | None) -> Response:
    """Return a problem as JSON, as a page to those who would rather have one."""
    as_page = prefers_html(accept)
    headers = {
        "Content-Type": "text/html; charset=utf-8" if as_page else MEDIA_TYPE,
        "Cache-Control": "no-store",
    }
    if as_page:
        headers["Content-Security-Policy"] = "default-src 'none'"
    body = problem.as_page() if as_page else problem.as_json()
    return Response(problem.status, {**headers, **problem.headers}, [body])


def entity_tag(*parts: Any) -> str:
    """Return a weak tag (rows without ORDER BY may change places) of what an answer depends on."""
    return f'W/"{hashlib.blake2b(marshal.dumps(parts, _MARSHAL_VERSION), digest_size=16).hexdigest()}"'


def is_unchanged(if_none_match: str | None, tag: str) -> bool:
    """Say whether the client already has the answer with this tag, or would have any (`*`)."""
    if (if_none_match or "").strip() == "*":
        return True
    opaque = tag.removeprefix("W/")
    return opaque in re.findall(r'"[^"]*"', if_none_match or "")


def not_modified(tag: str, vary: str) -> Response:
    """Return the answer that says so."""
    return Response(304, {"ETag": tag, "Vary": vary, "Cache-Control": "no-cache"})


def finish(response: Response, method: str, accept_encoding: str | None) -> Response:
    """Compress the body where asked and worth it, give its length where known, drop it for HEAD."""
    headers, body = {**response.headers, **CORS}, response.body
    if _is_compressible(headers.get("Content-Type", "")) and "Content-Encoding" not in headers:
        vary = headers.get("Vary")
        headers["Vary"] = f"{vary}, Accept-Encoding" if vary else "Accept-Encoding"
        if _accepts_gzip(accept_encoding) and not _is_short(body):
            headers["Content-Encoding"] = "gzip"
            compressed = _Compressed(body)
            body = [b"".join(compressed)] if isinstance(body, list) else compressed
    if isinstance(body, list):
        headers["Content-Length"] = str(sum(map(len, body)))
    if method == "HEAD":
        close(body)
        body = []
    return Response(response.status, headers, body, response.query)


@lru_cache(maxsize=64)
def status_line(status: int) -> str:
    """Return a status as WSGI has it."""
    return f"{status} {HTTPStatus(status).phrase}"


def close(body: Body) -> None:
    """End a body that nobody wants any more."""
    closing = getattr(body, "close", None)
    if closing:
        closing()


@lru_cache(maxsize=256)
def _is_compressible(content_type: str) -> bool:
    return _COMPRESSIBLE.match(content_type) is not None


def _is_short(body: Body) -> bool:
    return isinstance(body, list) and sum(map(len, body)) < _LEAST_COMPRESSED_BYTES


@lru_cache(maxsize=256)
def _accepts_gzip(accept_encoding: str | None) -> bool:
    found = _GZIP.search(accept_encoding or "")
    return found is not None and (found[1] is None or float(found[1]) > 0)


class _Compressed:
    """A body compressed as it comes; closing it closes the body."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._chunks = self._compress()

    def __iter__(self) -> Iterator[bytes]:
        return self._chunks

    def close(self) -> None:
        """End the body."""
        close(self._body)

    def _compress(self) -> Iterator[bytes]:
        compressor = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, _GZIP_WINDOW)
        for chunk in self._body:
            compressed = compressor.compress(chunk)
            if compressed:
                yield compressed
        yield compressor.flush()
