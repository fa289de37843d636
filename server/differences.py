"""/differences: where editions disagree."""

from __future__ import annotations

import flask
from compute_atlas.graph.comparing import disagreements
from compute_atlas.graph.comparing.disagreements import KINDS, LEVELS, Disagreement
from compute_atlas.ontology.names import GRAPH_DISAGREEMENTS
from compute_atlas.queries.formats import CSV
from compute_atlas.server import graphs, requests
from compute_atlas.server.asking import JSON, answer_json, choose_format
from compute_atlas.server.errors import BadParameter
from compute_atlas.server.negotiate import HTML
from compute_atlas.server.pages_differences import differences_page
from compute_atlas.server.requests import accepts, answers

blueprint = flask.Blueprint("differences", __name__)

OFFERS = (JSON, CSV, HTML)


@blueprint.get("/differences")
@accepts("kind", "level", "edition", "subject", "offset", "format", "lang")
@answers(*OFFERS)
def show_differences() -> flask.Response:
    """List the points on which editions differ, with what each side says, by level, kind and subject."""
    choice = choose_format(OFFERS)
    everything = disagreements.read(graphs.read_graph(GRAPH_DISAGREEMENTS))
    found = _selected(everything)
    if choice.format is CSV:
        return requests.answer(disagreements.as_csv(found).encode(), CSV.media_types[0])
    if choice.format is HTML:
        return differences_page(everything, found)
    return answer_json({"items": [item.as_json() for item in found]})


def _selected(found: list[Disagreement]) -> list[Disagreement]:
    parameters = requests.read_parameters()
    kind, level, edition = (parameters.one(name) or None for name in ("kind", "level", "edition"))
    editions = sorted(set().union(*(item.editions for item in found)))
    for name, value, allowed in (
        ("kind", kind, sorted(KINDS)),
        ("level", level, list(LEVELS)),
        ("edition", edition, editions),
    ):
        if value is not None and value not in allowed:
            raise BadParameter(name, f'unknown {name} "{value}"; use one of: {", ".join(allowed)}', allowed)
    subject = parameters.one("subject")
    return [
        item
        for item in disagreements.select(found, kind, level, edition)
        if subject in (None, "", item.subject)
    ]
