"""`compute-atlas differences`: where the editions of a graph disagree."""

from __future__ import annotations

import sys

import click
from compute_atlas.server.commands.reporting import fail_on_option, format_option, report


@click.command()
@click.option("--kind", help="Only this kind, e.g. tense_differs.")
@click.option("--level", help="Only this level: fact, naming, wording, lossy or gap.")
@click.option("--edition", help="Only where this edition has a side.")
@fail_on_option
@format_option
@click.option("--data", multiple=True, metavar="FILE[=GRAPH]", help="RDF to use, not the embedded graph.")
def command(
    kind: str | None,
    level: str | None,
    edition: str | None,
    fail_on: tuple[str, ...],
    form: str,
    data: tuple[str, ...],
) -> None:
    """List the points on which editions differ, with the line of each side.

    With --fail-on the exit code is 1 if anything of that level is listed.
    """
    from compute_atlas.graph.comparing import disagreements
    from compute_atlas.server.data import read_data

    for name, value, allowed in (("kind", kind, disagreements.KINDS), ("level", level, disagreements.LEVELS)):
        if value is not None and value not in allowed:
            raise click.UsageError(f'unknown {name} "{value}"; use one of: {", ".join(allowed)}')
    quads = read_data(data, lambda line: click.echo(f"compute-atlas: {line}", err=True))
    found = disagreements.read(disagreements.in_graph(quads))
    editions = sorted(set().union(*(item.editions for item in found)))
    if edition is not None and edition not in editions:
        known = f"use one of: {', '.join(editions)}" if editions else "no edition differs here"
        raise click.UsageError(f'unknown edition "{edition}"; {known}')
    sys.exit(report(disagreements.select(found, kind, level, edition), form, fail_on))
