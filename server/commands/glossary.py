"""compute-atlas glossary: the terms of a graph as a file for translators."""

from __future__ import annotations

import sys

import click

FORMATS = ("csv", "tbx", "tbx2", "turtle", "json")


@click.command("glossary")
@click.option("--lang", metavar="TAG,TAG…", help="Languages, in this order (all by default).")
@click.option("--type", "types", multiple=True, metavar="CLASS", help="Only things of this class.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="csv",
    show_default=True,
    help="tbx: TBX-Basic of 2019; tbx2: TBX of 2008, for Weblate; turtle: SKOS.",
)
@click.option("--bom", is_flag=True, help="Begin CSV with a byte order mark, as spreadsheets like it.")
@click.option("--data", multiple=True, metavar="FILE[=GRAPH]", help="RDF to use, not the embedded graph.")
def command(lang: str | None, types: tuple[str, ...], form: str, bom: bool, data: tuple[str, ...]) -> None:
    """Print the terms of a graph with language and status: preferred, admitted or deprecated."""
    from compute_atlas.graph.errors import InvalidValue
    from compute_atlas.graph.exchange.glossary import make_glossary, split_languages
    from compute_atlas.graph.exchange.glossary_formats import write
    from compute_atlas.graph.lookup.resolve import type_filter
    from compute_atlas.server.terms import terms_of

    index = terms_of(data).index
    try:
        glossary = make_glossary(index.things, split_languages(lang), type_filter(index, types, "--type"))
    except InvalidValue as error:
        raise click.UsageError(str(error)) from None
    sys.stdout.buffer.write(write(glossary, form, with_bom=bom))
