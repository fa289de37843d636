"""The Reconciliation API 0.2 as OpenRefine speaks it: played through, and what may go wrong."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest
from compute_atlas.graph.errors import AtlasError
from compute_atlas.graph.exchange.extension import extend, read_extension
from compute_atlas.graph.exchange.facts import Facts, gather
from compute_atlas.graph.exchange.reconciliation import read_batch, reconcile
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import read_things
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError
from pyoxigraph import Quad, RdfFormat, Triple, parse

from tests.serving import Service

SCHEMAS = Path(__file__).parent / "schemas"
NAMES = (
    ("cluster di elaborazione", "target/compute_cluster"),
    ("Cluster di calcolo", "target/compute_cluster"),
    ("istanze di calcolo", "target/compute_instance"),
    ("コンピューティング クラスタ", "target/compute_cluster"),
    ("compute clusters", "target/compute_cluster"),
    ("NCT4_v3", "series/NCasT4_v3"),
    ("NC24rs_v3", "size/Standard_NC24rs_v3"),
    ("ＮＣｖ３", "series/NCv3"),
    ("elaborazione serverles", "target/serverless_compute"),
    ("nothing of the kind", None),
)


def checked(content: Any, schema: str) -> Any:
    """Return the content after it has passed one of our schemas of the API's messages."""
    rules = json.loads((SCHEMAS / f"{schema}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(rules)
    Draft202012Validator(rules).validate(content)
    return content


class OpenRefine:
    """Calls a reconciliation service as OpenRefine does: everything it knows comes from the manifest."""

    def __init__(self, service: Service, path: str):
        self._service, self._path = service, path
        self.manifest = checked(self._get(path), "manifest")

    def reconcile(self, queries: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
        answer = self._post({"queries": json.dumps(checked(queries, "query-batch"))})
        return {key: value["result"] for key, value in checked(answer, "result-batch").items()}

    def suggest(self, what: str, prefix: str) -> list[dict[str, Any]]:
        place = self.manifest["suggest"][what]
        url = f"{place['service_url']}{place['service_path']}?{urlencode({'prefix': prefix, 'cursor': 0})}"
        schema = {"entity": "suggest-entities", "type": "suggest-types", "property": "suggest-properties"}
        found: list[dict[str, Any]] = checked(self._get(url), schema[what])["result"]
        return found

    def flyout(self, what: str, name: str) -> str:
        place = self.manifest["suggest"][what]
        url = place["service_url"] + place["flyout_service_path"].replace("${id}", quote(name, safe=""))
        return str(checked(self._get(url), "flyout")["html"])

    def preview(self, name: str) -> str:
        status, headers, body = self._request(
            self.manifest["preview"]["url"].replace("{{id}}", quote(name, safe=""))
        )
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        return body.decode()

    def view(self, name: str) -> str:
        status, headers, _ = self._request(
            self.manifest["view"]["url"].replace("{{id}}", quote(name, safe=""))
        )
        assert status == 302
        return headers["location"]

    def propose(self, type_: str) -> list[str]:
        place = self.manifest["extend"]["propose_properties"]
        url = f"{place['service_url']}{place['service_path']}?{urlencode({'type': type_, 'limit': 30})}"
        return [found["id"] for found in checked(self._get(url), "property-proposal")["properties"]]

    def extend(self, ids: list[str], properties: list[str]) -> dict[str, Any]:
        wanted = {"ids": ids, "properties": [{"id": name} for name in properties]}
        answer = self._post({"extend": json.dumps(checked(wanted, "extension-query"))})
        rows: dict[str, Any] = checked(answer, "extension-response")["rows"]
        return rows

    def _request(self, url: str) -> tuple[int, dict[str, str], bytes]:
        parts = urlsplit(url)
        return self._service.request("GET", f"{parts.path}?{parts.query}" if parts.query else parts.path)

    def _get(self, url: str) -> Any:
        status, headers, body = self._request(url)
        assert status == 200, body
        assert headers["access-control-allow-origin"] == "*"
        return json.loads(body)

    def _post(self, form: dict[str, str]) -> Any:
        kind = "application/x-www-form-urlencoded;charset=UTF-8"
        status, _, body = self._service.request(
            "POST", self._path, urlencode(form).encode(), Content_Type=kind
        )
        assert status == 200, body
        return json.loads(body)


@pytest.fixture(scope="module")
def refine(embedded_service: Service) -> OpenRefine:
    return OpenRefine(embedded_service, "/reconcile/it")


def test_openrefine_gets_from_the_manifest_to_the_new_columns(refine: OpenRefine) -> None:
    assert refine.manifest["name"] == "Compute Atlas (it)"
    batch = {f"q{number}": {"query": name, "limit": 5} for number, (name, _) in enumerate(NAMES)}
    found = refine.reconcile(batch)
    matched = {key: [item["id"] for item in items if item["match"]] for key, items in found.items()}
    sure = [[identifier] for _, identifier in NAMES[:8]]
    assert list(matched.values()) == [*sure, [], []]
    assert found["q8"][0]["id"] == "target/serverless_compute"
    assert found["q9"] == []
    assert found["q0"][0]["name"] == "cluster di elaborazione"

    [series, *_] = refine.suggest("type", "serie di macchine")
    typed = refine.reconcile(
        {
            "q0": {"query": "Volta", "type": "ontology#GPUArchitecture", "type_strict": "should"},
            "q1": {"query": "Volta", "type": series["id"]},
        }
    )
    assert [item["id"] for item in typed["q0"]] == ["architecture/volta"]
    assert typed["q1"] == []

    assert refine.suggest("entity", "cluster di elab")[0]["id"] == "target/compute_cluster"
    assert "cluster di elaborazione" in refine.flyout("entity", "target/compute_cluster")
    assert "serie di macchine virtuali" in refine.flyout("type", series["id"])
    page = refine.preview("target/compute_cluster")
    assert "width:400px;max-height:200px" in page
    assert "コンピューティング クラスター" in page
    assert refine.view("series/NCv3").endswith("/series/NCv3")

    proposed = refine.propose("ontology#VMSeries")
    assert {"ontology#gpuArchitecture", "ontology#hasCategory", "ontology#supportedInAml"} <= set(proposed)
    [architecture, *_] = refine.suggest("property", "architettura")
    rows = refine.extend(
        ["series/NCv3", "series/ND", "series/none"],
        [architecture["id"], "ontology#supportedInAml", "ontology#retirementDate"],
    )
    assert rows["series/NCv3"] == {
        "ontology#gpuArchitecture": [{"id": "architecture/volta", "name": "Volta"}],
        "ontology#supportedInAml": [{"str": "true"}],
        "ontology#retirementDate": [],
    }
    assert rows["series/none"] == {name: [] for name in rows["series/NCv3"]}
    dates = refine.extend(["retirement/2023-08-31"], ["ontology#retirementDate"])
    assert dates == {"retirement/2023-08-31": {"ontology#retirementDate": [{"date": "2023-08-31T00:00:00Z"}]}}
    assert "architettura GPU" in refine.flyout("property", architecture["id"])


def test_properties_lift_the_candidates_that_have_them(refine: OpenRefine) -> None:
    query = {"query": "コンピューティング", "limit": 3}
    wanted = {"pid": "ontology#hasCapability", "v": ["autoscale", {"id": "capability/none"}]}
    found = refine.reconcile({"plain": query, "lifted": {**query, "properties": [wanted]}})
    assert found["plain"][0]["id"] == "term/compute"
    assert found["lifted"][0]["id"] == "target/compute_cluster"
    assert found["lifted"][0]["features"][1] == {"id": "ontology#hasCapability", "value": True}


def test_a_query_of_properties_alone_finds_what_has_them(refine: OpenRefine) -> None:
    volta, rdma = (
        {"pid": "ontology#gpuArchitecture", "v": "Volta"},
        {"pid": "ontology#rdmaCapable", "v": True},
    )
    found = refine.reconcile({"series": {"properties": [volta]}, "size": {"properties": [rdma]}})
    assert {item["id"] for item in found["series"]} == {"series/NCv3", "series/NDv2"}
    assert [(item["id"], item["match"]) for item in found["size"]] == [("size/Standard_NC24rs_v3", True)]


@pytest.mark.parametrize("single", ["NCv3", '{"query": "NCv3", "type": "VMSeries"}'])
def test_a_single_query_is_a_name_or_an_object(embedded_service: Service, single: str) -> None:
    _, _, body = embedded_service.request(
        "GET", "/reconcile/ja?" + urlencode({"query": single, "output": "json"})
    )
    found = json.loads(body)
    checked({"q0": found}, "result-batch")
    assert [(item["id"], item["match"]) for item in found["result"]][:1] == [("series/NCv3", True)]


def test_get_and_post_answer_the_same(embedded_service: Service) -> None:
    form = urlencode({"queries": json.dumps({"q": {"query": "フル マネージド"}})})
    got = embedded_service.request("GET", f"/reconcile/ja?{form}")
    kind = "application/x-www-form-urlencoded"
    posted = embedded_service.request("POST", "/reconcile/ja", form.encode(), Content_Type=kind)
    assert (got[0], got[2]) == (posted[0], posted[2])
    assert json.loads(got[2])["q"]["result"]


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        pytest.param("/reconcile/jp2_", 400, "this is no language tag", id="tag"),
        pytest.param("/reconcile/fr", 400, "use one of: en, it, ja", id="language"),
        pytest.param("/reconcile/ja?queries=nonsense", 400, 'queries="nonsense": this is no JSON', id="no-json"),
        pytest.param("/reconcile/ja?queries=[]", 400, "this is no JSON object", id="list"),
        pytest.param('/reconcile/ja?queries={"a":{}}', 400, 'queries.a.query="null": this is no text', id="no-text"),
        pytest.param('/reconcile/ja?queries={"a":{"query":" "}}', 400, "it is blank", id="blank"),
        pytest.param('/reconcile/ja?queries={"a":{"query":"x","limit":0}}', 400, "queries.a.limit", id="limit"),
        pytest.param('/reconcile/ja?queries={"a":{"query":"x","lang":"ja"}}', 400, "use one of: query, type", id="member"),
        pytest.param('/reconcile/ja?queries={"a":{"query":"x","type":"Nono"}}', 404, 'nothing is called "Nono"', id="type"),
        pytest.param('/reconcile/ja?queries={"a":{"query":"x","type_strict":"x"}}', 400, "use any, all or should", id="strict"),
        pytest.param('/reconcile/ja?queries={"a":{"query":"x","properties":[{"pid":"p"}]}}', 400, "this is no property", id="pair"),
        pytest.param('/reconcile/ja?queries={"a":{"query":"x","properties":[{"pid":"no such","v":1}]}}', 404, "no such", id="pid"),
        pytest.param('/reconcile/ja?extend={"ids":["\\ud800"],"properties":[]}', 400, "half of a surrogate", id="surrogate"),
        pytest.param('/reconcile/ja?extend={"ids":1}', 400, "this is no list of ids", id="ids"),
        pytest.param('/reconcile/ja?extend={"ids":["x"],"properties":[1]}', 400, "no list of properties", id="properties"),
        pytest.param("/reconcile/ja/suggest/entity?prefix=", 400, "it is blank", id="prefix"),
        pytest.param("/reconcile/ja/suggest/entity?prefix=a&cursor=-1", 400, "whole number", id="cursor"),
        pytest.param("/reconcile/ja/preview?id=target/none", 404, 'there is no "target/none" here', id="id"),
        pytest.param("/reconcile/ja/preview", 400, 'give the id of a thing as "id"', id="no-id"),
        pytest.param("/reconcile/ja/properties?type=Nono", 404, "Nono", id="propose"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_named(
    embedded_service: Service, path: str, status: int, words: str
) -> None:
    got, headers, body = embedded_service.request("GET", quote(path, safe="/?&=%"))
    assert (got, headers["content-type"]) == (status, "application/problem+json")
    assert words in json.loads(body)["detail"]


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"query": "x" * 513}, id="long"),
        pytest.param({"query": "a\u0000b"}, id="control-character"),
        pytest.param({"query": "x", "type": "Nono"}, id="type"),
        pytest.param({"query": "x", "properties": [{"pid": "no such", "v": 1}]}, id="property"),
        pytest.param([], id="no-object"),
    ],
)
def test_a_wrong_query_leaves_the_others_of_its_batch_alone(refine: OpenRefine, wrong: Any) -> None:
    answer = refine._post({"queries": json.dumps({"a": {"query": "NCv3"}, "b": wrong})})
    result = checked(answer, "result-batch")
    assert [found["id"] for found in result["a"]["result"]][:1] == ["series/NCv3"]
    assert result["b"] == {"result": []}


