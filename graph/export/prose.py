"""Export the terms of a graph as rules for checkers of prose."""

from __future__ import annotations

from collections.abc import Iterator

from compute_atlas.graph.exchange.prose import prh_rules, vale_package
from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import read_things
from compute_atlas.graph.lookup.spoken import page_language


def write_prh(drawing: Drawing) -> Iterator[str]:
    """Yield a prh file for the first of the drawing's languages. Raises InvalidValue if no label is in it."""
    yield prh_rules(*_terms(drawing))


def write_vale(drawing: Drawing) -> Iterator[bytes]:
    """Yield a package for Vale. Raises as write_prh."""
    yield vale_package(*_terms(drawing))


def _terms(drawing: Drawing) -> tuple[Index, str]:
    index = Index(read_things(drawing.source.quads()))
    return index, page_language(index.languages, next(iter(drawing.choice.languages), None))
