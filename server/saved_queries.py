"""/queries: the saved queries, their texts and their answers."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import flask
from compute_atlas.queries.analysis import ASK
from compute_atlas.queries.asked import read_languages
from compute_atlas.queries.binding import resolved
from compute_atlas.queries.catalogue import SavedQuery, catalogue, saved_query
from compute_atlas.queries.formats import BOOLEANS, GRAPHS, TABLES, Format
from compute_atlas.server.asking import (
    JSON,
    accepted_languages,
    answer_job,
    answer_json,
    choose_format,
    current_names,
    read_values,
)
from compute_atlas.server.requests import accepts, accepts_any, answers

blueprint = flask.Blueprint("saved_queries", __name__)

TEXT = Format("rq", ("application/sparql-query",), ".rq")


@blueprint.get("/queries")
@accepts("format")
@answers(JSON)
def list_queries() -> flask.Response:
    """List the saved queries with titles in three languages, parameters, columns and an example."""
    choose_format([JSON])
    return answer_json({"queries": [_entry(query) for query in catalogue().values()]})


@blueprint.get("/queries/<name>")
@accepts_any
def run_query(name: str) -> flask.Response:
    """Run a saved query with the values of its parameters."""
    query = saved_query(name)
    values = read_values()
    languages = read_languages(values, accepted_languages())
    choice = choose_format(offers(query))
    given = {name: values.one(name) or "" for name in values.values if name not in ("format", "lang")}
    if languages and any(parameter.name == "lang" for parameter in query.parameters):
        given["lang"] = languages[0]
    payload = {
        "name": name,
        "values": resolved(query, given, current_names().thing),
        "format": choice.format.name,
    }
    return answer_job("saved_query", payload, choice.media_type)


@blueprint.get("/queries/<name>.rq")
@answers(TEXT)
def show_text(name: str) -> flask.Response:
    """Show the text of a saved query, as it runs with the values of an example."""
    headers = {"Content-Type": f"{TEXT.media_types[0]}; charset=utf-8"}
    return flask.Response(saved_query(name).source.encode(), 200, headers)


def offers(query: SavedQuery) -> tuple[Format, ...]:
    """Return the formats that a query's answer can have."""
    return GRAPHS if query.analysis.is_graph else BOOLEANS if query.analysis.form == ASK else TABLES


def _entry(query: SavedQuery) -> dict[str, Any]:
    examples = {p.name: p.example for p in query.parameters if p.example is not None}
    address = f"/queries/{query.name}" + ("?" + urlencode(examples) if examples else "")
    return query.as_json() | {"example": address}