def test_a_batch_that_is_too_large_and_a_body_that_is_no_form_are_refused(embedded_service: Service) -> None:
    batch = {f"q{number}": {"query": "x"} for number in range(501)}
    form = urlencode({"queries": json.dumps(batch)}).encode()
    kind = "application/x-www-form-urlencoded"
    assert embedded_service.request("POST", "/reconcile/ja", form, Content_Type=kind)[0] == 413
    assert embedded_service.request("POST", "/reconcile/ja", b"{}", Content_Type="application/json")[0] == 415


@pytest.mark.parametrize(
    ("schema", "content"),
    [
        ("manifest", {"versions": ["0.1"], "name": "x", "identifierSpace": "x", "schemaSpace": "x"}),
        ("manifest", {"name": "x", "identifierSpace": "x", "schemaSpace": "x"}),
        ("query-batch", {"q": {"type": "x"}}),
        ("query-batch", {"q": {"properties": []}}),
        ("query-batch", {"q": {"query": "x", "lang": "ja"}}),
        ("result-batch", {"q": []}),
        ("result-batch", {"q": {"result": [{"id": "x", "name": "x"}]}}),
        ("suggest-entities", {"result": [{"id": "x"}]}),
        ("flyout", {"id": "x"}),
        ("extension-response", {"meta": [], "rows": {"x": {"p": [{"bool": True}]}}}),
        ("extension-response", {"meta": [], "rows": {"x": {"p": [{"date": "2023-08-31"}]}}}),
        ("extension-response", {"meta": [], "rows": {"x": {"p": [{"str": "x", "id": "x"}]}}}),
    ],
)  # fmt: skip
def test_our_schemas_refuse_what_the_api_does_not_have(schema: str, content: Any) -> None:
    with pytest.raises(ValidationError):
        checked(content, schema)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["query", "type", "limit", "pid", "v", "id", "ids", "properties", "x"]), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(JSON)
