"""/openapi.json describes all routes, with every parameter, and the service keeps to it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import flask
import pytest
from compute_atlas.queries.catalogue import catalogue
from compute_atlas.server import openapi
from compute_atlas.server.app import BLUEPRINTS

from tests.serving import Service


@pytest.fixture(scope="module")
def app() -> flask.Flask:
    app = flask.Flask(__name__, static_folder=None)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app


@pytest.fixture(scope="module")
def document(app: flask.Flask) -> dict[str, Any]:
    return openapi.describe(
        app, "http://127.0.0.1", {"series_by_cuda_version": {"version": ["10.2", "11.0"]}}
    )


def test_every_route_and_method_is_described(app: flask.Flask, document: dict[str, Any]) -> None:
    routes = {
        (openapi.template(rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    saved = {(f"/queries/{name}", "get") for name in catalogue()}
    endpoint = {("/sparql", "get"), ("/sparql", "post")}
    described = {(path, method) for path, item in document["paths"].items() for method in item}
    assert described == routes - {("/queries/{name}", "get")} | saved | endpoint


def test_every_parameter_is_described(document: dict[str, Any]) -> None:
    without = {
        (path, parameter["name"])
        for path, item in document["paths"].items()
        for operation in item.values()
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "query" and "description" not in parameter
    }
    assert without == set(), "describe these in server/openapi.toml"


def test_no_description_is_left_over(app: flask.Flask) -> None:
    told = openapi.parts()
    templates = {openapi.template(rule) for rule in app.url_map.iter_rules()}
    assert set(told["routes"]) - templates == set()
    accepted = {
        name
        for view in app.view_functions.values()
        for name in getattr(view, "accepted_parameters", None) or ()
    }
    assert set(told["parameters"]) - accepted == set()


def test_saved_queries_stand_with_types_enumerations_and_examples(document: dict[str, Any]) -> None:
    operation = document["paths"]["/queries/series_by_cuda_version"]["get"]
    assert operation["parameters"][0] == {
        "name": "version",
        "in": "query",
        "required": False,
        "schema": {"type": "string", "default": "11.0", "enum": ["10.2", "11.0"]},
        "description": "A version.",
        "example": "10.2",
    }
    limits = document["paths"]["/queries/inference_by_limits"]["get"]["parameters"][0]
    assert limits["schema"] == {"type": "integer", "default": 32, "minimum": 0}


def test_the_service_sends_the_description(embedded_service: Service) -> None:
    status, headers, body = embedded_service.request("GET", "/openapi.json")
    assert (status, headers["content-type"]) == (200, "application/json")
    document = json.loads(body)
    assert document["openapi"] == "3.1.0"
    assert document["servers"] == [{"url": embedded_service.url}]
    version = document["paths"]["/queries/series_by_cuda_version"]["get"]["parameters"][0]
    assert "11.8" in version["schema"]["enum"]


def test_the_service_keeps_to_its_description(embedded_service: Service, tmp_path: Path) -> None:
    """Schemathesis makes requests from the description, valid and not, and checks each answer against it."""
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "run",
        f"{embedded_service.url}/openapi.json",
    ]
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    options = ["--checks", checks, "--phases", "examples,coverage", "--seed", "1", "--no-color"]
    ran = subprocess.run(
        [*command, *options], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-1000:]
    assert "passed" in ran.stdout
