"""The service over HTTP: routes, errors, headers, methods, encodings."""

from __future__ import annotations

import gzip
import json
import re
import xml.etree.ElementTree as ElementTree
from urllib.parse import quote, urlencode

import pytest
from pyoxigraph import RdfFormat, parse
from rdflib import Graph

from tests.serving import Service

RDF_TYPES = {
    "text/turtle": RdfFormat.TURTLE,
    "application/n-triples": RdfFormat.N_TRIPLES,
    "application/rdf+xml": RdfFormat.RDF_XML,
    "application/ld+json": RdfFormat.JSON_LD,
}
BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"
VOLTA = "/resource?" + urlencode({"iri": "http://kg.test/Volta"})
SELECT = "/sparql?" + urlencode({"query": "SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o"})


def problem(answer: tuple[int, dict[str, str], bytes]) -> dict[str, object]:
    """Return the members of a problem after checking what all problems have."""
    status, headers, body = answer
    assert headers["content-type"] == "application/problem+json"
    assert headers["cache-control"] == "no-store"
    assert headers["access-control-allow-origin"] == "*"
    members: dict[str, object] = json.loads(body)
    assert members["status"] == status
    assert {"type", "title", "status", "detail"} <= set(members)
    return members


@pytest.mark.parametrize(
    ("method", "path", "status", "detail"),
    [
        ("GET", "/no-such-page", 404, '"/no-such-page"'),
        ("GET", "/series/none", 404, "series/none"),
        ("GET", "/series/none.ttl", 404, "series/none"),
        ("GET", "/ontology.docx", 404, "/ontology.docx"),
        ("GET", "/resource", 400, '"iri"'),
        ("GET", "/resource?iri=no+iri", 400, "<no iri>"),
        ("GET", "/resource?iri=http://kg.test/none", 404, "<http://kg.test/none>"),
        ("GET", f"{VOLTA}&format=docx", 400, "docx"),
        ("GET", f"{VOLTA}&format=csv", 406, "csv"),
        ("GET", f"{VOLTA}&x=1", 400, '"x"'),
        ("GET", "/health/live?verbose=1", 400, '"verbose"'),
        ("GET", "/rdf-graph-store", 400, "?default"),
        ("GET", "/rdf-graph-store?default&graph=http://kg.test/g", 400, "?default"),
        ("GET", "/rdf-graph-store?graph=http://kg.test/none", 404, "<http://kg.test/none>"),
        ("GET", "/rdf-graph-store?graph=no+iri", 400, "<no iri>"),
        ("PUT", "/rdf-graph-store?default", 405, "GET, HEAD"),
        ("POST", "/", 405, "GET"),
        ("DELETE", "/sparql", 405, "GET"),
        ("GET", "/%ff", 400, "UTF-8"),
        ("GET", "/resource?iri=%zz", 400, "%zz"),
        ("GET", "/sparql?query=" + "x" * 61_000, 414, "use POST"),
        ("GET", "/running", 401, "token"),
        ("DELETE", "/running/none", 404, '"none"'),
    ],
)
def test_what_is_wrong_is_a_problem(
    served: Service, method: str, path: str, status: int, detail: str
) -> None:
    members = problem(served.request(method, path))
    assert members["status"] == status
    assert detail in str(members["detail"])


