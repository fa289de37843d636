"""compute-atlas query: one query, in this process, without a server."""

from __future__ import annotations

import re
import sys

import click
from compute_atlas.queries.errors import QuerySyntaxError

TABLE = "table"
TABLE_FORMATS = (TABLE, "json", "xml", "csv", "tsv")
BOOLEAN_FORMATS = (TABLE, "json", "xml")
GRAPH_FORMATS = ("turtle", "nt", "rdfxml", "jsonld", "trig", "nquads")
FORMAT_NAMES = TABLE_FORMATS + GRAPH_FORMATS

# No query is a word alone.
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@click.command("query")
@click.argument("query", metavar="QUERY|FILE.rq|NAME|-")
@click.option("-p", "values", multiple=True, metavar="NAME=VALUE", help="A parameter of a saved query.")
@click.option(
    "--data", multiple=True, metavar="FILE[=GRAPH]", help="RDF to ask instead of the embedded graph."
)
@click.option(
    "--format", "format_name", type=click.Choice(FORMAT_NAMES), help="table for SELECT, turtle for graphs."
)
def command(query: str, values: tuple[str, ...], data: tuple[str, ...], format_name: str | None) -> None:
    """Ask one SPARQL query and print the answer.

    QUERY is the text itself, a file of it, the NAME of a saved query, or - for standard input.
    """
    from compute_atlas.server.pagefile import read_query

    name = query if _NAME.fullmatch(query) else None
    if values and name is None:
        raise click.UsageError("-p gives a value to a saved query; name one")
    try:
        text = _bound_text(name, values, data) if name else read_query(query)
        _ask(text, data, format_name)
    except QuerySyntaxError as error:
        click.echo(f"compute-atlas: {error}\n{error.source_line}\n{' ' * (error.column - 1)}^", err=True)
        sys.exit(1)


def _bound_text(name: str, values: tuple[str, ...], data: tuple[str, ...]) -> str:
    """Return the text of a saved query with NAME=VALUE texts in their places."""
    from compute_atlas.graph.errors import InvalidValue
    from compute_atlas.queries.binding import bind, resolved
    from compute_atlas.queries.catalogue import saved_query
    from compute_atlas.server.local import open_data

    found = saved_query(name)
    if wrong := next((value for value in values if "=" not in value), None):
        raise click.UsageError(f'-p "{wrong}": write NAME=VALUE')
    local = open_data(data)
    given = dict(value.split("=", 1) for value in values)
    try:
        terms = resolved(found, given, local.names.thing)
        return bind(found, terms, local.dataset.prepared.ask)
    except InvalidValue as error:
        raise click.UsageError(str(error)) from None


def _ask(text: str, data: tuple[str, ...], format_name: str | None) -> None:
    from compute_atlas.graph.store import open_store
    from compute_atlas.queries.analysis import analyse
    from compute_atlas.queries.dataset import Dataset
    from compute_atlas.queries.evaluate import evaluate, query_of
    from compute_atlas.server.data import read_data

    analysis = analyse(text)
    _require_fitting(analysis.form, analysis.is_graph, format_name)
    store = open_store(read_data(data, lambda line: click.echo(f"compute-atlas: {line}", err=True)))
    results = evaluate(Dataset(store), query_of(analysis))
    _print(results, store, format_name or ("turtle" if analysis.is_graph else TABLE))


def _require_fitting(form: str | None, is_graph: bool, format_name: str | None) -> None:
    """Raise UsageError for a format that this form of query cannot have."""
    fitting = GRAPH_FORMATS if is_graph else BOOLEAN_FORMATS if form == "ASK" else TABLE_FORMATS
    if form is not None and format_name is not None and format_name not in fitting:
        listed = ", ".join(fitting)
        raise click.UsageError(f"{form} cannot be answered as {format_name}; use one of: {listed}")


def _print(results: object, store: object, format_name: str) -> None:
    from compute_atlas.queries.results import write
    from compute_atlas.queries.tables import readable_lines
    from pyoxigraph import QueryBoolean, QuerySolutions, Store

    if isinstance(results, QueryBoolean) and format_name == TABLE:
        click.echo("true" if results else "false")
    elif isinstance(results, QuerySolutions) and format_name == TABLE:
        for line in readable_lines(results):
            click.echo(line)
    else:
        assert isinstance(store, Store)
        write(results, format_name, sys.stdout.buffer, store=store)  # type: ignore[arg-type]
