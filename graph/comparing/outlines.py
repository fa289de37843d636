"""The outlines of known editions, which pages in other languages are aligned with."""

from __future__ import annotations

from pathlib import Path

from compute_atlas.graph.errors import AtlasError, UnreadableFile
from compute_atlas.graph.reading.outline import Part, load
from compute_atlas.ontology import files


class UnknownOutline(AtlasError):
    """No edition of this id has an outline."""

    def __init__(self, name: str, available: list[str]):
        super().__init__(
            f'no outline of "{name}"; use one of: {", ".join(available)}, or the file of one'
            " (extract --format outline)"
        )


def available() -> list[str]:
    """Return the ids of the editions whose outlines are shipped."""
    return [path.stem for path in files.outlines()]


def like(name: str) -> list[list[Part]]:
    """Return the outline of an edition, or in a file, and after it the other shipped ones.

    Raises UnknownOutline, UnreadableFile.
    """
    paths = {path.stem: path for path in files.outlines()}
    first = paths.pop(name, None) or Path(name)
    if not first.is_file():
        raise UnknownOutline(name, available())
    try:
        return [load(path.read_text(encoding="utf-8")) for path in (first, *paths.values())]
    except (OSError, ValueError, KeyError, TypeError) as error:
        mend = "make it with extract --format outline"
        raise UnreadableFile(str(first), f"this is no outline ({error})", mend) from error
