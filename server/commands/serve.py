"""compute-atlas serve: the service."""

from __future__ import annotations

import sys
from dataclasses import replace
from math import isnan
from typing import Any

import click
from compute_atlas.graph.errors import AtlasError
from compute_atlas.server.settings import WrongSetting, read_settings


class _Seconds(click.FloatRange):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds: float = super().convert(value, param, ctx)
        if isnan(seconds):
            self.fail(f"{value} is no number of seconds; it must be in the range {self._describe_range()}.")
        return seconds


@click.command("serve")
@click.option(
    "--data", multiple=True, metavar="FILE[=GRAPH]", help="RDF to serve instead of the embedded graph."
)
@click.option("--host", help="Address to listen on (127.0.0.1).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on (8765).")
@click.option("--workers", type=click.IntRange(1, 512), help="Processes for queries that end soon.")
@click.option("--timeout", type=_Seconds(0.001, 86400), help="Time limit of a query in seconds (30).")
def command(
    data: tuple[str, ...], host: str | None, port: int | None, workers: int | None, timeout: float | None
) -> None:
    """Serve a graph over HTTP: SPARQL at /sparql, pages at /."""
    from compute_atlas.server.service import require_free_port, run_service

    given: dict[str, Any] = {"data": data or None, "host": host, "port": port}
    given |= {"fast_workers": workers, "timeout_s": timeout}
    try:
        settings = replace(
            read_settings(), **{name: value for name, value in given.items() if value is not None}
        )
        settings = replace(settings, port=require_free_port(settings.host, settings.port))
        sys.exit(run_service(settings, with_web=True, say=_say))
    except WrongSetting as error:
        raise click.UsageError(str(error)) from None
    except AtlasError as error:
        _say(str(error))
        sys.exit(1)


def _say(line: str) -> None:
    click.echo(f"compute-atlas: {line}", err=True)
