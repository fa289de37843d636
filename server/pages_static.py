"""/static: the style and the scripts of the pages, under an address made from their content."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import flask
from compute_atlas.server.errors import HttpError

blueprint = flask.Blueprint("static", __name__)

FOLDER = Path(__file__).parent / "static"
_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript"}


@cache
def contents() -> dict[str, bytes]:
    """Return the files by name."""
    return {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir()) if path.suffix in _MEDIA_TYPES}


@cache
def digest() -> str:
    """Return what changes with any of the files."""
    return hashlib.sha256(b"".join(contents().values())).hexdigest()[:12]


@blueprint.get("/static/<version>/<name>")
def show_file(version: str, name: str) -> flask.Response:
    """Send a file; under its own version it may be kept for good."""
    content = contents().get(name)
    if content is None or version != digest():
        raise HttpError(
            404, f'there is no file "{name}" of version "{version}"; take the address from a page'
        )
    kind = f"{_MEDIA_TYPES[Path(name).suffix]}; charset=utf-8"
    headers = {"Content-Type": kind, "Cache-Control": "public, max-age=31536000, immutable"}
    return flask.Response(content, 200, headers)
