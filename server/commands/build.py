"""`compute-atlas build`: make the graph from the ontology and editions."""

from __future__ import annotations

from pathlib import Path

import click


class _Edition(click.ParamType[tuple[str, str, Path]]):
    """ID:LANG=FILE, the id may be left out: then it is the file's stem."""

    name = "[ID:]LANG=FILE"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str, Path]:
        head, found, file = value.partition("=")
        name, _, language = head.rpartition(":")
        if not found or not language or not file:
            self.fail(f'"{value}" is not of the form {self.name}, e.g. my-page:ja=page.md', param, ctx)
        return name or Path(file).stem, language, Path(file)


@click.command()
@click.option("--edition", "given", type=_Edition(), multiple=True, help="A document to read in, too.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the graph: compute-atlas.nq in it. Without it, nothing is written.",
)
def command(given: tuple[tuple[str, str, Path], ...], output: Path | None) -> None:
    """Make the graph from the ontology, the shipped editions and the given ones.

    An edition given replaces the shipped one of the same id. Prints one line: counts and digest.
    """
    from compute_atlas.graph import build, editions, store
    from compute_atlas.graph.lookup.labels import check_collisions, read_things
    from compute_atlas.graph.reading import pages

    readings = {}
    for name, language, file in given:
        click.echo(f"reading {file} as {editions.checked_id(name)} ({language})", err=True)
        readings[name] = pages.read_file(file, language)
        for finding in readings[name].findings:
            click.echo(f"{file}:{finding.line}: {finding.what}", err=True)
    click.echo("building", err=True)
    quads = build.build(readings)
    check_collisions(read_things(quads))
    if output:
        click.echo(f"writing {build.write(quads, output)}", err=True)
    counts = build.count(quads)
    click.echo(
        f"{counts.quads} quads in {counts.graphs} graphs, {counts.editions} editions,"
        f" {counts.inferred} inferred; {store.digest(quads)}"
    )
