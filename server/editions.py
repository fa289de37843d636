"""/editions: the documents that the graph was read from."""

from __future__ import annotations

import flask
from compute_atlas.graph.comparing import entries
from compute_atlas.ontology.names import GRAPH_TERMS
from compute_atlas.server import context, graphs
from compute_atlas.server.asking import JSON, answer_json, choose_format
from compute_atlas.server.errors import HttpError
from compute_atlas.server.requests import accepts, answers

blueprint = flask.Blueprint("editions", __name__)


@blueprint.get("/editions")
@accepts("format")
@answers(JSON)
def show_editions() -> flask.Response:
    """List the editions, each with its language, its title and how many triples it states."""
    choose_format([JSON])
    return answer_json({"editions": _editions()})


@blueprint.get("/editions/<name>")
@accepts("format")
@answers(JSON)
def show_edition(name: str) -> flask.Response:
    """Show one edition."""
    choose_format([JSON])
    found = _editions()
    edition = next((edition for edition in found if edition["id"] == name), None)
    if edition is None:
        known = ", ".join(str(edition["id"]) for edition in found) or "none is known"
        raise HttpError(404, f'there is no edition "{name}"; use one of: {known}')
    return answer_json(edition)


def _editions() -> list[dict[str, object]]:
    sizes = dict(context.current().about["graphs"])
    listed = [entry.as_json() for entry in entries.read(graphs.read_graph(GRAPH_TERMS))]
    return [edition | {"triples": sizes.get(str(edition["iri"]), 0)} for edition in listed]