def test_whatever_is_sent_is_read_or_refused_with_a_reason(content: Any) -> None:
    index = Index({})
    for text in (
        json.dumps(content),
        json.dumps({"q": content}),
        json.dumps({"q": {"query": "x", "properties": [content]}}),
    ):
        for read in (read_batch, read_extension):
            with contextlib.suppress(AtlasError):
                read(index, text)


ZOO = """
@prefix z: <http://zoo.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
z:leo a z:Lion ; rdfs:label "Leo" ; z:weightKg 190.5 ; z:legs 4 ; z:born "2019-05-01"^^xsd:date ; z:eats z:meat ;
  z:likes "play"@en , "Spiel"@de , _:b .
z:leo2 a z:Lion ; rdfs:label "Leo" ; z:legs 3 ; z:weightKg "NaN"^^xsd:double ; z:seen "soon"^^xsd:date .
z:Lion rdfs:subClassOf z:Cat .
"""


@pytest.fixture(scope="module")
def zoo() -> list[Quad]:
    return list(parse(ZOO, format=RdfFormat.TURTLE))


def stated(quads: list[Quad]) -> Any:
    def facts(iris: Any, predicates: Any) -> Facts:
        return gather(
            Triple(quad.subject, quad.predicate, quad.object)
            for quad in quads
            if (iris is None or getattr(quad.subject, "value", "") in iris)
            and quad.predicate.value in predicates
        )

    return facts


