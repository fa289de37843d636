"""`compute-atlas validate`: check RDF files and list every finding with its mend."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--reason", is_flag=True, help="Judge OWL consistency with HermiT, too (needs Java).")
def command(files: tuple[Path, ...], reason: bool) -> None:
    """Check FILES (the embedded graph without any): shapes, rules about the data, OWL consistency.

    One line a finding on stdout; exit code 1 if there are any.
    """
    from compute_atlas.graph import build, reasoning, validation
    from compute_atlas.graph.files import Source, read_sources

    quads = read_sources(Source(path) for path in files) if files else build.embedded()
    findings = [*validation.find_violations(quads), *validation.check_shapes(quads)]
    for finding in findings:
        click.echo(f"{finding.rule}: {finding.thing}: {finding.what}; {finding.mend}")
    contradictions = 0
    for name, part in reasoning.by_edition(quads).items() if reason else ():
        for found in reasoning.inconsistencies(part):
            contradictions += 1
            click.echo(f"consistency: {name}: {found} contradicts itself; correct the statements about it")
    total = len(findings) + contradictions
    click.echo(f"{len(quads)} quads checked, {total} findings", err=True)
    sys.exit(1 if total else 0)
