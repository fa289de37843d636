"""`compute-atlas compare`: two documents at hand side by side."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from compute_atlas.server.commands.reporting import fail_on_option, format_option, report


@click.command()
@click.argument("first", metavar="A", type=click.Path(path_type=Path))
@click.argument("second", metavar="B", type=click.Path(path_type=Path))
@click.option("--langs", required=True, metavar="L,M", help="Languages of A and B, e.g. ja,it.")
@click.option(
    "--include",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    multiple=True,
    help="Folder with the files that the documents include (may be repeated).",
)
@fail_on_option
@format_option
def command(
    first: Path, second: Path, langs: str, include: tuple[Path, ...], fail_on: tuple[str, ...], form: str
) -> None:
    """List where the documents A and B disagree, and where one of them is damaged, without building a graph.

    With --fail-on the exit code is 1 if anything of that level is listed.
    """
    from compute_atlas.graph.comparing import comparison

    languages = [language.strip() for language in langs.split(",")]
    if len(languages) != 2 or not all(languages):
        raise click.UsageError(f'--langs "{langs}" does not name two languages; write it like ja,it')
    pairs = list(zip((first, second), languages, strict=True))
    found, findings = comparison.compare(pairs, include)
    for place in findings:
        click.echo(place, err=True)
    sys.exit(report(found, form, fail_on))
