"""The query operation of the protocol, as a function: every request has a right answer or a named error."""

from __future__ import annotations

import io
import json
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from compute_atlas.graph.errors import AtlasError
from compute_atlas.graph.store import open_store
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.frames import Job
from compute_atlas.queries.jobs import JOBS
from compute_atlas.server.errors import problem_of
from compute_atlas.server.protocol import LONGEST_INLINE_CHARACTERS, Request, Service, respond
from compute_atlas.server.responses import Response
from hypothesis import HealthCheck, given, settings, strategies
from pyoxigraph import RdfFormat, parse

URL = "http://host.test/sparql"
DATA = """
@prefix e: <http://e/> .
GRAPH e:g { e:a e:p "シリーズ"@ja }
GRAPH e:h { e:a e:p "シリーズ"@ja , 1 }
"""
FORM, QUERY_TEXT = "application/x-www-form-urlencoded", "application/sparql-query"
# Random requests are made of these, so that some of them get far.
PIECES = [
    *(
        b"query=",
        b"&",
        b"SELECT * { ?s ?p ?o } ",
        b"ASK ",
        b"{",
        b"}",
        b"%7B",
        b"%zz",
        b"+",
        b"update=",
        b"format=csv",
    ),
    *(
        b"timeout=1",
        b"default-graph-uri=",
        b"http://e/g",
        b"FROM <http://e/g> ",
        b"PREFIX a: <b>",
        b"SERVICE ",
        b"'",
    ),
    *(
        b'"',
        b"\\u0041",
        b"<",
        b">",
        b"#",
        b"\n",
        b"a:b ",
        b"labels=ja",
        "日本".encode(),
        b"\x00",
        b"(NOW() AS ?x)",
    ),
]
COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return Dataset(open_store(list(parse(DATA, format=RdfFormat.TRIG))))


@pytest.fixture
def jobs() -> list[Job]:
    """The jobs that were run."""
    return []


@pytest.fixture
def service(dataset: Dataset, jobs: list[Job]) -> Service:
    def run(job: Job) -> list[bytes]:
        jobs.append(job)
        output = io.BytesIO()
        JOBS[job.kind](dataset, json.loads(json.dumps(job.payload)), output)
        return [output.getvalue()]

    return Service(run, "sha256:0", 30.0, lambda request, name: Response(200, {}, [b"description"]))


class Client:
    """Sends requests to the function."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def send(
        self, method: str, query_string: str | bytes = "", body: str | bytes = b"", **headers: str
    ) -> tuple[int, dict[str, str], Any]:
        """Return status, headers and the body, a problem's members as a dictionary."""
        raw, content = (text.encode() if isinstance(text, str) else text for text in (query_string, body))
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            response = respond(Request(method, URL, raw, fields, content), self._service)
        except AtlasError as error:
            problem = problem_of(error)
            return problem.status, problem.headers, problem.members
        return response.status, response.headers, b"".join(response.body).decode()

    def get(self, query: str, **parameters: str) -> tuple[int, dict[str, str], Any]:
        """Ask a query by GET."""
        return self.send("GET", urlencode({"query": query, **parameters}))

    def value(self, query: str, *more: tuple[str, str]) -> str:
        """Return the only value of the only row."""
        status, _, body = self.send("GET", urlencode([("query", query), *more]))
        assert status == 200, body
        [row] = json.loads(body)["results"]["bindings"]
        [term] = row.values()
        return str(term["value"])


@pytest.fixture
def client(service: Service) -> Client:
    return Client(service)


@pytest.mark.parametrize(
    ("method", "query_string", "body", "content_type"),
    [
        ("GET", f"query={quote(COUNT)}", "", ""),
        ("HEAD", f"query={quote(COUNT)}", "", ""),
        ("GET", f"query={quote(COUNT)}&results=x&output=json&unknown=1", "", ""),
        ("POST", "", f"query={quote(COUNT)}", FORM),
        ("POST", "", f"query={quote(COUNT)}", f"{FORM.title()}; charset=UTF-8"),
        ("POST", "", COUNT, QUERY_TEXT),
        ("POST", "", "\ufeff" + COUNT, f"{QUERY_TEXT};charset=utf-8"),
        ("QUERY", "", COUNT, QUERY_TEXT),
        ("QUERY", "", f"query={quote(COUNT)}", FORM),
    ],
)
def test_a_query_may_come_in_many_ways(
    client: Client, method: str, query_string: str, body: str, content_type: str
) -> None:
    status, headers, content = client.send(method, query_string, body, content_type=content_type)
    assert status == 200
    assert headers["Content-Type"] == "application/sparql-results+json"
    assert json.loads(content)["results"]["bindings"][0]["n"]["value"] == "2"


