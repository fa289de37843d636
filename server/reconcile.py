"""/reconcile/{lang}: the Reconciliation API 0.2, as OpenRefine speaks it."""

from __future__ import annotations

import json
from typing import Any

import flask
from compute_atlas.graph.exchange.directory import Directory
from compute_atlas.graph.exchange.extension import extend, propose, read_extension
from compute_atlas.graph.exchange.reconciliation import (
    Query,
    candidate,
    read_batch,
    read_object,
    read_query,
    reconcile,
    type_of,
)
from compute_atlas.graph.languages import ANY, checked
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.resolve import is_ordinary, resolve_class
from compute_atlas.graph.lookup.spoken import page_language, spoken_languages
from compute_atlas.graph.lookup.usertext import checked_query
from compute_atlas.ontology.names import BASE, ONTOLOGY
from compute_atlas.server import requests
from compute_atlas.server.addresses import address
from compute_atlas.server.asking import JSON, answer_json
from compute_atlas.server.cards import HEIGHT, WIDTH, answer_html, card_of, find_facts
from compute_atlas.server.context import current
from compute_atlas.server.errors import BadParameter, HttpError
from compute_atlas.server.lookup import read_number
from compute_atlas.server.negotiate import HTML, media_type
from compute_atlas.server.pages import card_page
from compute_atlas.server.parameters import Parameters, parse
from compute_atlas.server.requests import accepts_any, answers
from compute_atlas.server.terms import current_terms

blueprint = flask.Blueprint("reconcile", __name__)

VERSIONS = ["0.2"]
# What clients are asked to send at once, and what is still answered.
BATCH_SIZE, MOST_QUERIES = 50, 500
SUGGESTIONS, MOST_PROPERTIES, MOST_CURSOR = 20, 1000, 1_000_000
_DEFAULT_TYPES = 5
_FORM = "application/x-www-form-urlencoded"
_KINDS = ("entity", "type", "property")
_WHAT = f"<any({','.join(_KINDS)}):what>"


@blueprint.route("/reconcile/<lang>", methods=["GET", "POST"])
@accepts_any
@answers(JSON)
def answer_client(lang: str) -> flask.Response:
    """Answer a batch of queries, a single query or an extension; describe the service to all others."""
    parameters = _read_parameters()
    language, index = _language(lang), current_terms().index
    batch, single, extension = (parameters.one(name) for name in ("queries", "query", "extend"))
    if batch is not None:
        queries = read_batch(index, batch)
        if len(queries) > MOST_QUERIES:
            detail = f"a batch of {len(queries)} queries is too large; send at most {MOST_QUERIES} at once"
            raise HttpError(413, detail, parameter="queries")
        return answer_json({key: _result(index, query, language) for key, query in queries.items()})
    if single is not None:
        return answer_json(_result(index, _read_single(index, single), language))
    if extension is not None:
        return answer_json(extend(index, read_extension(index, extension), language, find_facts))
    return answer_json(_manifest(index, language))


@blueprint.get(f"/reconcile/<lang>/suggest/{_WHAT}")
@accepts_any
@answers(JSON)
def suggest(lang: str, what: str) -> flask.Response:
    """Suggest things, classes or properties whose name begins with a prefix."""
    language, parameters = _language(lang), requests.read_parameters()
    prefix = checked_query(parameters.one("prefix"), "prefix")
    start = read_number(parameters, "cursor", 0, 0, MOST_CURSOR)
    index = _index_of(what)
    found = index.suggest(prefix, spoken_languages(index.languages, language), is_ordinary)
    things = [hit.thing for hit in found.hits[start : start + SUGGESTIONS]]
    shown = [candidate(current_terms().index, thing, language) for thing in things]
    for item in shown:
        types = item.pop("type")
        if what == "entity":
            item["notable"] = types
    return answer_json({"result": shown})


@blueprint.get(f"/reconcile/<lang>/flyout/{_WHAT}")
@accepts_any
@answers(JSON)
def show_flyout(lang: str, what: str) -> flask.Response:
    """Return the card of what has been suggested, in JSON."""
    name = _read_id()
    card = card_of(_iri(name), [_language(lang)])
    return answer_json({"id": name, "html": card_page(card).decode()})


