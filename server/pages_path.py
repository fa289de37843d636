"""/path: how two things are connected, as strips and as sentences with what they rest on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import flask
from compute_atlas.graph.errors import AtlasError
from compute_atlas.queries.asked import Values, read_question, to_payload
from compute_atlas.server import context, requests
from compute_atlas.server.asking import current_names
from compute_atlas.server.errors import problem_of
from compute_atlas.server.grounds import Place, read_places
from compute_atlas.server.pages import View, answer_page, wants_page
from compute_atlas.server.pages_pictures import draw_paths
from compute_atlas.server.pages_thing import export_tools
from compute_atlas.server.paths import SEARCH_SHARE
from compute_atlas.server.requests import accepts

blueprint = flask.Blueprint("path_page", __name__)

MOST_PATHS = 3
OUT, ANY = "out", "any"

Json = dict[str, Any]


@blueprint.get("/path")
@accepts("from", "to", "direction", "lang")
def show_path() -> flask.Response:
    """Show up to three shortest paths between two things; walked both ways where none leads forward."""
    view, parameters = View.current(), requests.read_parameters()
    ends = {name: (parameters.one(name) or "").strip() for name in ("from", "to")}
    direction = parameters.one("direction") or OUT
    page: Json = {"ends": ends, "ids": {}, "direction": direction, "problem": None, "found": None}
    if not all(ends.values()):
        return answer_page(view, "path.html", **page)
    try:
        found, walked = _find(view, ends, direction)
    except AtlasError as error:
        if not wants_page():
            raise
        problem = problem_of(error)
        return answer_page(view, "path.html", problem.status, **page | {"problem": problem.members})
    page |= {"found": found, "walked": walked, "steps": _steps(found["paths"]), "tools": export_tools()}
    page["ids"] = {name: found[name]["id"] for name in ends}
    page["ends"] = {name: view.name(found[name]["iri"]).value for name in ends}
    drawn = [[node["iri"] for node in path["nodes"]] for path in found["paths"] if path["hops"]]
    page["drawn"] = draw_paths(view, drawn, _labels(found["paths"])) if drawn else None
    return answer_page(view, "path.html", **page)


def _find(view: View, ends: Mapping[str, str], direction: str) -> tuple[Json, str]:
    """Return the answer of the search, and which way links were walked."""
    found = _ask(view, ends, direction)
    if found["paths"] or direction == ANY:
        return found, direction
    return _ask(view, ends, ANY), ANY


def _ask(view: View, ends: Mapping[str, str], direction: str) -> Json:
    asked = {"k": str(MOST_PATHS), "direction": direction, **ends}
    question, limits = read_question(Values({key: [value] for key, value in asked.items()}), current_names())
    atlas = context.current()
    found: Json = json.loads(
        atlas.ask(
            "paths",
            question=to_payload(question),
            most=limits.paths,
            seconds=atlas.settings.timeout_s * SEARCH_SHARE,
            languages=view.languages,
            format="json",
        )
    )
    return found


def _steps(paths: Iterable[Json]) -> list[list[Json]]:
    """Return for each path its steps: the sentence of each, whether it was inferred, and its evidence."""
    known: dict[tuple[str, str, str], tuple[Place, ...]] = {}

    def places(subject: str, predicate: str, value: str) -> tuple[Place, ...]:
        key = (subject, predicate, value)
        if key not in known:
            asked = {"subject": subject, "predicate": predicate, "object": None, "thing": value}
            claims = json.loads(context.current().ask("evidence", **asked | {"object": value}))["claims"]
            known[key] = read_places(claims)
        return known[key]

    told = []
    for path in paths:
        ends = pairwise(node["iri"] for node in path["nodes"])
        steps = []
        for step, (start, end) in zip(path["steps"], ends, strict=True):
            main = next((p for p in step["predicates"] if not p["inferred"]), step["predicates"][0])
            subject, value = (start, end) if step["forward"] else (end, start)
            steps.append(main | {"places": places(subject, main["iri"], value)})
        told.append(steps)
    return told


def _labels(paths: Iterable[Json]) -> dict[tuple[str, str], str]:
    """Return the label of what links each two things, in the direction of the link."""
    labels: dict[tuple[str, str], str] = {}
    for path in paths:
        ends = pairwise(node["iri"] for node in path["nodes"])
        for step, (start, end) in zip(path["steps"], ends, strict=True):
            pair = (start, end) if step["forward"] else (end, start)
            labels[pair] = step["predicates"][0]["label"]["value"]
    return labels
