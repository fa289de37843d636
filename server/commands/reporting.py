"""Print disagreements, for the commands that list them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from compute_atlas.graph.comparing.disagreements import Disagreement

fail_on_option = click.option(
    "--fail-on",
    type=click.Choice(["fact", "naming", "wording", "lossy", "gap"]),
    multiple=True,
    help="End with exit code 1 if anything of this level is listed (may be repeated).",
)
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv"]),
    default="text",
    show_default=True,
)


def report(found: Sequence[Disagreement], form: str, fail_on: Sequence[str]) -> int:
    """Print them and return the exit code."""
    from compute_atlas.graph.comparing import disagreements

    if form == "json":
        items = {"items": [item.as_json() for item in found]}
        click.echo(json.dumps(items, ensure_ascii=False, indent=1))
    elif form == "csv":
        click.echo(disagreements.as_csv(found), nl=False)
    else:
        click.echo(disagreements.as_text(found), nl=False)
    return int(any(item.level in fail_on for item in found))
