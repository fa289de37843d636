"""Compare documents at hand, without building a graph."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from compute_atlas.graph import editions
from compute_atlas.graph.comparing import differences
from compute_atlas.graph.comparing.disagreements import Disagreement
from compute_atlas.graph.reading import pages
from compute_atlas.graph.reading.names import label_quads


def compare(
    documents: Sequence[tuple[Path, str]], include: Sequence[Path] = ()
) -> tuple[list[Disagreement], list[str]]:
    """Return where documents, each with its language, disagree, and the places that could not be read.

    An edition's id is its file's stem; two with the same one get their folder's name, then a number, besides.
    Raises what reading a file raises.
    """
    quads = label_quads()
    findings = []
    for name, (path, language) in zip(_names([path for path, _ in documents]), documents, strict=True):
        reading = pages.read_file(path, language, include=include)
        findings += [f"{path}:{finding.line}: {finding.what}" for finding in reading.findings]
        quads += editions.quads(name, reading)
    return differences.find(quads), findings


def _names(paths: Sequence[Path]) -> list[str]:
    names: list[str] = []
    for path in paths:
        options = [path.stem, f"{path.stem}-{path.parent.name}"]
        options += [f"{path.stem}-{number}" for number in range(2, len(paths) + 2)]
        names.append(next(name for name in options if name not in names))
    return [editions.checked_id(name) for name in names]
