"""compute-atlas evidence: what a fact rests on, without a server."""

from __future__ import annotations

import sys

import click

_COLUMNS = ("subject", "predicate", "object", "edition", "line", "uncertain")


@click.command("evidence")
@click.argument("subject")
@click.argument("predicate", required=False)
@click.argument("object_", metavar="[OBJECT]", required=False)
@click.option("--format", "form", type=click.Choice(["json", "table"]), default="json", show_default=True)
@click.option("--data", multiple=True, metavar="FILE[=GRAPH]", help="RDF to use, not the embedded graph.")
def command(
    subject: str, predicate: str | None, object_: str | None, form: str, data: tuple[str, ...]
) -> None:
    """List the claims behind the facts about SUBJECT, each with its edition and line.

    A derived fact is listed with the claims it came from. Exit code 1 if nothing is claimed.
    """
    import json

    from compute_atlas.graph.errors import InvalidValue
    from compute_atlas.queries.asked import Values, find_evidence
    from compute_atlas.server.local import open_data

    given = {"subject": subject, "predicate": predicate, "object": object_}
    values = Values({name: [value] for name, value in given.items() if value is not None})
    local = open_data(data)
    try:
        answer = find_evidence(values, local.names, lambda facts: local.run("evidence", facts))
    except InvalidValue as error:
        raise click.UsageError(str(error)) from None
    if form == "json":
        click.echo(json.dumps(answer, ensure_ascii=False, indent=1))
    else:
        claims = [claim for listed in answer["claims"] for claim in (listed.get("derived_from") or [listed])]
        for claim in claims:
            click.echo("\t".join(_cell(claim[name]) for name in _COLUMNS))
    sys.exit(0 if answer["claims"] else 1)


def _cell(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
