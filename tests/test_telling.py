"""Paths and neighbourhoods are told with statements, graphs, labels and sentences."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from compute_atlas.graph.walking.frontier import Frontier, asking
from compute_atlas.graph.walking.links import Filter
from compute_atlas.graph.walking.neighbourhood import look_around
from compute_atlas.graph.walking.paths import Found, Limits, Question, find_paths
from compute_atlas.graph.walking.projection import Projection, project
from compute_atlas.graph.walking.telling import Told, tell
from compute_atlas.ontology.names import BASE, GRAPH_INFERRED, ONTOLOGY
from pyoxigraph import RdfFormat, Store, parse

DATA = """
@prefix e: <http://kg.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:a e:p e:b ; e:q e:b ; rdfs:label "A"@en .
GRAPH e:g { e:a e:p e:b . e:b e:r e:a . e:c e:r e:b }
GRAPH e:h { e:a e:p e:b . e:b a e:Kind . e:Kind rdfs:subClassOf e:Above . e:b a e:Above }
"""


@pytest.fixture(scope="module")
def small() -> Store:
    store = Store()
    store.extend(parse(DATA.encode(), format=RdfFormat.TRIG))
    store.update("INSERT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }")
    return store


@pytest.fixture(scope="module")
def projection(store: Store) -> Projection:
    return project(store)


def told(store: Store, source: str, target: str, *languages: str, both_ways: bool = False) -> Told:
    question = Question(source, target, filter=Filter(both_ways))
    ask = asking(store)
    return tell(ask, question, find_paths(Frontier(ask), question), languages)


def test_a_step_has_all_statements_of_its_direction_with_their_graphs(small: Store) -> None:
    answer = told(small, "http://kg.test/a", "http://kg.test/b", "en").as_json()
    step = answer["paths"][0]["steps"][0]
    assert step["forward"] is True
    assert [(p["iri"], p["graphs"], p["inferred"]) for p in step["predicates"]] == [
        ("http://kg.test/p", ["http://kg.test/g", "http://kg.test/h"], False),
        ("http://kg.test/q", [], False),
    ]
    assert "opposite" not in step


def test_a_step_walked_both_ways_tells_the_opposite_statements_apart(small: Store) -> None:
    steps = told(small, "http://kg.test/a", "http://kg.test/c", "en", both_ways=True).as_json()["paths"][0][
        "steps"
    ]
    assert [step["forward"] for step in steps] == [True, False]
    assert [[p["iri"] for p in step["predicates"]] for step in steps] == [
        ["http://kg.test/p", "http://kg.test/q"],
        ["http://kg.test/r"],
    ]
    assert [p["iri"] for p in steps[0]["opposite"]] == ["http://kg.test/r"]
    assert steps[1]["predicates"][0]["sentence"] == "“c”: r “b”."


def test_things_without_labels_are_called_by_the_last_part_of_their_iri(small: Store) -> None:
    node = told(small, "http://kg.test/a", "http://kg.test/b", "ja").as_json()["paths"][0]["nodes"]
    assert [n["id"] for n in node] == ["http://kg.test/a", "http://kg.test/b"]
    assert node[0]["label"] == {"value": "A", "lang": "en", "fallback": True}
    assert node[1]["label"] == {"value": "b", "lang": None, "fallback": True}


def test_rows_and_triples_have_each_statement(small: Store) -> None:
    answer = told(small, "http://kg.test/a", "http://kg.test/c", "en", both_ways=True)
    assert [(path, step, str(s.triple.predicate)) for path, step, s in answer.rows()] == [
        (1, 1, "<http://kg.test/p>"),
        (1, 1, "<http://kg.test/q>"),
        (1, 1, "<http://kg.test/r>"),
        (1, 2, "<http://kg.test/r>"),
    ]
    assert len(answer.triples()) == 4


@pytest.mark.parametrize(
    ("ends", "language", "text"),
    [
        ("size/Standard_NC24rs_v3 cuda/11.8", "en", "Standard_NC24rs_v3 supports CUDA 11.8."),
        ("size/Standard_NC24rs_v3 cuda/11.8", "ja", "Standard_NC24rs_v3 は CUDA 11.8 をサポートします。"),
        (
            "size/Standard_NC24rs_v3 cuda/11.8",
            "it",
            "Il supporto CUDA di Standard_NC24rs_v3 comprende CUDA 11.8.",
        ),
        ("size/Standard_NC24rs_v3 cuda/11.8", "fr", "Standard_NC24rs_v3 supports CUDA 11.8."),
        (
            "size/Standard_F72s_v2 target/compute_cluster",
            "ja-JP",
            "サイズ Standard_F72s_v2 は FSv2 シリーズに属します。"
            "FSv2 シリーズはコンピューティング ターゲット「コンピューティング クラスター」でサポートされています。",
        ),
        (
            "size/Standard_F72s_v2 target/compute_cluster",
            "it",
            "La dimensione Standard_F72s_v2 appartiene alla serie FSv2. "
            "La serie FSv2 è supportata dalla destinazione di calcolo «cluster di elaborazione».",
        ),
        (
            "architecture/ampere cuda/11.0",
            "en",
            "The Ampere architecture is supported from CUDA 11.0 on.",
        ),
        ("series/FX series/FX", "en", ""),
    ],
)
def test_a_path_is_read_aloud(store: Store, ends: str, language: str, text: str) -> None:
    source, target = (BASE + name for name in ends.split())
    assert [path["text"] for path in told(store, source, target, language).as_json()["paths"]] == [text]


def test_a_derived_step_says_so(store: Store) -> None:
    path = told(store, f"{BASE}size/Standard_NC24rs_v3", f"{BASE}architecture/volta", "en").as_json()[
        "paths"
    ][0]
    assert [node["types"] for node in path["nodes"]] == [
        ["IsolatedVMSize"],
        ["VMSeries"],
        ["GPUArchitecture"],
    ]
    derived, stated = (step["predicates"][0] for step in path["steps"])
    assert (derived["graphs"], derived["inferred"]) == ([GRAPH_INFERRED], True)
    assert not stated["inferred"]
    assert {graph.removeprefix(BASE) for graph in stated["graphs"]} >= {"edition/ja-seed", "edition/it-seed"}


def test_no_path_is_told_with_its_ends(store: Store) -> None:
    question = Question(f"{BASE}series/FX", f"{BASE}use/dev_test")
    answer = tell(asking(store), question, Found([], True), ["it"]).as_json()
    assert answer["paths"] == []
    assert answer["complete"] is True
    assert answer["to"] == {
        "id": "use/dev_test",
        "iri": f"{BASE}use/dev_test",
        "label": {"value": "sviluppo/test", "lang": "it", "fallback": False},
    }


@pytest.mark.parametrize("hops", [1, 2])
def test_neighbours_are_the_same_from_arrays_and_from_an_engine(
    store: Store, projection: Projection, hops: int
) -> None:
    ask = asking(store)
    for name in ("series/FX", "target/kubernetes", "architecture/volta"):
        from_arrays = look_around(projection, ask, BASE + name, hops, ["ja"]).as_json()
        assert look_around(Frontier(ask), ask, BASE + name, hops, ["ja"]).as_json() == from_arrays


def test_neighbours_come_by_hops_and_id_with_the_links_between_them(
    store: Store, projection: Projection
) -> None:
    answer = look_around(projection, asking(store), f"{BASE}series/FX", 2, ["en"]).as_json()
    nodes = answer["nodes"]
    assert [node["id"] for node in nodes if node["hops"] < 2] == [
        "series/FX",
        "category/compute_optimized",
        "target/compute_cluster",
    ]
    places = [(node["hops"], node["id"]) for node in nodes]
    assert all(first < second for first, second in pairwise(places))
    links = {(link["from"], link["to"]) for link in answer["links"]}
    assert ("target/compute_cluster", "tool/studio") in links
    assert ("series/FSv2", "category/compute_optimized") in links
    assert answer["complete"] is True


def test_a_neighbourhood_is_cut_to_the_nearest(store: Store, projection: Projection) -> None:
    around = look_around(projection, asking(store), f"{BASE}series/FX", 2, ["en"], most=5)
    assert (len(around.hops), around.is_complete) == (5, False)
    assert list(around.hops.values()) == [0, 1, 1, 2, 2]


def test_a_thing_without_links_has_no_neighbours(store: Store, projection: Projection) -> None:
    lonely: Any = look_around(projection, asking(store), "http://kg.test/nobody", 2, ["en"]).as_json()
    assert [node["id"] for node in lonely["nodes"]] == ["http://kg.test/nobody"]
    assert lonely["links"] == []


def test_neighbours_of_a_property_value_are_facts(store: Store, projection: Projection) -> None:
    triples = look_around(projection, asking(store), f"{BASE}series/FX", 1, ["en"]).triples()
    assert f"<{BASE}series/FX> <{ONTOLOGY}supportedBy> <{BASE}target/compute_cluster>" in map(str, triples)


def test_a_neighbourhood_that_costs_too_much_is_not_complete(store: Store, projection: Projection) -> None:
    few = Limits(links=100)
    answer = look_around(projection, asking(store), f"{BASE}series/FX", 2, ["en"], limits=few).as_json()
    assert answer["complete"] is False
    assert answer["nodes"][0]["id"] == "series/FX"
