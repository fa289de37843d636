"""compute-atlas lookup: find things by any of their names."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import click
from compute_atlas.graph.errors import InvalidValue

Search = Callable[[str], dict[str, Any]]

_COLUMNS = ("id", "label", "score", "tier", "match")


@click.command("lookup")
@click.argument("q", required=False)
@click.option("--lang", help="Language of the query (BCP 47; any by default).")
@click.option("--label-lang", help="Language of the labels shown.")
@click.option("--type", "types", multiple=True, metavar="CLASS", help="Only things of this class.")
@click.option("--strict-lang", is_flag=True, help="Only labels in the language of the query.")
@click.option("--no-fuzzy", is_flag=True, help="No near names.")
@click.option("--limit", type=click.IntRange(0, 1000), default=10, show_default=True)
@click.option("--offset", type=click.IntRange(0, 1_000_000), default=0, show_default=True)
@click.option("--format", "form", type=click.Choice(["json", "table"]), default="json", show_default=True)
@click.option(
    "--batch", metavar="FILE", help="CSV with a name in each row; adds columns. `-`: standard input."
)
@click.option("--column", help="The column of --batch that holds the names (the first one).")
@click.option("--data", multiple=True, metavar="FILE[=GRAPH]", help="RDF to use, not the embedded graph.")
def command(
    q: str | None,
    lang: str | None,
    label_lang: str | None,
    types: tuple[str, ...],
    strict_lang: bool,
    no_fuzzy: bool,
    limit: int,
    offset: int,
    form: str,
    batch: str | None,
    column: str | None,
    data: tuple[str, ...],
) -> None:
    """Look up what Q names, in any of the languages.

    Exit code 0 if exactly one thing is meant (with --batch: in every row), else 1.
    """
    if (q is None) == (batch is None):
        raise click.UsageError("give either a name to look up, or --batch FILE")
    try:
        search = _searcher(data, lang, label_lang, types, strict_lang, not no_fuzzy, limit, offset)
        if batch is not None:
            sys.exit(_run_batch(batch, column, search))
        answer = search(q or "")
    except InvalidValue as error:
        raise click.UsageError(str(error)) from None
    if form == "json":
        click.echo(json.dumps(answer, ensure_ascii=False, indent=1))
    else:
        for result in answer["results"]:
            click.echo("\t".join(str(value) for value in _row(result)))
    sys.exit(0 if any(result["match"] for result in answer["results"]) else 1)


def _searcher(
    data: tuple[str, ...],
    lang: str | None,
    label_lang: str | None,
    types: tuple[str, ...],
    strict_lang: bool,
    fuzzy: bool,
    limit: int,
    offset: int,
) -> Search:
    from compute_atlas.graph.languages import checked
    from compute_atlas.graph.lookup.answers import lookup_answer
    from compute_atlas.graph.lookup.resolve import type_filter
    from compute_atlas.graph.lookup.spoken import spoken_languages
    from compute_atlas.graph.lookup.usertext import checked_query
    from compute_atlas.server.terms import terms_of

    terms = terms_of(data)
    spoken = spoken_languages(terms.index.languages, lang or "*", only=strict_lang)
    accepts = type_filter(terms.index, types, "--type")
    shown = [checked(label_lang or lang or "*", "--label-lang")] if label_lang or lang else []

    def search(query: str) -> dict[str, Any]:
        found = terms.index.search(checked_query(query), spoken, accepts, fuzzy=fuzzy)
        return lookup_answer(query, spoken, shown, found, limit=limit, offset=offset, digest=terms.digest)

    return search


def _row(result: dict[str, Any]) -> list[Any]:
    match = "yes" if result["match"] else "ambiguous" if result["ambiguous"] else "no"
    return [result["id"], result["label"]["value"], result["score"], result["tier"], match]


def _run_batch(name: str, column: str | None, search: Search) -> int:
    from compute_atlas.server.pagefile import read_page

    rows = list(csv.reader(io.StringIO(read_page(name).removeprefix("\ufeff"), newline="")))
    if not rows:
        raise click.UsageError(f"{name} is empty; give CSV with a header")
    header, *rows = rows
    place = 0 if column is None else header.index(column) if column in header else -1
    if place < 0:
        raise click.UsageError(f'there is no column "{column}" in {name}; use one of: {", ".join(header)}')
    answered = list(_matched(rows, place, search))
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([[*header, *_COLUMNS], *answered])
    click.echo(out.getvalue(), nl=False)
    unmatched = sum(row[-1] != "yes" for row in answered)
    if unmatched:
        click.echo(f"compute-atlas: {unmatched} of {len(rows)} rows have no sure match", err=True)
    return 1 if unmatched else 0


def _matched(rows: list[list[str]], place: int, search: Search) -> Iterator[list[Any]]:
    """Yield each row with what its name means: the best result, or empty cells."""
    for number, row in enumerate(rows, 2):
        name = row[place] if place < len(row) else ""
        try:
            results = search(name)["results"] if name.strip() else []
        except InvalidValue as error:
            raise click.UsageError(f"row {number}: {error}") from None
        yield [*row, *(_row(results[0]) if results else ["", "", "", "", "no"])]
