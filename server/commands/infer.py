"""`compute-atlas infer`: print what follows from RDF files."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["nt", "turtle"]), default="nt", show_default=True)
def command(files: tuple[Path, ...], form: str) -> None:
    """Print the triples that follow from FILES by RDFS and OWL, and are not stated in them.

    Without FILES: what follows in the embedded graph, by its own rules too. Only legal RDF is printed.
    """
    from compute_atlas.graph import build, rules
    from compute_atlas.graph.files import Source, read_sources
    from compute_atlas.ontology import files as ontology
    from compute_atlas.ontology.names import PREFIXES
    from pyoxigraph import RdfFormat, serialize

    owl = ontology.rules("owl")
    if files:
        triples = rules.derive(read_sources(Source(path) for path in files), owl)
    else:
        triples = rules.derive(build.stated(), [*ontology.rules("graph"), *owl])
    formats = {"nt": RdfFormat.N_TRIPLES, "turtle": RdfFormat.TURTLE}
    sys.stdout.buffer.write(serialize(triples, format=formats[form], prefixes=PREFIXES) or b"")
