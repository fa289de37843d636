"""compute-atlas check: what is wrong with the terms of a page."""

from __future__ import annotations

import json
import sys

import click
from compute_atlas.graph.errors import InvalidValue


@click.command("check")
@click.argument("file")
@click.option("--lang", required=True, help="Language of the page.")
@click.option(
    "--markup",
    type=click.Choice(["plain", "markdown", "html"]),
    help="What the page is written in; the ending of FILE tells by default.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "vale", "sarif", "text"]),
    default="json",
    show_default=True,
)
@click.option("--data", multiple=True, metavar="FILE[=GRAPH]", help="RDF to use, not the embedded graph.")
def command(file: str, lang: str, markup: str | None, form: str, data: tuple[str, ...]) -> None:
    """Print what is wrong with the terms of FILE (`-`: standard input). Exit code 1 if anything is."""
    from compute_atlas.graph.lookup.findings import as_format
    from compute_atlas.graph.lookup.spoken import page_language
    from compute_atlas.graph.lookup.terminology import check
    from compute_atlas.graph.lookup.usertext import checked_page
    from compute_atlas.server.pagefile import markup_of, read_page
    from compute_atlas.server.terms import terms_of

    try:
        text = checked_page(read_page(file), "FILE")
        terms = terms_of(data)
        used = page_language(terms.index.languages, lang)
        findings = check(terms.index, text, used, terms.annotator, markup or markup_of(file))
    except InvalidValue as error:
        raise click.UsageError(str(error)) from None
    if form == "text":
        for finding in findings:
            place = f"{file}:{finding.line}:{finding.column}"
            click.echo(f"{place}: {finding.severity}: {finding.message} [{finding.rule}]")
    else:
        click.echo(json.dumps(as_format(findings, form, file), ensure_ascii=False, indent=1))
    sys.exit(1 if findings else 0)
