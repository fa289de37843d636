"""What operators and machines ask: health, metrics, running queries, the description of the data."""

from __future__ import annotations

import hmac
import json
from collections import Counter

import flask
from compute_atlas.queries.errors import UnknownThing
from compute_atlas.queries.formats import GRAPHS
from compute_atlas.server import context, requests
from compute_atlas.server.description import dataset_triples, serialize_triples
from compute_atlas.server.errors import HttpError
from compute_atlas.server.negotiate import choose
from compute_atlas.server.parameters import read_format
from compute_atlas.server.requests import accepts

blueprint = flask.Blueprint("operations", __name__)


@blueprint.get("/health/live")
def is_alive() -> flask.Response:
    """Say that this process answers."""
    return _json({"status": "live"})


@blueprint.get("/health/ready")
def is_ready() -> flask.Response:
    """Say that the graph is loaded and the owner of the workers answers; 503 otherwise."""
    about = context.current().workers.ask_owner(ask="about")
    return _json({"status": "ready", "graph": about["digest"], "triples": about["triples"]})


@blueprint.get("/metrics")
def show_metrics() -> flask.Response:
    """Return the metrics of the service in the text format of Prometheus."""
    from compute_atlas.server.metrics import CONTENT_TYPE, write_metrics

    atlas = context.current()
    counters = atlas.workers.ask_owner(ask="counters")
    running = Counter({"fast": 0, "slow": 0})
    running.update(entry["tier"] for entry in atlas.workers.ask_owner(ask="running"))
    content = write_metrics(context.contexts().counts.totals(), counters, running, atlas.about)
    return flask.Response(content, content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


@blueprint.get("/running")
def list_running() -> flask.Response:
    """List the queries in hand, oldest first, to whoever has the operator's token."""
    token = context.current().settings.operator_token
    if not token:
        raise HttpError(403, "nobody may list queries: the operator has set no COMPUTE_ATLAS_OPERATOR_TOKEN")
    given = flask.request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not hmac.compare_digest(given.encode(), token.encode()):
        headers = {"WWW-Authenticate": "Bearer"}
        raise HttpError(
            401, "listing queries needs the operator's token: Authorization: Bearer …", headers=headers
        )
    running = [query for found in context.contexts().ask_owners(ask="running") for query in found]
    return _json(sorted(running, key=lambda query: -query["running_s"]))


@blueprint.delete("/running/<query_id>")
def stop_query(query_id: str) -> flask.Response:
    """Stop a query; its id, which only its client knows, is the permission."""
    if not any(context.contexts().ask_owners(ask="cancel", id=query_id)):
        raise UnknownThing(f'no query "{query_id}" is running; it may have ended')
    response = flask.Response(status=204, headers={"Cache-Control": "no-store"})
    del response.headers["Content-Type"]
    return response


@blueprint.get("/.well-known/void")
@accepts("format")
def describe_data() -> flask.Response:
    """Describe the data with its real statistics, in VoID and DCAT."""
    choice = choose(GRAPHS, flask.request.headers.get("Accept"), read_format(requests.read_parameters()))
    atlas = context.current()
    triples = dataset_triples(requests.base_url(), atlas.about, atlas.statistics)
    return requests.answer(serialize_triples(triples, choice.format.name), choice.media_type)


def _json(content: object) -> flask.Response:
    body = json.dumps(content, ensure_ascii=False)
    return flask.Response(body, content_type="application/json", headers={"Cache-Control": "no-store"})
