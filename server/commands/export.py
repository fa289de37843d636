"""compute-atlas export: the graph or a part of it as a file, without a server."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import click


@click.command("export")
@click.argument("format_name", metavar="FORMAT")
@click.option("-o", "--output", "target", type=click.Path(dir_okay=False), help="The file to write.")
@click.option("--of", metavar="THING", help="Only what lies around this thing …")
@click.option("--hops", metavar="N", help="… so many links away (1).")
@click.option("--class", "class", multiple=True, metavar="CLASS", help="Only these things and their links.")
@click.option("--edition", metavar="ID", help="Only what this edition or named graph states.")
@click.option("--from", "from", metavar="THING", help="Only the shortest paths from this thing …")
@click.option("--to", metavar="THING", help="… to this one.")
@click.option("--direction", type=click.Choice(["out", "any"]), help="Which way links may be walked (out).")
@click.option("--max-hops", "max_hops", metavar="N", help="The longest path to look for (6).")
@click.option("--query", metavar="CONSTRUCT", help="Only what this query constructs (or a file: FILE.rq).")
@click.option(
    "--literals", type=click.Choice(["attributes", "nodes"]), help="Values as columns, or as nodes."
)
@click.option(
    "--include",
    multiple=True,
    type=click.Choice(["classes", "annotations"]),
    help="Nodes for these, too; may be repeated.",
)
@click.option("--layout", type=click.Choice(["bow-tie", "columns", "matrix", "strip"]), help="Of svg.")
@click.option("--lang", help="Language of labels.")
@click.option("--data", multiple=True, metavar="FILE[=GRAPH]", help="RDF to use, not the embedded graph.")
def command(
    format_name: str, target: str | None, data: tuple[str, ...], **options: str | tuple[str, ...] | None
) -> None:
    """Write the graph, or a part of it, as a file for other tools.

    FORMAT is graphml, graphml-yed, gexf, dot, cytoscape, cx2, node-link, mermaid, csv, csv-neo4j, svg,
    turtle, jsonld, ntriples, trig or rdfxml; prh and vale are rules for checkers of prose, made of the
    terms of one language. Without -o the file goes to standard output.
    """
    from compute_atlas.graph.errors import InvalidValue
    from compute_atlas.graph.export.formats import UnknownFormat, find_format
    from compute_atlas.queries.asked import Values, read_languages
    from compute_atlas.queries.exports import make_export, read_export
    from compute_atlas.server.local import open_data
    from compute_atlas.server.pagefile import read_query

    given = {name: [value] if isinstance(value, str) else value for name, value in options.items() if value}
    values = Values({**given, "query": [read_query(text) for text in given.get("query", ())]})
    try:
        find_format(format_name)
        local = open_data(data)
        payload = read_export(values, local.names, read_languages(values, []))
        content = make_export(local.dataset, {**payload, "format": format_name})
        if target is None:
            sys.stdout.buffer.writelines(content)
        else:
            _write(Path(target), content)
    except (InvalidValue, UnknownFormat) as error:
        raise click.UsageError(str(error)) from None


def _write(target: Path, content: Iterable[bytes]) -> None:
    """Write the file whole or not at all."""
    from compute_atlas.graph.errors import UnreadableFile

    unfinished = target.with_name(f".{target.name}.part")
    try:
        try:
            with unfinished.open("wb") as file:
                file.writelines(content)
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        reason = f"it cannot be written ({error.strerror})"
        raise UnreadableFile(str(target), reason, "name another file") from error
