"""compute-atlas annotate: which names stand in a page."""

from __future__ import annotations

import json

import click
from compute_atlas.graph.errors import InvalidValue


@click.command("annotate")
@click.argument("file")
@click.option("--lang", help="Language of the page (any by default).")
@click.option(
    "--markup",
    type=click.Choice(["plain", "markdown", "html"]),
    help="What the page is written in; the ending of FILE tells by default.",
)
@click.option(
    "--offsets", type=click.Choice(["codepoint", "utf-16", "utf-8"]), default="codepoint", show_default=True
)
@click.option("--overlaps", is_flag=True, help="Names inside longer names as well.")
@click.option("--type", "types", multiple=True, metavar="CLASS", help="Only things of this class.")
@click.option("--data", multiple=True, metavar="FILE[=GRAPH]", help="RDF to use, not the embedded graph.")
def command(
    file: str,
    lang: str | None,
    markup: str | None,
    offsets: str,
    overlaps: bool,
    types: tuple[str, ...],
    data: tuple[str, ...],
) -> None:
    """Print as JSON which stretches of FILE (`-`: standard input) name what."""
    from compute_atlas.graph.lookup.answers import annotation_answer
    from compute_atlas.graph.lookup.resolve import type_filter
    from compute_atlas.graph.lookup.spoken import text_language
    from compute_atlas.graph.lookup.usertext import checked_page
    from compute_atlas.server.pagefile import markup_of, read_page
    from compute_atlas.server.terms import terms_of

    try:
        text = checked_page(read_page(file), "FILE")
        terms = terms_of(data)
        used = text_language(terms.index.languages, lang)
        found = terms.annotator(used).annotate(
            text, markup or markup_of(file), type_filter(terms.index, types, "--type"), overlaps=overlaps
        )
    except InvalidValue as error:
        raise click.UsageError(str(error)) from None
    answer = {"lang": lang, "lang_used": used, **annotation_answer(text, found, offsets)}
    click.echo(json.dumps(answer, ensure_ascii=False, indent=1))
