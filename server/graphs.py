"""Fetch one graph of what is served, as statements."""

from __future__ import annotations

from collections.abc import Iterator

from compute_atlas.queries.errors import UnknownThing
from compute_atlas.server import context
from pyoxigraph import Quad, RdfFormat, parse


def read_graph(iri: str) -> Iterator[Quad]:
    """Yield the statements of a named graph, none if there is no such graph."""
    try:
        content = context.current().ask("stored_graph", graph=iri, format="nt")
    except UnknownThing:
        return
    yield from parse(content, format=RdfFormat.N_TRIPLES)
