"""Read the body of a request, within a limit."""

from __future__ import annotations

from typing import Any

from compute_atlas.server.errors import HttpError

# A client that is still sending may not see the answer: what is too large is taken and dropped, up to this.
_MOST_DROPPED_BYTES = 64 << 20
_PIECE_BYTES = 1 << 20


def read_body(environ: dict[str, Any], limit: int) -> bytes:
    """Return a body of at most `limit` bytes. Raises HttpError for a longer one, or a malformed length."""
    declared = environ.get("CONTENT_LENGTH") or ""
    if declared and not declared.isdigit():
        raise HttpError(400, f'the Content-Length "{declared}" is not a number of bytes')
    if not declared and not environ.get("wsgi.input_terminated"):
        return b""
    stream = environ["wsgi.input"]
    body: bytes = stream.read(min(int(declared), limit + 1) if declared else limit + 1)
    if len(body) > limit:
        _drop_rest(stream, int(declared) - len(body) if declared else _MOST_DROPPED_BYTES)
        raise HttpError(413, f"the body is larger than the {limit} bytes that are read; ask for less at once")
    return body


def _drop_rest(stream: Any, left: int) -> None:
    left = min(left, _MOST_DROPPED_BYTES)
    while left > 0:
        piece = stream.read(min(left, _PIECE_BYTES))
        if not piece:
            return
        left -= len(piece)
