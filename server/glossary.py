"""/glossary: the terms of the graph as files for translators."""

from __future__ import annotations

import flask
from compute_atlas.graph.exchange.glossary import make_glossary, split_languages
from compute_atlas.graph.exchange.glossary_formats import write
from compute_atlas.graph.lookup.resolve import type_filter
from compute_atlas.queries.formats import CSV, TURTLE, Format
from compute_atlas.server import requests
from compute_atlas.server.asking import JSON, choose_format
from compute_atlas.server.lookup import read_flag
from compute_atlas.server.requests import accepts, answers
from compute_atlas.server.terms import current_terms

blueprint = flask.Blueprint("glossary", __name__)

TBX = Format("tbx", ("application/x-tbx+xml",), ".tbx")
TBX2 = Format("tbx2", ("application/x-martif+xml",), ".tbx2")
OFFERS = (JSON, CSV, TBX, TBX2, TURTLE)
SUFFIXES = {offer.suffix: offer for offer in OFFERS}


@blueprint.get("/glossary")
@accepts("lang", "type", "bom", "format")
@answers(*OFFERS)
def show_glossary() -> flask.Response:
    """Show the terms in the format that `format` or Accept names."""
    choice = choose_format(OFFERS)
    return _answer(choice.format, choice.media_type)


@blueprint.get(f"/glossary<any({','.join(map(repr, SUFFIXES))}):suffix>")
@accepts("lang", "type", "bom")
@answers(*OFFERS)
def show_glossary_file(suffix: str) -> flask.Response:
    """Show the terms in the format that the suffix names."""
    offer = SUFFIXES[suffix]
    return _answer(offer, offer.media_types[0])


def _answer(offer: Format, media_type: str) -> flask.Response:
    parameters, index = requests.read_parameters(), current_terms().index
    accepts_thing = type_filter(index, parameters.all("type"))
    glossary = make_glossary(index.things, split_languages(parameters.one("lang")), accepts_thing)
    body = write(glossary, offer.name, with_bom=read_flag(parameters, "bom", False))
    content_type = f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type
    return flask.Response(body, 200, {"Content-Type": content_type, "Vary": "Accept"})
