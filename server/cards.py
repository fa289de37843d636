"""/card: a hover card about a thing, as HTML to embed and as JSON."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Collection
from typing import Any

import flask
from compute_atlas.graph.exchange.card import make_card
from compute_atlas.graph.exchange.facts import Facts, gather, thing_of
from compute_atlas.ontology.names import KINDS
from compute_atlas.queries.asked import read_languages
from compute_atlas.server import requests
from compute_atlas.server.addresses import address
from compute_atlas.server.asking import (
    JSON,
    accepted_languages,
    answer_json,
    choose_format,
    current_names,
    read_values,
)
from compute_atlas.server.context import current
from compute_atlas.server.negotiate import HTML
from compute_atlas.server.pages import card_page
from compute_atlas.server.requests import accepts, answers
from compute_atlas.server.terms import current_terms
from pyoxigraph import RdfFormat, parse

blueprint = flask.Blueprint("cards", __name__)

OFFERS = (HTML, JSON)
# The size of a card in pixels; no card is larger.
WIDTH, HEIGHT = 400, 200
_KINDS = ",".join(KINDS)
_STYLES = re.compile(rb"<style>(.*?)</style>|\bstyle=\"([^\"]*)\"", re.DOTALL)


@blueprint.get(f"/card/<any({_KINDS}):kind>/<path:name>")
@accepts("lang", "format")
@answers(*OFFERS)
def show_card_of(kind: str, name: str) -> flask.Response:
    """Show the card of an individual of this vocabulary."""
    return _show(f"{kind}/{name}")


@blueprint.get("/card")
@accepts("of", "lang", "format")
@answers(*OFFERS)
def show_card() -> flask.Response:
    """Show the card of anything that has a name."""
    return _show(read_values().one("of"))


def card_of(iri: str, languages: list[str]) -> dict[str, Any]:
    """Return the card of a thing, with the address of its page and its size."""
    index = current_terms().index
    card = make_card(index, thing_of(index, iri), find_facts([iri], None).get(iri, {}), languages)
    url = address(requests.base_url(), iri)
    return {**card, "url": url, "width": WIDTH, "height": HEIGHT}


def find_facts(iris: Collection[str] | None, predicates: Collection[str] | None) -> Facts:
    """Return what is stated of some things (None: of all) with some predicates (None: with all)."""
    wanted = {"iris": iris, "predicates": predicates}
    listed = {name: None if names is None else list(names) for name, names in wanted.items()}
    return gather(parse(current().ask("values", **listed), format=RdfFormat.N_TRIPLES))


def answer_html(page: bytes) -> flask.Response:
    """Return a card as a page to be embedded, which runs nothing and has no style but its own."""
    styles = {in_element or in_attribute for in_element, in_attribute in _STYLES.findall(page)}
    hashes = " ".join(sorted(f"'sha256-{_digest(style)}'" for style in styles))
    headers = {
        "Content-Security-Policy": f"default-src 'none'; style-src 'unsafe-hashes' {hashes}",
        "X-Content-Type-Options": "nosniff",
        "Vary": "Accept, Accept-Language",
    }
    return requests.answer(page, "text/html", **headers)


def _digest(style: bytes) -> str:
    return base64.b64encode(hashlib.sha256(style).digest()).decode()


def _show(name: str | None) -> flask.Response:
    choice = choose_format(OFFERS)
    languages = read_languages(read_values(), accepted_languages())
    card = card_of(current_names().thing(name, "of"), languages)
    return answer_json(card) if choice.format is JSON else answer_html(card_page(card))
