"""/: the start page, and what a text names."""

from __future__ import annotations

import flask
from compute_atlas.graph.lookup.labels import short_type
from compute_atlas.graph.lookup.resolve import is_ordinary
from compute_atlas.graph.lookup.spoken import spoken_languages
from compute_atlas.graph.lookup.usertext import checked_query
from compute_atlas.server import context, requests
from compute_atlas.server.members import members_of_classes
from compute_atlas.server.pages import View, answer_page, wants_page
from compute_atlas.server.requests import accepts
from flask.typing import ResponseReturnValue

blueprint = flask.Blueprint("explore", __name__)

MOST_HITS = 30
# Of a larger class only so many members are put in order.
MOST_ORDERED = 1000
_MOST_STARTS, _MOST_EXAMPLES = 6, 6


@blueprint.get("/")
@accepts("q", "lang")
def show_start() -> ResponseReturnValue:
    """Show the start page, or what a text names; one thing that is surely meant is shown at once."""
    view, text = View.current(), requests.read_parameters().one("q")
    if text is None or not text.strip():
        return answer_page(view, "start.html", starts=_starts(view), about=context.current().about)
    query = checked_query(text, "q")
    spoken = spoken_languages(view.index.languages, None, view.languages)
    found = view.index.search(query, spoken, is_ordinary)
    if found.match and wants_page():
        return flask.redirect(view.link(found.match.thing.iri), 303)
    return answer_page(view, "found.html", text=query, hits=found.hits[:MOST_HITS], total=len(found.hits))


def _starts(view: View) -> list[tuple[str, int, list[str]]]:
    """Return the classes with most members, how many they have, and some of these."""
    members = members_of_classes(view.index)
    return [
        (name, len(members[name]), view.order(members[name][:MOST_ORDERED])[:_MOST_EXAMPLES])
        for name in sorted(members, key=lambda name: _start_order(name, len(members[name])))[:_MOST_STARTS]
    ]


def _start_order(name: str, count: int) -> tuple[bool, int, str]:
    """Return what sorts classes by their members, those of everybody's vocabularies last."""
    short = short_type(name)
    return ":" in short and "://" not in short, -count, name
