"""Standard clients work unchanged."""

from __future__ import annotations

import functools
import http.server
import io
import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pandas
import pytest
import rdflib
import SPARQLWrapper
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from tests.serving import Service

SELECT = "SELECT ?o WHERE { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?o } ORDER BY STR(?o)"
LABELS = ["<b>&", "NCv3 シリーズ", "Serie NCv3", "Volta"]


@pytest.mark.parametrize("method", [SPARQLWrapper.GET, SPARQLWrapper.POST])
@pytest.mark.parametrize("posting", [SPARQLWrapper.URLENCODED, SPARQLWrapper.POSTDIRECTLY])
def test_sparqlwrapper_tables(served: Service, method: str, posting: str) -> None:
    client: Any = SPARQLWrapper.SPARQLWrapper(f"{served.url}/sparql")
    client.setQuery(SELECT)
    client.setMethod(method)
    client.setRequestMethod(posting)
    client.setReturnFormat(SPARQLWrapper.JSON)
    bindings = client.queryAndConvert()["results"]["bindings"]
    assert [row["o"]["value"] for row in bindings] == LABELS
    client.setReturnFormat(SPARQLWrapper.CSV)
    assert client.queryAndConvert().decode().split("\r\n")[1:5] == LABELS
    client.setReturnFormat(SPARQLWrapper.XML)
    literals = client.queryAndConvert().getElementsByTagName("literal")
    assert [literal.firstChild.data for literal in literals] == LABELS


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph")  # SPARQLWrapper's own
@pytest.mark.parametrize("name", ["TURTLE", "RDFXML", "N3", "XML"])
def test_sparqlwrapper_graphs(served: Service, name: str) -> None:
    client: Any = SPARQLWrapper.SPARQLWrapper(f"{served.url}/sparql")
    client.setQuery("CONSTRUCT WHERE { ?s <http://kg.test/next> ?o }")
    client.setReturnFormat(getattr(SPARQLWrapper, name))
    content = client.queryAndConvert()
    graph = (
        content if isinstance(content, rdflib.Graph) else rdflib.Graph().parse(data=content, format="turtle")
    )
    assert len(graph) == 2


def test_sparqlwrapper_errors(served: Service) -> None:
    client: Any = SPARQLWrapper.SPARQLWrapper(f"{served.url}/sparql")
    client.setQuery("SELECT WHERE")
    with pytest.raises(SPARQLWrapper.SPARQLExceptions.QueryBadFormed, match="line 1, column"):
        client.query()


@pytest.mark.parametrize("result_format", ["xml", "json", "csv", "tsv"])
def test_rdflib_sparqlstore(served: Service, result_format: str) -> None:
    store = SPARQLStore(f"{served.url}/sparql", returnFormat=result_format)
    graph = rdflib.Graph(store)
    rows: Any = graph.query(SELECT)
    assert sorted(str(row[0]) for row in rows) == sorted(LABELS)
    assert len(list(graph.triples((None, rdflib.URIRef("http://kg.test/next"), None)))) == 2


def test_pandas_reads_a_url(served: Service) -> None:
    query = "SELECT ?s (COUNT(*) AS ?n) { ?s <http://kg.test/next> ?o } GROUP BY ?s ORDER BY ?s"
    frame = pandas.read_csv(
        f"{served.url}/sparql?" + urlencode({"query": query, "format": "csv", "labels": "it"})
    )
    assert list(frame.columns) == ["s", "s_label", "n"]
    assert list(frame.itertuples(index=False, name=None)) == [
        ("http://kg.test/NCv3", "Serie NCv3", 1),
        ("http://kg.test/Volta", "Volta", 1),
    ]


def test_pandas_keeps_rows_without_a_value(served: Service) -> None:
    query = urlencode({"query": "SELECT ?x { VALUES ?x { 1 UNDEF 3 } }", "format": "csv"})
    assert len(pandas.read_csv(io.BytesIO(served.request("GET", f"/sparql?{query}")[2]))) == 3


def test_curl(served: Service) -> None:
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    url = f"{served.url}/sparql"
    for arguments in (
        ["-G", url, "--data-urlencode", f"query={SELECT}", "-H", "Accept: text/csv"],
        [url, "--data-urlencode", f"query={SELECT}", "-H", "Accept: text/csv", "--compressed"],
        [
            url,
            "--data-binary",
            SELECT,
            "-H",
            "Content-Type: application/sparql-query",
            "-H",
            "Accept: text/csv",
        ],
        [
            "-X",
            "QUERY",
            url,
            "-d",
            SELECT,
            "-H",
            "Content-Type: application/sparql-query",
            "-H",
            "Accept: text/csv",
        ],
    ):
        done = subprocess.run(["curl", "-sS", "--noproxy", "*", *arguments], capture_output=True, check=True)
        assert done.stdout.decode().split("\r\n") == ["o", *LABELS, ""]


PAGE = """<!doctype html><meta charset=utf-8><title>waiting</title><body><script>
async function ask(address, options) {{
  const response = await fetch(address, options)
  return [response.status, (await response.text()).length > 20, response.headers.get('Atlas-Query-Id') !== null]
}}
Promise.all([
  ask('{url}/sparql?query=ASK%7B%7D'),
  ask('{url}/sparql', {{method: 'POST', headers: {{'Content-Type': 'application/sparql-query', 'Atlas-Query-Id': 'page'}}, body: 'ASK {{}}'}}),
  ask('{url}/sparql?query=SELEC'),
  ask('{url}/nowhere'),
]).then(answers => document.body.textContent = JSON.stringify(answers),
        error => document.body.textContent = 'failed: ' + error)
</script>"""


@pytest.fixture
def other_origin(served: Service, tmp_path: Path) -> Iterator[str]:
    """The address of a page, served from another port, that asks the service by `fetch`."""
    (tmp_path / "page.html").write_text(PAGE.format(url=served.url), encoding="utf-8")

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    handler = functools.partial(Handler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/page.html"
        server.shutdown()
        thread.join()


def test_fetch_from_a_page_of_another_origin(other_origin: str, tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        pytest.skip("no chromium here: install Debian's package to run this test")
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path / 'profile'}",
    ]
    command += ["--virtual-time-budget=10000", "--dump-dom", other_origin]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    shown = done.stdout.decode().partition("<body>")[2].partition("</body>")[0].strip()
    assert json.loads(shown) == [[200, True, True], [200, True, True], [400, True, False], [404, True, False]]
