"""Let the workers answer what routes ask of the graph: names turned into things here, answers sent on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import flask
from compute_atlas.graph.languages import acceptable
from compute_atlas.queries.asked import Names, Values
from compute_atlas.queries.formats import Format
from compute_atlas.queries.frames import Job
from compute_atlas.server import context, requests
from compute_atlas.server.ids import new_id
from compute_atlas.server.negotiate import Choice, choose
from compute_atlas.server.responses import Response
from compute_atlas.server.terms import current_terms

JSON = Format("json", ("application/json",), ".json")
_TITLE_CHARACTERS = 500
_VARY = "Accept, Accept-Language"


def read_values() -> Values:
    """Return the parameters of the request with all values of each."""
    parameters = requests.read_parameters()
    return Values({name: parameters.all(name) for name, _ in parameters.pairs})


def accepted_languages() -> list[str]:
    """Return the languages that the client accepts, best first."""
    return acceptable(flask.request.accept_languages)


def current_names() -> Names:
    """Return the names in the graph that is served."""

    def is_present(iri: str, as_predicate: bool) -> bool:
        return bool(json.loads(context.current().ask("presence", iri=iri, as_predicate=as_predicate)))

    return Names(current_terms().index, lambda iri: is_present(iri, False), lambda iri: is_present(iri, True))


def choose_format(offers: Sequence[Format]) -> Choice:
    """Return the format to answer in. Raises BadParameter, NotAcceptable."""
    name = requests.read_parameters().one("format")
    return choose(offers, flask.request.headers.get("Accept"), name)


def answer_job(kind: str, payload: dict[str, Any], media_type: str) -> flask.Response:
    """Return the answer of a job, as it comes."""
    atlas = context.current()
    title = flask.request.full_path[:_TITLE_CHARACTERS]
    job = Job(kind, payload, new_id(), atlas.settings.timeout_s, title)
    content_type = f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type
    return requests.to_flask(Response(200, {"Content-Type": content_type, "Vary": _VARY}, atlas.run(job)))


def answer_json(content: object) -> flask.Response:
    """Return content as JSON with real characters."""
    body = json.dumps(content, ensure_ascii=False).encode()
    return flask.Response(body, 200, {"Content-Type": JSON.media_types[0], "Vary": _VARY})
