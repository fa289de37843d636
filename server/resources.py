"""The pages and the RDF of resources: /{kind}/{name}, /ontology, /resource?iri=, and links to them."""

from __future__ import annotations

from urllib.parse import quote, unquote

import flask
from compute_atlas.ontology.names import BASE, KINDS, ONTOLOGY
from compute_atlas.queries.formats import JSONLD, NT, RDFXML, TURTLE
from compute_atlas.server import context, requests
from compute_atlas.server.errors import BadParameter
from compute_atlas.server.negotiate import HTML, Choice, choose
from compute_atlas.server.pages_thing import thing_page
from compute_atlas.server.parameters import read_format
from compute_atlas.server.requests import accepts

blueprint = flask.Blueprint("resources", __name__)

OFFERS = (TURTLE, JSONLD, NT, RDFXML, HTML)
SUFFIXES = {offer.suffix: offer for offer in OFFERS}
_KINDS = ",".join(KINDS)


@blueprint.get(f"/<any({_KINDS}):kind>/")
@accepts("format", "lang")
def show_kind(kind: str) -> flask.Response:
    """Show what the address of a kind itself names, such as the scheme of all terms."""
    return _show(f"{BASE}{kind}/")


@blueprint.get(f"/<any({_KINDS}):kind>/<path:name>")
@accepts("format", "lang")
def show(kind: str, name: str) -> flask.Response:
    """Show an individual, in the format that a suffix, `format` or Accept names."""
    return _show_with_suffix(f"{BASE}{kind}/{_iri_path(name)}")


@blueprint.get("/ontology")
@blueprint.get("/ontology<suffix>")
@accepts("format", "lang")
def show_ontology(suffix: str = "") -> flask.Response:
    """Show the classes and properties."""
    if suffix and suffix not in SUFFIXES:
        flask.abort(404)
    return _show(ONTOLOGY.rstrip("#"), SUFFIXES.get(suffix))


@blueprint.get("/resource")
@accepts("iri", "format", "lang")
def show_resource() -> flask.Response:
    """Show any resource by its IRI."""
    iri = requests.read_parameters().one("iri")
    if not iri:
        raise BadParameter("iri", 'give the resource as "iri", percent-encoded')
    return _show(iri)


def _show_with_suffix(iri: str) -> flask.Response:
    for suffix, offer in SUFFIXES.items():
        if iri.endswith(suffix):
            return _show(iri.removesuffix(suffix), offer)
    return _show(iri)


def _show(iri: str, by_suffix: object = None) -> flask.Response:
    name = read_format(requests.read_parameters())
    chosen = next((offer for offer in OFFERS if offer is by_suffix), None)
    choice = (
        Choice(chosen, chosen.media_types[0])
        if chosen
        else choose(OFFERS, flask.request.headers.get("Accept"), name)
    )
    if choice.format is HTML:
        return thing_page(iri)
    body = context.current().ask("description", iri=iri, format=choice.format.name)
    return requests.answer(body, choice.media_type)


def _iri_path(name: str) -> str:
    """Return a decoded path as it stands in an IRI: only what no IRI may hold is encoded again."""
    return quote(unquote(name), safe="/:@!$&'()*+,;=~-._%" + "".join(c for c in name if ord(c) > 127))