def test_of_two_things_with_one_name_a_property_tells_the_right_one(zoo: list[Quad]) -> None:
    index = Index(read_things(zoo))
    batch = '{"a": {"query": "leo"}, "b": {"query": "leo", "type": "Cat", "properties": [{"pid": "http://zoo.test/legs", "v": "4"}]}}'
    queries = [query for query in read_batch(index, batch).values() if query]
    plain, told = (reconcile(index, query, "en", stated(zoo)) for query in queries)
    assert [(item["id"][-4:], item["match"]) for item in plain] == [("/leo", False), ("leo2", False)]
    assert [(item["id"][-4:], item["match"]) for item in told] == [("/leo", True), ("leo2", False)]
    assert told[0]["type"] == [{"id": "http://zoo.test/Lion", "name": "Lion"}]


def test_values_of_any_datatype_become_cells_of_the_api(zoo: list[Quad]) -> None:
    index = Index(read_things(zoo))
    names = ("weightKg", "legs", "born", "eats", "likes", "seen")
    wanted = {
        "ids": ["http://zoo.test/leo", "http://zoo.test/leo2"],
        "properties": [{"id": f"http://zoo.test/{name}"} for name in names],
    }
    answer = checked(
        extend(index, read_extension(index, json.dumps(wanted)), "de", stated(zoo)), "extension-response"
    )
    rows = [list(row.values()) for row in answer["rows"].values()]
    assert rows[0] == [
        [{"float": 190.5}], [{"int": 4}], [{"date": "2019-05-01T00:00:00Z"}],
        [{"id": "http://zoo.test/meat", "name": "meat"}], [{"str": "Spiel"}], [],
    ]  # fmt: skip
    assert rows[1] == [[{"str": "NaN"}], [{"int": 3}], [], [], [], [{"str": "soon"}]]


