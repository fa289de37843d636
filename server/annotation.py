"""/annotate and /check: which names stand in a text, and what is wrong with them."""

from __future__ import annotations

import json
from typing import Any

import flask
from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.lookup.answers import annotation_answer
from compute_atlas.graph.lookup.findings import as_format
from compute_atlas.graph.lookup.resolve import type_filter
from compute_atlas.graph.lookup.spoken import page_language, text_language
from compute_atlas.graph.lookup.terminology import check
from compute_atlas.graph.lookup.usertext import checked_page
from compute_atlas.queries.formats import Format
from compute_atlas.server import requests
from compute_atlas.server.asking import accepted_languages
from compute_atlas.server.errors import BadParameter, HttpError
from compute_atlas.server.lookup import JSON, json_answer
from compute_atlas.server.negotiate import choose, media_type
from compute_atlas.server.requests import accepts
from compute_atlas.server.terms import current_terms

blueprint = flask.Blueprint("annotation", __name__)

SARIF = Format("sarif", ("application/sarif+json",), ".sarif")
VALE = Format("vale", ("application/vnd.vale+json",), ".json")
_OFFERS = {"json": JSON, "vale": VALE, "sarif": SARIF}
_READ_TYPES = ("", "application/json", "text/json")

Members = dict[str, type]


@blueprint.post("/annotate")
@accepts("format")
def annotate() -> flask.Response:
    """Answer which stretches of a text name what."""
    choose([JSON], flask.request.headers.get("Accept"), requests.read_parameters().one("format"))
    members = {
        "text": str,
        "lang": str,
        "format": str,
        "offsets": str,
        "overlaps": bool,
        "types": list,
    }
    body = _read_members(members)
    terms = current_terms()
    accepts_thing = type_filter(terms.index, _names(body.get("types", [])), "types")
    used = text_language(terms.index.languages, body.get("lang"))
    found = terms.annotator(used).annotate(
        body["text"], body.get("format", "plain"), accepts_thing, overlaps=body.get("overlaps", False)
    )
    answer = annotation_answer(body["text"], found, body.get("offsets", "codepoint"))
    return json_answer({"lang": body.get("lang"), "lang_used": used, **answer})


@blueprint.post("/check")
@accepts("format")
def check_page() -> flask.Response:
    """Answer what is wrong with the terms of a page."""
    body = _read_members({"text": str, "lang": str, "format": str, "markup": str, "page": str})
    name = requests.read_parameters().one("format") or body.get("format")
    choice = choose(list(_OFFERS.values()), flask.request.headers.get("Accept"), name)
    terms = current_terms()
    lang = page_language(terms.index.languages, body.get("lang"), accepted_languages())
    findings = check(terms.index, body["text"], lang, terms.annotator, body.get("markup", "plain"))
    answer = as_format(findings, choice.format.name, body.get("page", "page"))
    if choice.format is JSON:
        answer = {"lang": body.get("lang"), "lang_used": lang, **answer}
    return json_answer(answer, "application/json" if choice.format is VALE else choice.media_type)


def _read_members(known: Members) -> dict[str, Any]:
    """Return the members of the JSON object in the body. Raises HttpError, BadParameter, InvalidValue."""
    kind, _ = media_type(flask.request.headers.get("Content-Type"))
    if kind not in _READ_TYPES:
        raise HttpError(415, f'a body of type "{kind}" is not read; send application/json')
    body = _parse(flask.request.get_data())
    if not isinstance(body, dict):
        raise HttpError(400, f"the body is no JSON object; send one with: {', '.join(known)}")
    body = {name: value for name, value in body.items() if value is not None}
    for name, value in body.items():
        if name not in known:
            mend = f"use one of: {', '.join(known)}"
            raise BadParameter(name[:100], f'unknown member "{name[:100]}"; {mend}', [*known])
        if not isinstance(value, known[name]):
            what = {str: "a text", bool: "true or false", list: "a list of texts"}[known[name]]
            raise BadParameter(name, f'"{name}" must be {what}, not {json.dumps(value)[:40]}')
    if "text" not in body:
        raise BadParameter("text", 'the "text" is missing; send {"text": "…", "lang": "…"}')
    checked_page(body["text"])
    return body


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise HttpError(400, f"the body is not UTF-8 at byte {error.start}; send JSON in UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise HttpError(400, f"the body is no JSON at {place}: {error.msg}; send a JSON object") from None
    except (ValueError, RecursionError):
        raise HttpError(400, "the body is JSON beyond any measure; send an object of texts") from None


def _names(types: list[Any]) -> list[str]:
    for name in types:
        if not isinstance(name, str):
            raise InvalidValue("types", json.dumps(name), "this is no text", "list names of classes")
    return types
