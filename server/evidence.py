"""/evidence: what a fact rests on."""

from __future__ import annotations

import flask
from compute_atlas.queries.asked import find_evidence
from compute_atlas.server import context
from compute_atlas.server.asking import JSON, answer_json, choose_format, current_names, read_values
from compute_atlas.server.requests import accepts, answers

blueprint = flask.Blueprint("evidence", __name__)


@blueprint.get("/evidence")
@accepts("subject", "predicate", "object", "format")
@answers(JSON)
def show_evidence() -> flask.Response:
    """List the claims behind the facts about a subject, each with its edition and line."""
    choose_format([JSON])
    atlas = context.current()
    return answer_json(
        find_evidence(read_values(), current_names(), lambda facts: atlas.ask("evidence", **facts))
    )