def test_a_property_that_is_no_iri_is_an_error_of_the_client(zoo: list[Quad]) -> None:
    index = Index(read_things(zoo))
    with pytest.raises(AtlasError, match="nothing is called"):
        read_extension(index, '{"ids": [], "properties": [{"id": "http://zoo.test/<"}]}')


def test_other_peoples_graphs_are_reconciled_with_iris_as_ids(served: Service) -> None:
    refine = OpenRefine(served, "/reconcile/it")
    found = refine.reconcile({"q": {"query": "Serie NCv3", "type": "http://kg.test/VMSeries"}})
    assert [(item["id"], item["match"]) for item in found["q"]] == [("http://kg.test/NCv3", True)]
    rows = refine.extend(["http://kg.test/NCv3"], ["http://kg.test/next"])
    assert rows == {
        "http://kg.test/NCv3": {"http://kg.test/next": [{"id": "http://kg.test/Volta", "name": "Volta"}]}
    }
    assert refine.view("http://kg.test/NCv3").endswith("/resource?iri=http%3A%2F%2Fkg.test%2FNCv3")
    assert refine.suggest("type", "VMS") == [{"id": "http://kg.test/VMSeries", "name": "VMSeries"}]
    assert refine.suggest("property", "nex") == [{"id": "http://kg.test/next", "name": "next"}]
    assert "&lt;b&gt;&amp;" in refine.preview("http://kg.test/Volta")
