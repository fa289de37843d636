"""/export/{format}: the graph or a part of it as a file, made by a worker."""

from __future__ import annotations

from dataclasses import asdict

import flask
from compute_atlas.graph.export.formats import FORMATS, find_format
from compute_atlas.queries.asked import read_languages
from compute_atlas.queries.exports import EXPORT_PARAMETERS, file_name, read_export
from compute_atlas.queries.frames import Job
from compute_atlas.server import context, requests
from compute_atlas.server.asking import (
    JSON,
    accepted_languages,
    answer_json,
    choose_format,
    current_names,
    read_values,
)
from compute_atlas.server.ids import new_id
from compute_atlas.server.requests import accepts, answers, chooses
from compute_atlas.server.responses import Response

blueprint = flask.Blueprint("export", __name__)

_TOLD = ("name", "title", "media_type", "suffix")


@blueprint.get("/export")
@accepts("format")
@answers(JSON)
def list_formats() -> flask.Response:
    """List the formats of files."""
    choose_format([JSON])
    listed = [{name: asdict(made)[name] for name in _TOLD} for made in FORMATS.values()]
    return answer_json({"formats": listed})


@blueprint.get("/export/<format>")
@accepts(*EXPORT_PARAMETERS)
@chooses(format=FORMATS)
def show_export(format: str) -> flask.Response:
    """Return the graph, or a part of it, as a file in a format."""
    made, values = find_format(format), read_values()
    payload = read_export(values, current_names(), read_languages(values, accepted_languages()))
    atlas = context.current()
    job = Job(
        "export",
        {**payload, "format": format},
        new_id(),
        atlas.settings.export_timeout_s,
        flask.request.full_path,
    )
    # Pictures are looked at in place, everything else is for another program.
    placement = "inline" if made.name == "svg" else "attachment"
    headers = {
        "Content-Type": made.content_type,
        "Content-Disposition": f'{placement}; filename="{file_name(payload, made)}"',
        "Vary": "Accept-Language",
    }
    return requests.to_flask(Response(200, headers, atlas.run(job)))
