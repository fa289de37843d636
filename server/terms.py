"""The names in the graph that is served, or in the data a command is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from compute_atlas.graph.lookup.terms import Terms, read_terms
from pyoxigraph import RdfFormat, parse

if TYPE_CHECKING:
    from compute_atlas.server.context import Context


def current_terms() -> Terms:
    """Return the names in the graph that is served; the first caller waits until they are read."""
    from compute_atlas.server.context import current

    context = current()
    return context.once("terms", lambda: _ask_terms(context))


def terms_of(data: tuple[str, ...]) -> Terms:
    """Return the names in FILE[=GRAPH-IRI] texts, else in the embedded graph. Raises UnreadableFile."""
    from compute_atlas.graph.store import digest
    from compute_atlas.server.data import read_data

    quads = read_data(data, lambda line: click.echo(f"compute-atlas: {line}", err=True))
    return read_terms(quads, digest(quads))


def _ask_terms(context: Context) -> Terms:
    return read_terms(parse(context.ask("names"), format=RdfFormat.N_TRIPLES), context.digest)
