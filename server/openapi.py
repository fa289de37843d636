"""/openapi.json: the description of all routes, made from the routes and the saved queries themselves."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import flask
from compute_atlas.queries.catalogue import Parameter, SavedQuery, catalogue
from compute_atlas.queries.formats import FORMATS
from compute_atlas.server import context, requests
from compute_atlas.server.asking import JSON, answer_json, choose_format
from compute_atlas.server.errors import MEDIA_TYPE
from compute_atlas.server.gateway import ENDPOINT
from compute_atlas.server.requests import accepts, answers
from compute_atlas.server.saved_queries import offers
from werkzeug.routing import Rule

blueprint = flask.Blueprint("openapi", __name__)

PARTS = Path(__file__).with_name("openapi.toml")
# The one route that stands for many: each saved query has an entry of its own.
SAVED_QUERY = "/queries/{name}"

_CONVERTER = re.compile(r"<(?:([^:<>]*):)?([^<>]+)>")
_TYPES = {"integer": "integer"}
_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "parameter": {"type": "string"},
        "allowed": {"type": "array", "items": {"type": "string"}},
        "suggestions": {"type": "array", "items": {"type": "string"}},
    },
}
Document = dict[str, Any]


@blueprint.get("/openapi.json")
@accepts("format")
@answers(JSON)
def show_description() -> flask.Response:
    """Describe all routes in OpenAPI 3.1."""
    choose_format([JSON])
    allowed = json.loads(context.current().ask("allowed_values"))
    return answer_json(describe(flask.current_app, requests.base_url(), allowed))


def describe(app: flask.Flask, url: str, allowed: dict[str, dict[str, list[str]]]) -> Document:
    """Return the document; `allowed` has the values that parameters of saved queries may have."""
    paths: Document = {ENDPOINT: _endpoint()}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        path = template(rule)
        if path == SAVED_QUERY:
            paths |= {f"/queries/{q.name}": {"get": _saved_query(q, allowed)} for q in catalogue().values()}
        else:
            paths.setdefault(path, {}).update(_operations(rule, path, app.view_functions[rule.endpoint]))
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Compute Atlas",
            "version": metadata("compute-atlas")["Version"],
            "summary": metadata("compute-atlas")["Summary"],
        },
        "servers": [{"url": url}],
        "paths": paths,
        "components": {"schemas": {"Problem": _PROBLEM}},
    }


def template(rule: Rule) -> str:
    """Return the path of a route as OpenAPI writes it."""
    return _CONVERTER.sub(lambda found: "{" + found[2] + "}", rule.rule)


@cache
def parts() -> Document:
    """Return what is said beyond what the routes declare."""
    return tomllib.loads(PARTS.read_text(encoding="utf-8"))


def _operations(rule: Rule, path: str, view: Callable[..., Any]) -> Iterator[tuple[str, Document]]:
    facts = parts()["routes"].get(path, {})
    names: frozenset[str] | None = getattr(view, "accepted_parameters", frozenset())
    choices: Mapping[str, Iterable[str]] = getattr(view, "path_choices", {})
    asked = (_parameter(name, facts) for name in sorted(names or ()))
    parameters = [*_path_parameters(rule, choices), *asked]
    for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
        operation: Document = {
            "operationId": f"{method.lower()} {path}",
            "summary": (inspect.getdoc(view) or "").partition("\n")[0],
            "parameters": parameters,
            "responses": _responses(facts.get("media_types") or _media_types(view)),
        }
        if "body" in facts:
            operation["requestBody"] = _body(facts)
        yield method.lower(), operation


def _media_types(view: Callable[..., Any]) -> list[str]:
    return [offer.media_types[0] for offer in getattr(view, "offers", ())]


def _path_parameters(rule: Rule, known: Mapping[str, Iterable[str]]) -> Iterator[Document]:
    for converter, name in _CONVERTER.findall(rule.rule):
        schema: Document = {"type": "string", "minLength": 1}
        if name in known:
            schema = {"type": "string", "enum": list(known[name])}
        elif choices := re.fullmatch(r"any\((.*)\)", converter):
            schema = {"type": "string", "enum": [choice.strip("'\"") for choice in choices[1].split(",")]}
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def _parameter(name: str, facts: Document) -> Document:
    """Return a parameter of the query string as it is described for its route, else for all."""
    about = facts.get("parameters", {}).get(name) or parts()["parameters"].get(name, {})
    members = ("enum", "default", "minimum", "maximum", "format")
    schema = {"type": about.get("type", "string")} | {key: about[key] for key in members if key in about}
    told: Document = {"name": name, "in": "query", "required": about.get("required", False)}
    told["schema"] = {"type": "array", "items": schema} if about.get("array") else schema
    return told | {key: about[key] for key in ("description", "example") if key in about}


def _body(facts: Document) -> Document:
    properties = {name: {"type": kind} for name, kind in facts["body"].items()}
    schema = {"type": "object", "required": facts["body_required"], "properties": properties}
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _saved_query(query: SavedQuery, allowed: dict[str, dict[str, list[str]]]) -> Document:
    parameters = [_query_parameter(p, allowed.get(query.name, {}).get(p.name)) for p in query.parameters]
    if all(parameter["name"] != "lang" for parameter in parameters):
        parameters.append(_parameter("lang", {}))
    return {
        "operationId": f"get /queries/{query.name}",
        "summary": query.title["en"],
        "description": query.description["en"],
        "parameters": [*parameters, _parameter("format", {})],
        "responses": _responses(offer.media_types[0] for offer in offers(query)),
    }


def _query_parameter(parameter: Parameter, allowed: list[str] | None) -> Document:
    schema: Document = {"type": _TYPES.get(parameter.kind, "string")}
    facts = {"default": parameter.default, "minimum": parameter.minimum, "enum": allowed}
    schema |= {name: value for name, value in facts.items() if value is not None}
    if parameter.kind == "date":
        schema["format"] = "date"
    what = f" of the class {parameter.class_name}" if parameter.class_name else ""
    told = {"name": parameter.name, "in": "query", "required": parameter.is_required, "schema": schema}
    told["description"] = f"A {parameter.kind}{what}."
    return told if parameter.example is None else told | {"example": parameter.example}


def _endpoint() -> Document:
    about = parts()["endpoint"]
    parameters = [
        {"name": name, "in": "query", "description": text, "schema": {"type": "string"}}
        for name, text in about["parameters"].items()
    ]
    responses = _responses(dict.fromkeys(found.media_types[0] for found in FORMATS.values()))
    get = {"operationId": f"get {ENDPOINT}", "parameters": parameters, "responses": responses}
    texts = {"summary": about["summary"], "description": about["description"]}
    form = {"type": "object", "required": ["query"], "properties": {"query": {"type": "string"}}}
    content = {
        "application/x-www-form-urlencoded": {"schema": form},
        "application/sparql-query": {"schema": {"type": "string"}},
    }
    body = {"required": True, "content": content}
    post = {"operationId": f"post {ENDPOINT}", "requestBody": body, "responses": responses}
    return {"get": texts | get, "post": texts | post}


def _responses(media_types: Iterable[str]) -> Document:
    content: Document = {media_type: {} for media_type in media_types}
    answer = {"description": "The answer."} | ({"content": content} if content else {})
    schema = {"$ref": "#/components/schemas/Problem"}
    problem = {"description": "What was wrong, and what to do.", "content": {MEDIA_TYPE: {"schema": schema}}}
    return {"2XX": answer, "4XX": problem, "503": problem}
