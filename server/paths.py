"""/paths and /neighbours: how things are connected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import flask
from compute_atlas.graph.export.formats import DRAWN, find_format
from compute_atlas.ontology.names import KINDS
from compute_atlas.queries.answering import ROWS_JSON
from compute_atlas.queries.asked import Values, read_center, read_languages, read_question, to_payload
from compute_atlas.queries.formats import CSV, GRAPHS, TSV, XML, Format
from compute_atlas.server import context
from compute_atlas.server.asking import (
    JSON,
    accepted_languages,
    answer_job,
    choose_format,
    current_names,
    read_values,
)
from compute_atlas.server.requests import accepts, answers

blueprint = flask.Blueprint("paths", __name__)

# As a table, paths have a row for each statement.
_ROWS = Format(ROWS_JSON, ("application/sparql-results+json",), ".srj")
# Of the time limit: what was found has to be worded, too.
SEARCH_SHARE = 0.5
_DRAWN = tuple(Format(made.name, (made.media_type,), made.suffix) for made in map(find_format, DRAWN))
PATH_OFFERS = (JSON, _ROWS, XML, CSV, TSV, *GRAPHS, *_DRAWN)
NEIGHBOUR_OFFERS = (JSON, *GRAPHS)
_KINDS = ",".join(KINDS)


@blueprint.get("/paths")
@accepts(
    *("from", "to", "mode", "k", "max_hops", "direction", "via", "avoid", "only", "without", "types"),
    *("limit", "lang", "format"),
)
@answers(*PATH_OFFERS)
def show_paths() -> flask.Response:
    """Find the paths from one thing to another."""
    values, choice = read_values(), choose_format(PATH_OFFERS)
    question, limits = read_question(values, current_names())
    payload = {
        "question": to_payload(question),
        "most": limits.paths,
        "seconds": context.current().settings.timeout_s * SEARCH_SHARE,
        "languages": read_languages(values, accepted_languages()),
        "format": choice.format.name,
    }
    return answer_job("paths", payload, choice.media_type)


@blueprint.get("/neighbours")
@accepts("of", "hops", "lang", "format")
@answers(*NEIGHBOUR_OFFERS)
def show_neighbours() -> flask.Response:
    """Show what lies one or two links around a thing."""
    return _around(read_values())


@blueprint.get(f"/neighbours/<any({_KINDS}):kind>/<path:name>")
@accepts("hops", "lang", "format")
@answers(*NEIGHBOUR_OFFERS)
def show_neighbours_of(kind: str, name: str) -> flask.Response:
    """Show what lies one or two links around an individual of this vocabulary."""
    return _around(_with(read_values(), {"of": [f"{kind}/{name}"]}))


def _around(values: Values) -> flask.Response:
    choice = choose_format(NEIGHBOUR_OFFERS)
    center, hops = read_center(values, current_names())
    payload = {
        "of": center,
        "hops": hops,
        "languages": read_languages(values, accepted_languages()),
        "format": choice.format.name,
    }
    return answer_job("neighbours", payload, choice.media_type)


def _with(values: Values, more: Mapping[str, Sequence[str]]) -> Values:
    return Values({**values.values, **more})
