"""The reading half of the SPARQL 1.1 Graph Store Protocol: /rdf-graph-store?default and ?graph=IRI."""

from __future__ import annotations

import flask
from compute_atlas.queries.formats import GRAPHS
from compute_atlas.queries.frames import Job
from compute_atlas.server import context, requests
from compute_atlas.server.errors import BadParameter
from compute_atlas.server.ids import new_id
from compute_atlas.server.negotiate import choose
from compute_atlas.server.parameters import read_format
from compute_atlas.server.requests import accepts
from compute_atlas.server.responses import Response

blueprint = flask.Blueprint("graph_store", __name__)


@blueprint.get("/rdf-graph-store")
@accepts("default", "graph", "format")
def show_graph() -> flask.Response:
    """Return one graph; the default graph is the union of all."""
    parameters = requests.read_parameters()
    graphs, wants_default = parameters.all("graph"), bool(parameters.all("default"))
    if len(graphs) + wants_default != 1:
        raise BadParameter("graph", "give either ?default or one ?graph=IRI")
    choice = choose(GRAPHS, flask.request.headers.get("Accept"), read_format(parameters))
    atlas = context.current()
    payload = {"graph": graphs[0] if graphs else None, "format": choice.format.name}
    title = f"graph {payload['graph'] or 'default'}"
    job = Job("stored_graph", payload, new_id(), atlas.settings.timeout_s, title)
    headers = {"Content-Type": f"{choice.media_type}; charset=utf-8", "Vary": "Accept"}
    return requests.to_flask(Response(200, headers, atlas.run(job)))