def test_a_browser_gets_problems_as_pages(served: Service) -> None:
    status, headers, body = served.request("GET", "/%3Cscript%3E", accept=BROWSER)
    assert (status, headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert b"<script>" not in body


def test_a_body_that_is_too_large_is_refused(served: Service) -> None:
    for content in (b"x" * 6_000_000, b"x" * (4 * 1024 * 1024 + 1)):
        answer = served.request("POST", "/sparql", content, Content_Type="application/sparql-query")
        assert problem(answer)["status"] == 413


def test_a_large_literal_is_not_a_problem(served: Service) -> None:
    query = f"SELECT (STRLEN('''{'x' * 3_000_000}''') AS ?n) {{}}".encode()
    status, _, body = served.request("POST", "/sparql", query, Content_Type="application/sparql-query")
    assert (status, json.loads(body)["results"]["bindings"][0]["n"]["value"]) == (200, "3000000")


@pytest.mark.parametrize("path", ["/", "/sparql", VOLTA, SELECT, "/health/live", "/rdf-graph-store?default"])
def test_head_has_the_headers_of_get(served: Service, path: str) -> None:
    status, headers, body = served.request("GET", path)
    head_status, head_headers, head_body = served.request("HEAD", path)
    assert (head_status, head_body) == (status, b"")
    for name in ("date", "atlas-query-id", "server-timing"):
        headers.pop(name, None), head_headers.pop(name, None)
    assert head_headers == headers
    assert headers["content-length"] == str(len(body))


@pytest.mark.parametrize("path", ["/", "/sparql", "/running/x", "/nowhere"])
def test_preflight(served: Service, path: str) -> None:
    status, headers, _ = served.request(
        "OPTIONS",
        path,
        Origin="http://other.test",
        Access_Control_Request_Method="POST",
        Access_Control_Request_Headers="content-type, atlas-query-id",
    )
    assert status == 204
    assert headers["access-control-allow-origin"] == "*"
    assert {"GET", "HEAD", "POST", "QUERY", "DELETE", "OPTIONS"} <= set(
        headers["access-control-allow-methods"].split(", ")
    )
    assert headers["access-control-allow-headers"] == "content-type, atlas-query-id"
    assert "access-control-allow-credentials" not in headers


@pytest.mark.parametrize("path", [SELECT, VOLTA, "/", "/sparql", "/.well-known/void"])
def test_an_unchanged_answer_is_304(served: Service, path: str) -> None:
    _, headers, _ = served.request("GET", path)
    status, again, body = served.request("GET", path, If_None_Match=headers["etag"])
    assert (status, body, again["etag"]) == (304, b"", headers["etag"])
    assert "Accept" in headers["vary"]


def test_gzip_where_asked(served: Service) -> None:
    path = "/sparql?" + urlencode({"query": "SELECT * { ?s ?p ?o . ?a ?b ?c }"})
    plain = served.request("GET", path)[2]
    _, headers, body = served.request("GET", path, Accept_Encoding="br, gzip;q=0.5")
    assert headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in headers["vary"]
    assert gzip.decompress(body) == plain
    assert "content-encoding" not in served.request("GET", path, Accept_Encoding="gzip;q=0, br")[1]


def test_answers_hold_real_characters(served: Service) -> None:
    assert "NCv3 シリーズ".encode() in served.request("GET", SELECT)[2]
    detail = problem(served.request("GET", "/resource?iri=" + quote("http://kg.test/シ")))["detail"]
    assert "シ" in str(detail)


def test_the_same_request_gives_the_same_bytes(served: Service) -> None:
    for path in (SELECT, VOLTA, "/rdf-graph-store?default", "/.well-known/void", "/sparql"):
        assert len({served.request("GET", path)[2] for _ in range(8)}) == 1, path


def test_xml_is_well_formed_whatever_the_data(served: Service) -> None:
    query = urlencode(
        {"query": "SELECT ?o { ?s <http://www.w3.org/2000/01/rdf-schema#comment> ?o } ORDER BY ?o"}
    )
    body = served.request("GET", f"/sparql?{query}&format=xml")[2]
    texts = [
        literal.text for literal in ElementTree.fromstring(body).iter() if literal.tag.endswith("literal")
    ]
    assert texts == ["control \ufffd", "line\r\nbreak"]


# --- the description of the service and the data


@pytest.mark.parametrize("media_type", RDF_TYPES)
def test_the_service_description_names_endpoint_and_graphs(served: Service, media_type: str) -> None:
    _, headers, body = served.request("GET", "/sparql", accept=media_type)
    assert headers["content-type"].startswith(media_type)
    found = {
        (quad.predicate.value.rpartition("#")[2], quad.object)
        for quad in parse(body, format=RDF_TYPES[media_type])
    }
    values = {name: [getattr(value, "value", "") for key, value in found if key == name] for name, _ in found}
    assert values["endpoint"] == [f"{served.url}/sparql"]
    assert sorted(values["name"]) == ["http://kg.test/g", "http://kg.test/h"]
    assert any(feature.endswith("UnionDefaultGraph") for feature in values["feature"])
    assert sorted(values["triples"]) == ["11", "4"]


def test_a_browser_gets_the_query_page(served: Service) -> None:
    _, headers, body = served.request("GET", "/sparql", accept=BROWSER)
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert b"<textarea" in body


def test_void_has_the_real_numbers(served: Service) -> None:
    body = served.request("GET", "/.well-known/void", accept="application/n-triples")[2].decode()
    numbers = dict(re.findall(r"void#dataset> <http://rdfs.org/ns/void#(\w+)> \"(\d+)\"", body))
    assert numbers == {
        "triples": "11",
        "distinctSubjects": "4",
        "distinctObjects": "10",
        "properties": "5",
        "classes": "2",
    }
    assert f"<http://rdfs.org/ns/void#sparqlEndpoint> <{served.url}/sparql>" in body


# --- stored graphs and resources


@pytest.mark.parametrize("media_type", RDF_TYPES)
@pytest.mark.parametrize(("query", "triples"), [("default", 11), ("graph=http://kg.test/g", 4)])
def test_stored_graphs(served: Service, media_type: str, query: str, triples: int) -> None:
    _, headers, body = served.request("GET", f"/rdf-graph-store?{query}", accept=media_type)
    assert headers["content-type"].startswith(media_type)
    assert len(set(map(str, parse(body, format=RDF_TYPES[media_type])))) == triples


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph")  # rdflib's own, in its JSON-LD parser
@pytest.mark.parametrize("media_type", RDF_TYPES)
def test_a_resource_as_rdf(served: Service, media_type: str) -> None:
    body = served.request("GET", VOLTA, accept=media_type)[2]
    graph = Graph().parse(data=body, format=media_type)
    assert len(graph) == 4


def test_a_resource_as_a_page_is_escaped(served: Service) -> None:
    _, headers, body = served.request("GET", VOLTA, accept=BROWSER, accept_language="it")
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert "Accept-Language" in headers["vary"]
    assert b"<h1>Volta</h1>" in body
    assert b"<b>&" not in body
    assert b"&lt;b&gt;&amp;" in body


@pytest.mark.parametrize(
    ("path", "accept", "media_type"),
    [
        ("/series/NCv3", "text/turtle", "text/turtle"),
        ("/series/NCv3", BROWSER, "text/html"),
        ("/series/NCv3.ttl", BROWSER, "text/turtle"),
        ("/series/NCv3.jsonld", "*/*", "application/ld+json"),
        ("/series/NCv3.nt", "*/*", "application/n-triples"),
        ("/series/NCv3.rdf", "*/*", "application/rdf+xml"),
        ("/series/NCv3.html", "*/*", "text/html"),
        ("/series/NCv3?format=nt", BROWSER, "application/n-triples"),
        ("/cuda/11.0", "application/ld+json", "application/ld+json"),
        ("/cuda/11.0.ttl", "*/*", "text/turtle"),
        ("/ontology", "application/rdf+xml", "application/rdf+xml"),
        ("/ontology.ttl", "*/*", "text/turtle"),
        ("/ontology", BROWSER, "text/html"),
    ],
)
def test_dereferencing(embedded_service: Service, path: str, accept: str, media_type: str) -> None:
    status, headers, body = embedded_service.request("GET", path, accept=accept)
    assert (status, headers["content-type"].partition(";")[0]) == (200, media_type)
    if media_type in RDF_TYPES:
        assert len(list(parse(body, format=RDF_TYPES[media_type]))) >= 3


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph")  # rdflib's own, in its JSON-LD parser
def test_json_ld_has_language_maps_and_says_the_same_as_turtle(embedded_service: Service) -> None:
    body = embedded_service.request("GET", "/target/compute_cluster.jsonld")[2]
    document = json.loads(body)
    [node] = [node for node in document["@graph"] if node["@id"].endswith("target/compute_cluster")]
    assert node["rdfs:label"]["ja"] == ["コンピューティング クラスター"]
    assert document["@context"]["rdfs:label"]["@container"] == "@language"
    turtle = embedded_service.request("GET", "/target/compute_cluster.nt")[2]
    graphs = [
        Graph().parse(data=body, format="json-ld"),
        Graph().parse(data=turtle, format="nt"),
    ]
    assert len({frozenset(graph) for graph in graphs}) == 1


# --- health and running queries


def test_health(served: Service) -> None:
    assert json.loads(served.request("GET", "/health/live")[2]) == {"status": "live"}
    ready = json.loads(served.request("GET", "/health/ready")[2])
    assert (ready["status"], ready["triples"], ready["graph"][:7]) == ("ready", 11, "sha256:")
    assert b'compute_atlas_worker_jobs_total{tier="fast"}' in served.request("GET", "/metrics")[2]


def test_running_queries_are_listed_to_the_operator_only(served: Service) -> None:
    assert problem(served.request("GET", "/running", Authorization="Bearer wrong"))["status"] == 401
    status, _, body = served.request("GET", "/running", Authorization="Bearer secret")
    assert (status, json.loads(body)) == (200, [])
