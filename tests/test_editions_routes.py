"""/editions and /differences: what they list, in which formats, and what they refuse."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from tests.serving import Service


def get(service: Service, path: str) -> Any:
    status, _, body = service.request("GET", path)
    assert status == 200, body
    return json.loads(body)


def test_editions_are_listed_with_their_documents(embedded_service: Service) -> None:
    listed = get(embedded_service, "/editions")["editions"]
    assert {"en-2024-01", "it-seed", "ja-seed"} <= {edition["id"] for edition in listed}
    one = get(embedded_service, "/editions/ja-seed")
    assert one in listed
    assert (one["language"], one["file"], one["iri"].rpartition("/")[2]) == ("ja", "ja-seed.txt", "ja-seed")
    assert one["triples"] > 1000


def test_an_unknown_edition_lists_the_known(embedded_service: Service) -> None:
    status, _, body = embedded_service.request("GET", "/editions/fr-seed")
    assert status == 404
    assert "en-2024-01" in json.loads(body)["detail"]


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("kind=tense_differs", lambda item: item["kind"] == "tense_differs"),
        ("level=gap", lambda item: item["level"] == "gap"),
        ("edition=it-seed", lambda item: "it-seed" in {side["edition"] for side in item["sides"]}),
    ],
)
def test_differences_are_selected(embedded_service: Service, query: str, holds: Any) -> None:
    items = get(embedded_service, "/differences")["items"]
    chosen = get(embedded_service, f"/differences?{query}")["items"]
    assert 0 < len(chosen) < len(items)
    assert chosen == [item for item in items if holds(item)]


def test_an_item_has_its_sides(embedded_service: Service) -> None:
    items = get(embedded_service, "/differences?kind=tense_differs&edition=ja-seed")["items"]
    assert items[0].keys() == {"id", "kind", "level", "subject", "predicate", "sides", "what"}
    assert (items[0]["subject"], items[0]["predicate"]) == ("retirement/2023-08-31", "retirementDate")
    assert {"edition": "ja-seed", "line": 66, "value": "future"} in items[0]["sides"]


def test_differences_as_table_and_page(embedded_service: Service) -> None:
    _, headers, body = embedded_service.request("GET", "/differences?format=csv")
    rows = list(csv.DictReader(io.StringIO(body.decode())))
    assert headers["content-type"].startswith("text/csv")
    assert len({row["id"] for row in rows}) == len(get(embedded_service, "/differences")["items"])
    _, headers, body = embedded_service.request("GET", "/differences", Accept="text/html")
    assert headers["content-type"].startswith("text/html")
    assert b"tense_differs" in body


@pytest.mark.parametrize("query", ["kind=tense", "level=grave", "edition=fr-seed", "langs=ja"])
def test_what_cannot_be_chosen_is_refused(embedded_service: Service, query: str) -> None:
    status, _, body = embedded_service.request("GET", f"/differences?{query}")
    problem = json.loads(body)
    assert status == 400
    assert problem["parameter"] == query.partition("=")[0]
    assert problem["allowed"]


def test_a_graph_without_editions_has_none(served: Service) -> None:
    assert get(served, "/editions") == {"editions": []}
    assert get(served, "/differences") == {"items": []}