@pytest.mark.parametrize(
    ("method", "query_string", "body", "content_type", "status", "detail"),
    [
        ("PUT", "", "", "", 405, "PUT is not possible"),
        ("DELETE", "", "", "", 405, "DELETE is not possible"),
        ("GET", "timeout=1", "", "", 400, "exactly one"),
        ("GET", "query=ASK{}&query=ASK{}", "", "", 400, "not 2"),
        ("POST", "query=ASK{}", "ASK {}", QUERY_TEXT, 400, "not 2"),
        ("POST", "query=ASK{}", "query=ASK{}", FORM, 400, "not 2"),
        ("POST", "", "", FORM, 400, "not 0"),
        ("POST", "", "", QUERY_TEXT, 400, "empty"),
        ("GET", "query=", "", "", 400, "empty"),
        ("POST", "", "ASK {}", "", 415, "is not read"),
        ("POST", "", "ASK {}", "text/plain", 415, "text/plain"),
        ("POST", "", "ASK {}", f"{QUERY_TEXT}; charset=utf-16", 415, "utf-16"),
        ("POST", "", b"ASK { \xff }", QUERY_TEXT, 400, "not UTF-8 at byte 6"),
        ("GET", "update=CLEAR+ALL", "", "", 403, "read-only"),
        ("POST", "", "update=CLEAR+ALL", FORM, 403, "read-only"),
        ("POST", "", "CLEAR ALL", "application/sparql-update", 403, "read-only"),
        ("GET", "query=%zz", "", "", 400, "%zz"),
        ("GET", "query=ASK%7B%7D%2", "", "", 400, "%2"),
        ("GET", "query=%ff", "", "", 400, "not UTF-8"),
        ("GET", b"query=\xff", "", "", 400, "not UTF-8"),
        ("GET", "query=ASK{}&timeout=0", "", "", 400, "timeout"),
        ("GET", "query=ASK{}&timeout=-1", "", "", 400, "timeout"),
        ("GET", "query=ASK{}&timeout=nan", "", "", 400, "timeout"),
        ("GET", "query=ASK{}&timeout=soon", "", "", 400, "soon"),
        ("GET", "query=ASK{}&format=docx", "", "", 400, "docx"),
        ("GET", "query=ASK{}&format=csv", "", "", 406, "csv"),
        ("GET", "query=ASK{}&timeout=1&timeout=2", "", "", 400, "2 times"),
        ("GET", "query=SELECT+*+{}&format=turtle", "", "", 406, "turtle"),
        ("GET", "query=SELECT+*+{}&labels=ja&format=json", "", "", 400, "csv and tsv"),
        ("GET", "query=SELECT+*+{}&labels=j@&format=csv", "", "", 400, "language tag"),
        ("GET", "query=ASK{}&default-graph-uri=no+iri", "", "", 400, "<no iri>"),
        ("GET", "query=ASK{}&named-graph-uri=relative", "", "", 400, "<relative>"),
        ("GET", "query=INSERT+DATA+{}", "", "", 403, "INSERT"),
        ("GET", "query=ASK{SERVICE+<http://e/>{}}", "", "", 403, "SERVICE"),
    ],
)
def test_a_wrong_request_is_explained(
    client: Client, method: str, query_string: str, body: str, content_type: str, status: int, detail: str
) -> None:
    seen, _, problem = client.send(method, query_string, body, content_type=content_type)
    assert (seen, problem["status"]) == (status, status)
    assert detail in problem["detail"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(
    method=strategies.sampled_from(["GET", "POST", "QUERY", "PUT"]),
    query_string=strategies.lists(strategies.sampled_from(PIECES) | strategies.binary(max_size=8)).map(
        b"".join
    ),
    body=strategies.lists(strategies.sampled_from(PIECES) | strategies.binary(max_size=8)).map(b"".join),
    content_type=strategies.sampled_from(
        ["", FORM, QUERY_TEXT, "application/sparql-update", ";;", "text/plain"]
    ),
    accept=strategies.text(max_size=20)
    | strategies.sampled_from(["*/*", "text/csv;q=0", "text/html, a/b;q=x"]),
)
def test_no_request_is_our_fault(
    service: Service, method: str, query_string: bytes, body: bytes, content_type: str, accept: str
) -> None:
    status, _, _ = Client(service).send(method, query_string, body, content_type=content_type, accept=accept)
    assert status in (200, 400, 403, 405, 406, 415)


def test_get_without_parameters_is_the_description(client: Client) -> None:
    assert client.send("GET")[2] == "description"
    assert client.send("GET", "format=ttl")[2] == "description"


def test_405_says_what_is_allowed(client: Client) -> None:
    assert client.send("PATCH")[1]["Allow"] == "GET, HEAD, POST, QUERY, OPTIONS"


def test_parameters_are_decoded_once(client: Client) -> None:
    assert client.value('SELECT ("a+b %41 %2541" AS ?x) {}') == "a+b %41 %2541"
    assert client.send("GET", "query=SELECT+(%22a%2Bb%22+AS+?x)+{}")[2].count("a+b") == 1


@pytest.mark.parametrize(
    ("parameters", "count"),
    [
        ([], "2"),
        ([("default-graph-uri", "http://e/g")], "1"),
        ([("default-graph-uri", "http://e/g"), ("default-graph-uri", "http://e/h")], "2"),
        ([("default-graph-uri", "http://e/none")], "0"),
        ([("named-graph-uri", "http://e/g")], "0"),
    ],
)
def test_the_dataset_of_the_request(client: Client, parameters: list[tuple[str, str]], count: str) -> None:
    assert client.value(COUNT, *parameters) == count
    assert client.value(COUNT.replace("{", "FROM <http://e/x> {", 1), *parameters) == (
        count if parameters else "0"
    )


def test_named_graphs_of_the_request(client: Client) -> None:
    query = "SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { ?s ?p ?o } }"
    assert client.value(query) == "2"
    assert client.value(query, ("default-graph-uri", "http://e/g")) == "0"
    assert client.value(query, ("named-graph-uri", "http://e/h")) == "1"


def test_the_base_is_the_endpoint(client: Client) -> None:
    assert client.value("SELECT (STR(<x>) AS ?x) {}") == "http://host.test/x"


def test_an_unchanged_answer_is_not_computed(client: Client, jobs: list[Job]) -> None:
    query = urlencode({"query": COUNT})
    _, headers, _ = client.send("GET", query)
    jobs.clear()
    status, again, body = client.send("GET", query, if_none_match=f'"x", {headers["ETag"]}')
    assert (status, again["ETag"], body, jobs) == (304, headers["ETag"], "", [])
    assert client.send("GET", query, if_none_match=headers["ETag"], accept="text/csv")[0] == 200
    assert client.send("GET", query, if_none_match="*")[0] == 304


def test_a_volatile_answer_has_no_tag(client: Client) -> None:
    _, headers, _ = client.get("SELECT (RAND() AS ?x) {}")
    assert "ETag" not in headers
    assert headers["Cache-Control"] == "no-store"


def test_a_query_has_an_id(client: Client, jobs: list[Job]) -> None:
    _, headers, _ = client.get("ASK {}")
    assert len(headers["Atlas-Query-Id"]) >= 20
    assert jobs[-1].id == headers["Atlas-Query-Id"]
    query = urlencode({"query": "ASK {}"})
    assert client.send("GET", query, atlas_query_id="my-own.id")[1]["Atlas-Query-Id"] == "my-own.id"
    assert client.send("GET", query, atlas_query_id="a b")[0] == 400


@pytest.mark.parametrize(("asked", "limit"), [("", 30.0), ("2.5", 2.5), ("1e9", 30.0)])
def test_a_client_may_lower_the_time_limit(client: Client, jobs: list[Job], asked: str, limit: float) -> None:
    client.get("ASK {}", **({"timeout": asked} if asked else {}))
    assert jobs[-1].limit_s == limit


def test_a_long_query_is_looked_at_by_a_worker(client: Client, jobs: list[Job]) -> None:
    long = f"SELECT (COUNT(*) AS ?n) {{ ?s ?p ?o FILTER('{'x' * LONGEST_INLINE_CHARACTERS}' != 'y') }}"
    assert client.value(long) == "2"
    assert [job.kind for job in jobs] == ["analysis", "query"]
    assert client.get(long.replace("SELECT", "SELEKT"))[2]["source_line"].startswith("SELEKT")
    assert client.get(long + " foo:x")[2]["detail"].endswith("`PREFIX foo: <…>` at the top")


def test_a_syntax_error_has_its_place(client: Client) -> None:
    status, _, problem = client.get("SELECT *\nWHERE { ?s ?p }")
    assert status == 400
    assert (problem["line"], problem["column"], problem["source_line"]) == (2, 15, "WHERE { ?s ?p }")


def test_labels_are_added_to_tables(client: Client) -> None:
    body = client.get("SELECT ?s { ?s ?p 1 }", labels="ja", format="csv")[2]
    assert body == "s,s_label\r\nhttp://e/a,\r\n"