@blueprint.get("/reconcile/<lang>/preview")
@accepts_any
@answers(HTML)
def show_preview(lang: str) -> flask.Response:
    """Return the card of a thing as a page."""
    return answer_html(card_page(card_of(_iri(_read_id()), [_language(lang)])))


@blueprint.get("/reconcile/<lang>/view")
@accepts_any
def lead_to_page(lang: str) -> flask.Response:
    """Lead to the page of a thing."""
    _language(lang)
    location = address(requests.base_url(), _iri(_read_id()))
    return flask.Response(status=302, headers={"Location": location})


@blueprint.get("/reconcile/<lang>/properties")
@accepts_any
@answers(JSON)
def propose_properties(lang: str) -> flask.Response:
    """Propose the properties that things of a class have, the most used first."""
    language, parameters, index = _language(lang), requests.read_parameters(), current_terms().index
    name = checked_query(parameters.one("type"), "type")
    limit = read_number(parameters, "limit", MOST_PROPERTIES, 1, MOST_PROPERTIES)
    counts = json.loads(current().ask("usage", iri=resolve_class(index, name, "type")))
    properties = propose(index, counts, language, limit)
    return answer_json({"type": name, "limit": limit, "properties": properties})


def _manifest(index: Index, lang: str) -> dict[str, Any]:
    here = f"{requests.base_url()}/reconcile/{lang}"
    types = _directory().common_types[:_DEFAULT_TYPES]
    return {
        "versions": VERSIONS,
        "name": f"Compute Atlas ({lang})",
        "identifierSpace": BASE,
        "schemaSpace": ONTOLOGY,
        "documentation": f"{requests.base_url()}/",
        "defaultTypes": [type_of(index, iri, lang) for iri in types],
        "view": {"url": f"{here}/view?id={{{{id}}}}"},
        "preview": {"url": f"{here}/preview?id={{{{id}}}}", "width": WIDTH, "height": HEIGHT},
        "suggest": {
            what: {
                "service_url": here,
                "service_path": f"/suggest/{what}",
                "flyout_service_path": f"/flyout/{what}?id=${{id}}",
            }
            for what in _KINDS
        },
        "extend": {
            "propose_properties": {"service_url": here, "service_path": "/properties"},
            "property_settings": [],
        },
        "batchSize": BATCH_SIZE,
    }


def _result(index: Index, query: Query | None, lang: str) -> dict[str, Any]:
    """Return the candidates, none for a query that is wrong: the API has no other answer for one of many."""
    return {"result": [] if query is None else reconcile(index, query, lang, find_facts)}


def _read_single(index: Index, text: str) -> Query:
    """Return a query that is given by itself: an object as in a batch, or only the name."""
    content = (
        read_object(text, "query", '{"query": "…"}') if text.lstrip().startswith("{") else {"query": text}
    )
    return read_query(index, content, "query")


def _read_parameters() -> Parameters:
    """Return the parameters of the query string, or of the form that was sent."""
    if flask.request.method != "POST":
        return requests.read_parameters()
    kind, _ = media_type(flask.request.headers.get("Content-Type"))
    if kind != _FORM:
        raise HttpError(415, f'a body of type "{kind}" is not read; send {_FORM}')
    return parse(flask.request.get_data())


def _language(lang: str) -> str:
    """Return the language to answer in. Raises MalformedLanguage, UnknownLanguage."""
    available = current_terms().index.languages
    if checked(lang) == ANY or not available:
        return checked(lang)
    return page_language(available, lang)


def _read_id() -> str:
    name = requests.read_parameters().one("id")
    if not name:
        raise BadParameter("id", 'give the id of a thing as "id"')
    return name


def _iri(name: str) -> str:
    """Return the IRI of an id that was given out: those of classes and properties may have no label."""
    directory = _directory()
    for index in (current_terms().index, directory.types, directory.properties):
        thing = index.named(name)
        if thing:
            return thing.iri
    raise HttpError(404, f'there is no "{name[:80]}" here; use an id that this service has answered')


def _index_of(what: str) -> Index:
    if what == "entity":
        return current_terms().index
    return _directory().types if what == "type" else _directory().properties


def _directory() -> Directory:
    """Return the classes and properties of the graph, gathered once by each process."""
    context = current()
    return context.once(
        "directory", lambda: Directory(current_terms().index, context.statistics["properties"])
    )
