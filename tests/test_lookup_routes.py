"""The routes that look terms up, mark them and check them, as a client meets them."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.serving import Service


def get(service: Service, path: str, **parameters: str) -> tuple[int, dict[str, str], Any]:
    status, headers, body = service.request("GET", f"{path}?{urlencode(parameters)}")
    return status, headers, json.loads(body)


def post(service: Service, path: str, content: Any, **headers: str) -> tuple[int, dict[str, str], Any]:
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    status, found, answer = service.request(
        "POST", path, body, 30, Content_Type="application/json", **headers
    )
    return status, found, json.loads(answer)


def test_lookup_answers_in_the_shape_of_the_contract(embedded_service: Service) -> None:
    status, headers, answer = get(
        embedded_service, "/lookup", q="コンピューティングクラスタ", lang="ja-JP", labellang="it"
    )
    assert status == 200
    assert headers["content-type"] == "application/json"
    assert {"Accept", "Accept-Language"} <= set(headers["vary"].split(", "))
    assert answer["graph"].startswith("sha256:")
    assert {name: answer["query"][name] for name in ("q", "lang", "lang_used", "labellang")} == {
        "q": "コンピューティングクラスタ",
        "lang": "ja-JP",
        "lang_used": "ja",
        "labellang": "it",
    }
    assert (answer["total"], answer["offset"], answer["limit"]) == (1, 0, 10)
    assert answer["results"] == [
        {
            "id": "target/compute_cluster",
            "iri": "https://w3id.org/compute-atlas/target/compute_cluster",
            "match": True,
            "ambiguous": False,
            "score": 95,
            "tier": "loose",
            "matched": {"value": "コンピューティング クラスター", "lang": "ja", "kind": "prefLabel"},
            "label": {"value": "cluster di elaborazione", "lang": "it", "fallback": False},
            "types": ["ManagedCompute", "TrainingTarget"],
            "notation": None,
        }
    ]


def test_the_same_request_has_the_same_bytes_and_a_tag(embedded_service: Service) -> None:
    path = "/lookup?q=compute&lang=en&limit=50"
    first, again = (embedded_service.request("GET", path) for _ in range(2))
    assert first[2] == again[2]
    unchanged = embedded_service.request("GET", path, If_None_Match=first[1]["etag"])
    assert (unchanged[0], unchanged[2]) == (304, b"")
    head = embedded_service.request("HEAD", path)
    assert (head[0], head[2], head[1]["content-length"]) == (200, b"", str(len(first[2])))


def test_accept_language_counts_where_no_language_is_given(embedded_service: Service) -> None:
    _, _, body = embedded_service.request("GET", "/lookup?q=Azure+Batch", Accept_Language="it-IT, ja;q=0.5")
    answer = json.loads(body)
    assert answer["query"]["lang_used"] == "it"
    assert answer["results"][0]["label"]["lang"] == "it"


def test_suggest_offers_beginnings(embedded_service: Service) -> None:
    status, _, answer = get(embedded_service, "/suggest", prefix="desti", lang="it", limit="3")
    assert status == 200
    assert "ontology#ComputeTarget" in [result["id"] for result in answer["results"]]
    assert len(answer["results"]) == 3 < answer["total"]


def test_lookup_works_on_any_rdf_with_labels(served: Service) -> None:
    _, _, answer = get(served, "/lookup", q="ＮＣｖ３ シリーズ", lang="ja")
    assert [result["id"] for result in answer["results"]] == ["http://kg.test/NCv3"]
    assert answer["results"][0]["types"] == ["http://kg.test/VMSeries"]
    _, _, answer = get(served, "/lookup", q="volta", type="Arch", lang="it")
    assert answer["results"][0]["match"]


@pytest.mark.parametrize(
    ("path", "parameter", "words"),
    [
        ("/lookup", "q", "it is missing"),
        ("/lookup?q=%E3%80%80", "q", "it is blank"),
        ("/lookup?q=" + "a" * 513, "q", "it has 513 characters"),
        ("/lookup?q=a%00", "q", "U+0000 at position 1 is a control character"),
        ("/lookup?q=%ED%A0%80", "q", "not UTF-8"),
        ("/lookup?q=a&lang=ja_JP", "lang", "BCP 47"),
        ("/lookup?q=a&labellang=", "labellang", "BCP 47"),
        ("/lookup?q=a&limit=-1", "limit", "a whole number from 0 to 1000"),
        ("/lookup?q=a&offset=x", "offset", "a whole number"),
        ("/lookup?q=a&fuzzy=maybe", "fuzzy", "use 0 or 1"),
        ("/lookup?q=a&colour=red", "colour", "unknown parameter"),
        ("/lookup?q=a&format=xml", None, "use one of: json"),
        ("/suggest?q=a", "q", "unknown parameter"),
        ("/suggest", "prefix", "it is missing"),
    ],
)
def test_bad_parameters_are_named(
    embedded_service: Service, path: str, parameter: str | None, words: str
) -> None:
    status, headers, body = embedded_service.request("GET", path)
    problem = json.loads(body)
    assert status == (400 if parameter else 406)
    assert headers["content-type"] == "application/problem+json"
    assert problem.get("parameter") == parameter
    assert words in problem["detail"] + str(problem.get("allowed"))


def test_an_unknown_type_is_not_found(embedded_service: Service) -> None:
    status, _, problem = get(embedded_service, "/lookup", q="NC", type="VMSerie")
    assert (status, problem["parameter"]) == (404, "type")
    assert "VMSeries" in problem["suggestions"]


def test_annotate_answers_in_the_shape_of_the_contract(embedded_service: Service) -> None:
    content = {"text": "😀 NCv3", "lang": "ja", "offsets": "utf-16", "types": ["VMSeries"]}
    status, _, answer = post(embedded_service, "/annotate", content)
    assert status == 200
    assert (answer["text_length"], answer["offsets"], answer["lang_used"]) == (7, "utf-16", "ja")
    assert answer["annotations"] == [
        {
            "start": 3,
            "end": 7,
            "surface": "NCv3",
            "id": "series/NCv3",
            "iri": "https://w3id.org/compute-atlas/series/NCv3",
            "label_kind": "prefLabel",
            "lang": "ja",
            "candidates": [],
        }
    ]


def test_check_answers_in_three_formats(embedded_service: Service) -> None:
    content = {"text": "Note\n注意", "lang": "ja-JP", "page": "page.md", "markup": "markdown"}
    status, headers, answer = post(embedded_service, "/check", content)
    assert (status, headers["content-type"], answer["lang_used"]) == (200, "application/json", "ja")
    assert [finding["rule"] for finding in answer["findings"]] == ["untranslated"]
    _, headers, answer = post(embedded_service, "/check?format=vale", content)
    assert (headers["content-type"], list(answer)) == ("application/json", ["page.md"])
    _, headers, answer = post(embedded_service, "/check", content, Accept="application/sarif+json")
    assert (headers["content-type"], answer["version"]) == ("application/sarif+json", "2.1.0")
    _, _, answer = post(embedded_service, "/check", content | {"format": "sarif"})
    assert answer["version"] == "2.1.0"


@pytest.mark.parametrize(
    ("content", "status", "parameter", "words"),
    [
        pytest.param(b"{", 400, None, "no JSON at line 1, column 2", id="no-json"),
        pytest.param(b"[]", 400, None, "no JSON object", id="list"),
        pytest.param(b"[" * 100_000, 400, None, "beyond any measure", id="nested"),
        pytest.param(b'{"text": ' + b"1" * 5000 + b"}", 400, None, "beyond any measure", id="digits"),
        pytest.param(b'{"text": "\xff"}', 400, None, "not UTF-8 at byte 10", id="bytes"),
        pytest.param({}, 400, "text", '"text" is missing', id="no-text"),
        pytest.param({"text": " "}, 400, "text", "it is blank", id="blank"),
        pytest.param({"text": 1}, 400, "text", "must be a text", id="number"),
        pytest.param({"text": "\ud800"}, 400, "text", "half of a surrogate pair", id="surrogate"),
        pytest.param({"text": "a\x00"}, 400, "text", "control character", id="control"),
        pytest.param({"text": "a" * 1_000_001}, 400, "text", "up to 1000000 characters", id="long"),
        pytest.param({"text": "a", "lang": "ja_JP"}, 400, "lang", "BCP 47", id="lang"),
        pytest.param({"text": "a", "extra": 1}, 400, "extra", "unknown member", id="member"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/annotate", "/check"])
def test_bad_bodies_are_refused_by_name(
    embedded_service: Service, path: str, content: Any, status: int, parameter: str | None, words: str
) -> None:
    found, headers, problem = post(embedded_service, path, content)
    assert (found, problem.get("parameter")) == (status, parameter)
    assert headers["content-type"] == "application/problem+json"
    assert words in problem["detail"]


@pytest.mark.parametrize(
    ("content", "parameter"),
    [
        ({"text": "a", "offsets": "bytes"}, "offsets"),
        ({"text": "a", "format": "rtf"}, "format"),
        ({"text": "a", "overlaps": 1}, "overlaps"),
        ({"text": "a", "types": [1]}, "types"),
    ],
)
def test_bad_members_of_annotate_are_named(
    embedded_service: Service, content: dict[str, Any], parameter: str
) -> None:
    status, _, problem = post(embedded_service, "/annotate", content)
    assert (status, problem["parameter"]) == (400, parameter)


def test_a_page_in_a_language_without_terms_is_not_checked(embedded_service: Service) -> None:
    status, _, problem = post(embedded_service, "/check", {"text": "a", "lang": "ga"})
    assert (status, problem["parameter"]) == (400, "lang")
    assert problem["allowed"] == ["en", "it", "ja"]


def test_a_form_is_not_read(embedded_service: Service) -> None:
    kind = "application/x-www-form-urlencoded"
    status, _, body = embedded_service.request("POST", "/annotate", b"text=a", Content_Type=kind)
    assert status == 415
    assert "send application/json" in json.loads(body)["detail"]


def test_only_the_methods_of_a_route_are_allowed(embedded_service: Service) -> None:
    status, headers, _ = embedded_service.request("GET", "/annotate")
    assert (status, headers["allow"]) == (405, "OPTIONS, POST")
