"""compute-atlas path: how two things are connected, without a server."""

from __future__ import annotations

import json
import sys

import click

ROW_FORMATS = ("srj", "xml", "csv", "tsv")
GRAPH_FORMATS = ("turtle", "nt", "rdfxml", "jsonld", "trig", "nquads")


@click.command("path")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option("--mode", type=click.Choice(["shortest", "all", "k"]), help="Which paths (shortest).")
@click.option("--k", metavar="N", help="So many of the shortest.")
@click.option("--max-hops", "max_hops", metavar="N", help="The longest to look for (6).")
@click.option("--direction", type=click.Choice(["out", "any"]), help="Which way links may be walked (out).")
@click.option("--via", multiple=True, metavar="THING", help="Only paths through this.")
@click.option("--avoid", multiple=True, metavar="THING", help="No path through this.")
@click.option("--only", multiple=True, metavar="PROPERTY", help="Only links of this property.")
@click.option("--without", multiple=True, metavar="PROPERTY", help="No link of this property.")
@click.option("--types", multiple=True, metavar="CLASS", help="Only things of this class between the ends.")
@click.option("--limit", metavar="N", help="At most so many paths (1000).")
@click.option("--lang", help="Language of labels and sentences.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "text", *ROW_FORMATS, *GRAPH_FORMATS]),
    default="json",
    show_default=True,
)
@click.option("--data", multiple=True, metavar="FILE[=GRAPH]", help="RDF to use, not the embedded graph.")
def command(
    source: str, target: str, form: str, data: tuple[str, ...], **options: str | tuple[str, ...] | None
) -> None:
    """Find the paths from one thing to another; things are named as anywhere.

    With `--format text` each path is read aloud. Exit code 1 if there is none.
    """
    from compute_atlas.graph.errors import InvalidValue
    from compute_atlas.queries.asked import Values, read_languages, read_question, to_payload
    from compute_atlas.server.local import open_data

    given = {name: value for name, value in options.items() if value}
    lists = {name: [value] if isinstance(value, str) else list(value) for name, value in given.items()}
    values = Values({"from": [source], "to": [target], **lists})
    local = open_data(data)
    try:
        question, limits = read_question(values, local.names)
        languages = read_languages(values, [])
    except InvalidValue as error:
        raise click.UsageError(str(error)) from None
    limited = {"most": limits.paths, "seconds": limits.seconds}
    payload = {"question": to_payload(question), "languages": languages} | limited
    answer = json.loads(local.run("paths", payload | {"format": "json"}))
    if form == "text":
        for path in answer["paths"]:
            click.echo(path["text"])
    elif form == "json":
        click.echo(json.dumps(answer, ensure_ascii=False, indent=1))
    else:
        sys.stdout.buffer.write(local.run("paths", payload | {"format": form}))
    sys.exit(0 if answer["paths"] else 1)
