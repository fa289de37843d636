"""Evidence lists the claims behind a fact by edition and line, and what derived facts came from."""

from __future__ import annotations

from typing import Any

import pytest
from compute_atlas.graph.derivation import premises, rules
from compute_atlas.graph.evidence import as_json, find_evidence
from compute_atlas.graph.store import open_store
from compute_atlas.ontology import files
from compute_atlas.ontology.names import BASE, GRAPH_INFERRED, ONTOLOGY, OWL, RDF
from pyoxigraph import Literal, NamedNode, RdfFormat, Store, Triple, parse


def thing(name: str) -> NamedNode:
    return NamedNode(BASE + name)


def evidence(store: Store, subject: str, predicate: str | None = None, value: Any = None) -> dict[str, Any]:
    return as_json(find_evidence(store, BASE + subject, predicate and ONTOLOGY + predicate, value))


def places(claims: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(claim["edition"], claim["line"]) for claim in claims]


def test_claims_come_in_order_of_edition_and_line_with_the_name_as_written(store: Store) -> None:
    claims = evidence(store, "series/NCasT4_v3", "gpuArchitecture", thing("architecture/turing"))["claims"]
    assert places(claims) == [("en-2024-01", 189), ("it-seed", 110), ("ja-seed", 110)]
    assert {claim["sourceName"] for claim in claims} == {"NCT4_v3"}
    assert claims[0] == {
        "subject": "series/NCasT4_v3",
        "predicate": "gpuArchitecture",
        "predicate_iri": f"{ONTOLOGY}gpuArchitecture",
        "object": "architecture/turing",
        "edition": "en-2024-01",
        "line": 189,
        "section": "term/supported_vm_series",
        "uncertain": False,
        "sourceName": "NCT4_v3",
    }


def test_claims_in_doubt_are_marked(store: Store) -> None:
    claims = evidence(store, "target/kubernetes", "usableForTrainingIn", thing("use/designer"))["claims"]
    assert [(*place, claim["uncertain"]) for place, claim in zip(places(claims), claims, strict=True)] == [
        ("en-2024-01", 47, False),
        ("it-seed", 18, True),
        ("ja-seed", 18, True),
    ]


def test_nobody_states_a_false_reading(store: Store) -> None:
    for name in ("kubernetes", "data_lake_analytics", "hdinsight", "batch"):
        claims = evidence(store, f"target/{name}", "usableForTrainingIn", thing("use/automated_ml"))["claims"]
        assert claims
        assert all(claim["uncertain"] for claim in claims)


def test_qualifiers_stand_under_their_names(store: Store) -> None:
    automl = evidence(store, "target/compute_instance", "usableForTrainingIn", thing("use/automated_ml"))[
        "claims"
    ]
    assert {claim["condition"] for claim in automl} == {"through_sdk"}
    api = evidence(store, "target/endpoints", "inferenceUse", thing("use/realtime_inference"))["claims"]
    assert "v2" in {claim.get("apiVersion") for claim in api}
    tense = evidence(store, "retirement/2023-08-31", "retirementDate")["claims"]
    assert {(claim["edition"], claim["tense"]) for claim in tense if claim["edition"].endswith("seed")} == {
        ("ja-seed", "future"),
        ("it-seed", "past"),
    }


@pytest.mark.parametrize(
    ("predicate", "value", "told"),
    [("requiredRamLtGb", "48", 48), ("modelSizeLtGb", "1", 1), ("requiredRamLtGb", "7", None)],
)
def test_a_literal_is_found_by_its_form(store: Store, predicate: str, value: str, told: int | None) -> None:
    claims = evidence(store, "target/container_instances", predicate, value)["claims"]
    assert {claim["object"] for claim in claims} == ({told} if told else set())


def test_a_derived_fact_lists_the_claims_it_came_from(store: Store) -> None:
    answer = evidence(store, "size/Standard_NC24rs_v3", "supportsCuda", thing("cuda/11.4"))
    (derived,) = answer["claims"]
    assert (derived["edition"], derived["line"], derived["inferred"]) == (None, None, True)
    told = {
        (c["subject"], c["predicate"], c["object"], c["edition"], c["line"]) for c in derived["derived_from"]
    }
    assert told >= {
        ("size/Standard_NC24rs_v3", "type", "ontology#IsolatedVMSize", "ja-seed", 124),
        ("series/NCv3", "gpuArchitecture", "architecture/volta", "ja-seed", 111),
        ("architecture/volta", "minCudaVersion", "cuda/9.0", "it-seed", 111),
        ("architecture/volta", "lastCudaVersion", "cuda/12.9", "cuda-toolkit", None),
    }
    assert answer["derived_from"] == derived["derived_from"]


def test_every_derived_fact_rests_on_claims(store: Store) -> None:
    subjects = {quad.subject for quad in store.quads_for_pattern(None, None, None, NamedNode(GRAPH_INFERRED))}
    answers = [find_evidence(store, subject.value) for subject in subjects if isinstance(subject, NamedNode)]
    derived = [claim for claims in answers for claim in claims if claim.derived_from is not None]
    assert len(derived) > 400
    assert [str(claim.statement) for claim in derived if not claim.derived_from] == []
    assert not any(source.is_uncertain for claim in derived for source in claim.derived_from or ())


def test_a_fact_that_nobody_claims_has_no_evidence(store: Store) -> None:
    assert evidence(store, "series/FX", "gpuArchitecture") == {"claims": []}
    assert evidence(store, "nothing/here") == {"claims": []}


def test_rules_are_read_completely(store: Store) -> None:
    assert len(rules()) == len(files.rules("graph"))
    assert all(rule.heads and rule.patterns for rule in rules())
    made = premises(
        store, Triple(thing("series/NCv3"), NamedNode(f"{ONTOLOGY}hasSize"), thing("size/Standard_NC24s_v3"))
    )
    assert [str(premise) for premise in made] == [
        f"<{BASE}size/Standard_NC24s_v3> <{ONTOLOGY}belongsToSeries> <{BASE}series/NCv3>"
    ]


def test_other_data_may_have_odd_annotations() -> None:
    text = f"""
    @prefix e: <http://kg.test/> . @prefix owl: <{OWL}> . @prefix ca: <{ONTOLOGY}> .
    [] a owl:Axiom ; owl:annotatedSource e:a ; owl:annotatedProperty e:p ; owl:annotatedTarget "x" ;
       ca:line "twelve"^^<http://www.w3.org/2001/XMLSchema#integer> ; ca:edition e:ed, e:other .
    [] a owl:Axiom ; owl:annotatedSource e:a ; owl:annotatedProperty e:p ; owl:annotatedTarget "x" ;
       ca:line 12 ; ca:edition e:ed .
    [] a owl:Axiom ; owl:annotatedSource e:a .
    """
    store = open_store(parse(text.encode(), format=RdfFormat.TURTLE))
    claims = as_json(find_evidence(store, "http://kg.test/a"))["claims"]
    assert [(c["predicate"], c["object"], c["edition"], c["line"]) for c in claims] == [
        ("p", "x", "http://kg.test/ed", "twelve"),
        ("p", "x", "http://kg.test/ed", 12),
        ("p", "x", "http://kg.test/other", "twelve"),
    ]


def test_type_is_a_fact_like_others(store: Store) -> None:
    claims = find_evidence(
        store, f"{BASE}target/compute_cluster", f"{RDF}type", NamedNode(f"{ONTOLOGY}ManagedCompute")
    )
    assert places([claim.as_json() for claim in claims])[-1] == ("ja-seed", 45)
    assert find_evidence(store, f"{BASE}target/compute_cluster", None, Literal("no")) == []
