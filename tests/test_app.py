"""The application under any WSGI server: it keeps to PEP 3333 and brings its own query workers."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

import flask
import pytest
from compute_atlas.server.app import create_app
from compute_atlas.server.context import Contexts
from compute_atlas.server.gateway import Gateway
from compute_atlas.server.keepers import CannotStart
from compute_atlas.server.settings import Settings

Call = Callable[..., tuple[str, dict[str, str], bytes]]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> flask.Flask:
    data = tmp_path_factory.mktemp("app") / "data.ttl"
    data.write_text("".join(f"<http://e/s{i}> <http://e/p> {i} .\n" for i in range(300)), encoding="utf-8")
    return create_app(
        Settings(data=(str(data),), fast_workers=1, slow_workers=1, public_url="https://kg.test/atlas/")
    )


@pytest.fixture
def call(app: flask.Flask) -> Call:
    """Call the application through a checker of the WSGI rules."""
    checked: Any = validator(app.wsgi_app)

    def send(method: str, path: str, body: bytes = b"", **more: str) -> tuple[str, dict[str, str], bytes]:
        environ: dict[str, Any] = {}
        setup_testing_defaults(environ)
        path, _, query = path.partition("?")
        environ |= {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, **more}
        environ |= {"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        started: list[Any] = []
        chunks = checked(environ, lambda status, headers, exc_info=None: started.extend((status, headers)))
        content = b"".join(chunks)
        chunks.close()
        return started[0], dict(started[1]), content

    return send


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", "200 OK"),
        ("HEAD", "/", "200 OK"),
        ("GET", "/sparql?query=ASK%7B%7D", "200 OK"),
        ("GET", "/atlas/sparql?query=ASK%7B%7D", "200 OK"),
        ("GET", "/sparql?query=ASK", "400 Bad Request"),
        ("OPTIONS", "/sparql", "204 No Content"),
        ("GET", "/none", "404 Not Found"),
        ("DELETE", "/running/none", "404 Not Found"),
        ("GET", "/rdf-graph-store?default", "200 OK"),
    ],
)
def test_answers_keep_the_rules_of_wsgi(call: Call, method: str, path: str, status: str) -> None:
    assert call(method, path)[0] == status


def test_a_long_answer_is_streamed(call: Call) -> None:
    query = urlencode({"query": "SELECT * { ?a ?b ?c . ?d ?e ?f }", "format": "csv"})
    _, headers, body = call("GET", f"/sparql?{query}")
    assert body.count(b"\r\n") == 90_001
    assert "Content-Length" not in headers


def test_an_unchanged_answer_keeps_the_rules_too(call: Call) -> None:
    tag = call("GET", "/sparql?query=ASK%7B%7D")[1]["ETag"]
    assert call("GET", "/sparql?query=ASK%7B%7D", HTTP_IF_NONE_MATCH=tag)[0] == "304 Not Modified"


def test_the_public_url_is_used_in_links(call: Call) -> None:
    assert b"<https://kg.test/atlas/sparql>" in call("GET", "/sparql")[2]
    assert b'href="https://kg.test/atlas/sparql"' in call("GET", "/")[2]
    assert b"https://kg.test/atlas/.well-known/void#dataset" in call("GET", "/atlas/.well-known/void")[2]


def test_a_host_that_is_no_host_is_not_repeated(tmp_path: Path) -> None:
    gateway = Gateway(lambda environ, start: [], Contexts(Settings(socket_dir=str(tmp_path))))
    environ = {
        "HTTP_HOST": 'x"><script>',
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
    }
    assert gateway.base_url(environ) == "http://localhost:80"


def test_post(call: Call) -> None:
    body = b"SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    content = call("POST", "/sparql", body, CONTENT_TYPE="application/sparql-query")[2]
    assert json.loads(content)["results"]["bindings"][0]["n"]["value"] == "300"


def test_unreadable_data_stops_the_start(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CannotStart):
        create_app(Settings(data=(str(tmp_path / "none.ttl"),)))
    assert "none.ttl: there is no such file" in capfd.readouterr().err
