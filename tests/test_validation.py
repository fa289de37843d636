"""Checks: the embedded graph is sound, and each kind of fault is found."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from compute_atlas.graph import reasoning, validation
from compute_atlas.ontology.names import BASE, GRAPH_TERMS, PREFIXES
from pyoxigraph import Quad, RdfFormat, parse

Run = Callable[..., subprocess.CompletedProcess[str]]
HEADER = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items())

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="HermiT needs Java")


def faulty(text: str) -> list[Quad]:
    return list(parse(HEADER + text, format=RdfFormat.TRIG))


def test_the_embedded_graph_breaks_no_rule(quads: list[Quad]) -> None:
    assert validation.find_violations(quads) == []
    assert validation.check_shapes(quads) == []


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("false-readings", "edition:x { target:batch ca:usableForTrainingIn use:automated_ml }"),
        ("managed-and-unmanaged", "{ target:batch a ca:ManagedCompute , ca:UnmanagedCompute }"),
        (
            "unannotated-fact",
            "{ edition:x a ca:Edition } edition:x { series:FX ca:hasCategory category:gpu }",
        ),
        (
            "floor-after-last",
            "{ architecture:volta ca:minCudaVersion cuda:9.0 ; ca:lastCudaVersion cuda:8.9 ."
            " cuda:9.0 ca:major 9 ; ca:minor 0 . cuda:8.9 ca:major 8 ; ca:minor 9 }",
        ),
        (
            "superseded-doubt",
            "edition:x { <http://kg.test/c> a ca:UncertainClaim ; ca:claimSubject target:batch ; ca:line 1 ;"
            " ca:claimProperty ca:usableForTrainingIn ; ca:claimObject use:designer ."
            " [] owl:annotatedSource target:batch ; owl:annotatedProperty ca:usableForTrainingIn ;"
            " owl:annotatedTarget use:designer ; ca:line 1 }",
        ),
    ],
)
def test_each_query_finds_its_fault(rule: str, text: str) -> None:
    findings = validation.find_violations(faulty(text))
    assert rule in {finding.rule for finding in findings}
    assert all(finding.mend for finding in findings)


def test_shapes_name_the_thing_and_the_mend() -> None:
    findings = validation.check_shapes(
        faulty('{ series:FX a ca:VMSeries ; skos:prefLabel "FX"@en , "FX!"@en }')
    )
    assert {finding.thing for finding in findings} == {"series/FX"}
    assert any("prefLabel" in finding.what for finding in findings)


@needs_java
def test_each_edition_is_consistent_with_the_ontology(quads: list[Quad]) -> None:
    parts = reasoning.by_edition(quads)
    assert sorted(parts) == ["edition/en-2024-01", "edition/it-seed", "edition/ja-seed"]
    assert {name: reasoning.inconsistencies(part) for name, part in parts.items()} == {
        key: [] for key in parts
    }


@needs_java
@pytest.mark.parametrize(
    "contradiction",
    [
        pytest.param("target:hdinsight a ca:ManagedCompute", id="managed-and-unmanaged"),
        pytest.param("target:batch a ca:ManagedCompute", id="not-in-the-closed-list"),
        pytest.param("target:batch owl:sameAs target:databricks", id="two-names-of-one-kind"),
        pytest.param("series:FX ca:hasCategory category:gpu", id="second-category"),
    ],
)
def test_a_contradiction_is_found(contradiction: str, quads: list[Quad]) -> None:
    added = faulty(f"<{GRAPH_TERMS}> {{ {contradiction} }}")
    part = reasoning.by_edition([*quads, *added])["edition/ja-seed"]
    assert reasoning.inconsistencies(part) == ["the ontology"]


@needs_java
def test_an_unsatisfiable_class_is_named() -> None:
    text = "{ ca:X a owl:Class ; rdfs:subClassOf ca:A , ca:B . ca:A a owl:Class . ca:B a owl:Class ; owl:disjointWith ca:A }"
    assert reasoning.inconsistencies(faulty(text)) == [f"{BASE}ontology#X"]


def test_without_java_the_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(reasoning.NoJava, match="install a Java runtime"):
        reasoning.inconsistencies([])


def test_a_literal_that_its_datatype_does_not_allow_prints_no_traceback(tmp_path: Path, cli: Run) -> None:
    data = tmp_path / "data.ttl"
    data.write_text('<http://e/a> <http://e/p> "x"^^<http://www.w3.org/2001/XMLSchema#integer> .')
    assert cli("validate", data).stderr == "1 quads checked, 0 findings\n"


def test_command_lists_findings_and_ends_with_1(tmp_path: Path, cli: Run) -> None:
    path = tmp_path / "faulty.ttl"
    path.write_text(f"{HEADER} target:batch a ca:ManagedCompute , ca:UnmanagedCompute .")
    found = cli("validate", path)
    assert found.returncode == 1
    assert "managed-and-unmanaged: target/batch: managed and unmanaged; correct the reading" in found.stdout
    path.write_text("<http://kg.test/a> a <http://kg.test/B> .")
    assert cli("validate", path).returncode == 0
