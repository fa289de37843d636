"""The embedded graph as it was built the last time, in the user's cache folder.

Reading it takes a tenth of the time of building it, which is most of what a short command takes.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import pyoxigraph
from compute_atlas.graph import errors
from compute_atlas.ontology import files
from pyoxigraph import Quad, RdfFormat, parse, serialize

_PREFIX, _SUFFIX = "graph-", ".nq"
# All that decides what is built: the data and the code beside it, and the engine.
_SOURCES = (Path(files.__file__).parent, Path(errors.__file__).parent)


def embedded_quads() -> list[Quad]:
    """Return the quads of the embedded graph; where nothing can be kept they are built each time."""
    folder = _folder()
    if folder is None:
        return _build()
    kept = folder / f"{_PREFIX}{_digest()}{_SUFFIX}"
    with suppress(OSError):
        first, _, lines = kept.read_bytes().partition(b"\n")
        if first == _checksum(lines):
            return list(parse(lines, format=RdfFormat.N_QUADS))
    quads = _build()
    with suppress(OSError):
        _keep(serialize(quads, format=RdfFormat.N_QUADS) or b"", kept)
    return quads


def _build() -> list[Quad]:
    from compute_atlas.graph.build import embedded

    return embedded()


def _keep(lines: bytes, target: Path) -> None:
    """Write the file, whole or not at all, and take away those of earlier versions."""
    from tempfile import NamedTemporaryFile

    target.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=target.parent, prefix=".", delete=False) as unfinished:
        unfinished.write(_checksum(lines) + b"\n" + lines)
    Path(unfinished.name).rename(target)
    for other in target.parent.glob(f"{_PREFIX}*{_SUFFIX}"):
        if other != target:
            other.unlink(missing_ok=True)


def _checksum(lines: bytes) -> bytes:
    """Return the first line of the file, a comment to other readers."""
    return b"# sha256:" + hashlib.sha256(lines).hexdigest().encode()


def _folder() -> Path | None:
    base = os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):  # nobody's home
        return (Path(base) if base else Path.home() / ".cache") / "compute-atlas"
    return None


def _digest() -> str:
    found = hashlib.sha256(pyoxigraph.__version__.encode())
    for folder in _SOURCES:
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            found.update(f"{path.relative_to(folder)}\0".encode())
            found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()
