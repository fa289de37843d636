"""The data a command works on: RDF files named as FILE or FILE=GRAPH-IRI, or the embedded graph."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from compute_atlas.graph.errors import UnreadableFile
from compute_atlas.graph.files import Source, imports, read_sources
from pyoxigraph import Quad


def read_data(data: tuple[str, ...], say: Callable[[str], None]) -> list[Quad]:
    """Return the quads of FILE[=GRAPH-IRI] texts, the embedded graph without any. Raises UnreadableFile."""
    if not data:
        from compute_atlas.server.kept import embedded_quads

        return embedded_quads()
    quads = read_sources(map(_source, data))
    for name in imports(quads):
        say(f"owl:imports <{name}> is not followed; give the document as --data if you need it")
    return quads


def _source(text: str) -> Source:
    """Split FILE=GRAPH-IRI at the first `=` that leaves a file on its left, as names may hold one."""
    if not text.partition("=")[0] and not _is_there(text):
        raise UnreadableFile(f'--data "{text}"', "the file's name is missing", "write FILE or FILE=GRAPH-IRI")
    if _is_there(text) or "=" not in text:
        return Source(Path(text))
    places = [place for place, character in enumerate(text) if character == "="]
    place = next((place for place in places if _is_there(text[:place])), places[0])
    return Source(Path(text[:place]), text[place + 1 :])


def _is_there(name: str) -> bool:
    # Path.exists raises for a name that is too long.
    return os.access(name, os.F_OK)
