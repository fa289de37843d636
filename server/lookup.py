"""/lookup and /suggest: find things by any of their names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import flask
from compute_atlas.graph.languages import checked
from compute_atlas.graph.lookup.answers import lookup_answer
from compute_atlas.graph.lookup.resolve import type_filter
from compute_atlas.graph.lookup.spoken import spoken_languages
from compute_atlas.graph.lookup.usertext import checked_query
from compute_atlas.queries.formats import Format
from compute_atlas.server import requests
from compute_atlas.server.asking import accepted_languages
from compute_atlas.server.errors import BadParameter
from compute_atlas.server.negotiate import choose
from compute_atlas.server.parameters import Parameters
from compute_atlas.server.requests import accepts
from compute_atlas.server.terms import current_terms

blueprint = flask.Blueprint("lookup", __name__)

JSON = Format("json", ("application/json",), ".json")
DEFAULT_LIMIT, MOST_RESULTS = 10, 1000
_MOST_OFFSET = 1_000_000


@blueprint.get("/lookup")
@accepts("q", "lang", "labellang", "type", "strictlang", "fuzzy", "limit", "offset", "format")
def show_lookup() -> flask.Response:
    """Answer what a text names, surely or nearly."""
    parameters = requests.read_parameters()
    query = checked_query(parameters.one("q"), "q")
    return _answer(parameters, query, is_prefix=False)


@blueprint.get("/suggest")
@accepts("prefix", "lang", "labellang", "type", "strictlang", "limit", "offset", "format")
def show_suggestions() -> flask.Response:
    """Answer what has a name that begins so."""
    parameters = requests.read_parameters()
    query = checked_query(parameters.one("prefix"), "prefix")
    return _answer(parameters, query, is_prefix=True)


def json_answer(content: Any, media_type: str = "application/json") -> flask.Response:
    """Return content as JSON with real characters."""
    body = json.dumps(content, ensure_ascii=False).encode()
    return flask.Response(body, 200, {"Content-Type": media_type, "Vary": "Accept, Accept-Language"})


def _answer(parameters: Parameters, query: str, *, is_prefix: bool) -> flask.Response:
    choose([JSON], flask.request.headers.get("Accept"), parameters.one("format"))
    terms, accepted = current_terms(), accepted_languages()
    lang = parameters.one("lang")
    spoken = spoken_languages(
        terms.index.languages, lang, accepted, only=read_flag(parameters, "strictlang", False)
    )
    accepts_thing = type_filter(terms.index, parameters.all("type"))
    limit = read_number(parameters, "limit", DEFAULT_LIMIT, 0, MOST_RESULTS)
    offset = read_number(parameters, "offset", 0, 0, _MOST_OFFSET)
    if is_prefix:
        found = terms.index.suggest(query, spoken, accepts_thing)
    else:
        fuzzy = read_flag(parameters, "fuzzy", True)
        found = terms.index.search(query, spoken, accepts_thing, fuzzy=fuzzy)
    languages = _label_languages(parameters.one("labellang"), lang, accepted)
    answer = lookup_answer(query, spoken, languages, found, limit=limit, offset=offset, digest=terms.digest)
    return json_answer(answer)


def _label_languages(labellang: str | None, lang: str | None, accepted: Sequence[str]) -> list[str]:
    if labellang is not None:
        return [checked(labellang, "labellang")]
    return [checked(lang)] if lang is not None else list(accepted)


def read_flag(parameters: Parameters, name: str, default: bool) -> bool:
    """Return whether a parameter is 1. Raises BadParameter unless it is 0, 1 or absent."""
    value = parameters.one(name)
    if value not in (None, "0", "1"):
        raise BadParameter(name, f'"{name}" is "{value}"; use 0 or 1', ["0", "1"])
    return default if value is None else value == "1"


def read_number(parameters: Parameters, name: str, default: int, least: int, most: int) -> int:
    """Return a whole number between two bounds. Raises BadParameter."""
    value = parameters.one(name)
    if value is None:
        return default
    if not (value.isascii() and value.isdigit() and len(value) < 10 and least <= int(value) <= most):
        raise BadParameter(name, f'"{name}" is "{value[:40]}"; give a whole number from {least} to {most}')
    return int(value)
