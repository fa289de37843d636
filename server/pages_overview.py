"""/overview: what the graph holds, in numbers and lists that lead on."""

from __future__ import annotations

import flask
from compute_atlas.graph.comparing import entries
from compute_atlas.ontology.names import GRAPH_TERMS
from compute_atlas.server import context, graphs
from compute_atlas.server.members import members_of_classes
from compute_atlas.server.pages import View, answer_page
from compute_atlas.server.pages_explore import MOST_ORDERED
from compute_atlas.server.pages_thing import export_tools
from compute_atlas.server.requests import accepts

blueprint = flask.Blueprint("overview", __name__)

MOST_CLASSES, MOST_PROPERTIES = 40, 40
_MOST_MEMBERS = 8


@blueprint.get("/overview")
@accepts("lang")
def show_overview() -> flask.Response:
    """Show numbers, classes with members, properties by use, documents and graphs."""
    view, atlas = View.current(), context.current()
    members = members_of_classes(view.index)
    by_size = sorted(members, key=lambda name: (-len(members[name]), view.name(name).value))
    uses = atlas.statistics["properties"]
    shown = [iri for iri in uses if iri in view.index.things]
    return answer_page(
        view,
        "overview.html",
        about=atlas.about,
        statistics=atlas.statistics,
        classes=[
            (name, len(members[name]), view.order(members[name][:MOST_ORDERED])[:_MOST_MEMBERS])
            for name in by_size[:MOST_CLASSES]
        ],
        properties=sorted(((iri, uses[iri]) for iri in shown), key=lambda item: (-item[1], item[0]))[
            :MOST_PROPERTIES
        ],
        editions=entries.read(graphs.read_graph(GRAPH_TERMS)),
        tools=export_tools(),
    )
