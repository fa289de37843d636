"""Rules: the graph's own and those of RDFS and OWL, each with what it must and must not derive."""

from __future__ import annotations

from pathlib import Path

import pytest
from compute_atlas.graph.rules import MAX_PASSES, RulesDoNotEnd, derive
from compute_atlas.ontology import files
from pyoxigraph import RdfFormat, parse

PREFIXES = """
@prefix e: <http://kg.test/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix ca: <https://w3id.org/compute-atlas/ontology#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def derived(data: str, rules: str) -> set[str]:
    """Return the derived triples in short: `s p o` with the names' last parts."""
    quads = list(parse(PREFIXES + data, format=RdfFormat.TURTLE))

    def short(term: object) -> str:
        return str(getattr(term, "value", term)).replace("#", "/").rpartition("/")[2]

    return {" ".join(short(term) for term in triple) for triple in derive(quads, files.rules(rules))}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param("e:A rdfs:subClassOf e:B . e:B rdfs:subClassOf e:C . e:x a e:A .",
                     {"x type B", "x type C", "A subClassOf C"}, id="subclass"),
        pytest.param("e:A owl:equivalentClass e:B . e:x a e:B .", {"x type A"}, id="equivalent-class"),
        pytest.param("e:A rdfs:subClassOf owl:Thing . e:x a e:A .", set(), id="no-owl-thing"),
        pytest.param("e:p rdfs:subPropertyOf e:q . e:x e:p 1 .", {"x q 1"}, id="subproperty"),
        pytest.param("e:p rdfs:domain e:A . e:x e:p 1 .", {"x type A"}, id="domain"),
        pytest.param("e:p rdfs:range e:A . e:x e:p e:y , 1 .", {"y type A"}, id="range-never-a-literal"),
        pytest.param("e:p owl:inverseOf e:q . e:x e:p e:y , 1 . e:y e:q e:z .",
                     {"y q x", "z p y"}, id="inverse"),
        pytest.param("e:p a owl:SymmetricProperty . e:x e:p e:y .", {"y p x"}, id="symmetric"),
        pytest.param("e:p a owl:TransitiveProperty . e:x e:p e:y . e:y e:p e:z . e:z e:p e:x .",
                     {"x p z", "y p x", "z p y"}, id="transitive-circle"),
        pytest.param("e:p owl:propertyChainAxiom ( e:q e:r ) . e:x e:q e:y . e:y e:r e:z .",
                     {"x p z"}, id="chain"),
        pytest.param("e:A owl:equivalentClass [ owl:onProperty e:p ; owl:someValuesFrom e:B ] ."
                     "e:x e:p e:y . e:y a e:B . e:u e:p e:v .", {"x type A"}, id="some-values"),
        pytest.param("e:A owl:equivalentClass [ owl:onProperty e:p ; owl:hasValue 1 ] . e:x e:p 1 . e:y a e:A . e:z e:p 2 .",
                     {"x type A", "y p 1"}, id="has-value"),
        pytest.param("e:A rdfs:subClassOf [ owl:onProperty e:p ; owl:allValuesFrom e:B ] . e:x a e:A ; e:p e:y . e:u e:p e:v .",
                     {"y type B"}, id="all-values"),
        pytest.param("e:A owl:equivalentClass [ owl:intersectionOf ( e:B e:C ) ] . e:x a e:A . e:y a e:B , e:C . e:z a e:B .",
                     {"x type B", "x type C", "y type A"}, id="intersection"),
        pytest.param("e:A owl:unionOf ( e:B e:C ) . e:x a e:C .", {"x type A"}, id="union"),
        pytest.param("e:A owl:equivalentClass [ owl:oneOf ( e:x e:y ) ] .", {"x type A", "y type A"}, id="one-of"),
        pytest.param("e:x owl:sameAs e:y ; e:p 1 . e:z e:q e:x .",
                     {"y sameAs x", "y p 1", "z q y"}, id="same-as"),
    ],
)  # fmt: skip
def test_owl(data: str, expected: set[str]) -> None:
    assert derived(data, "owl") == expected


SIZES = "".join(
    f'e:{name} a ca:VMSize ; skos:notation "{name}" .'
    for name in (
        "Standard_D4ds_v4",
        "Standard_D2s_v3",
        "Standard_NC4as_T4_v3",
        "Standard_E64-16s_v3",
        "Basic_A1",
    )
)
SERIES = "".join(
    f'e:{name} a ca:VMSeries ; skos:notation "{name}" .'
    for name in ("DDSv4", "Dv3", "DSv3", "NCasT4_v3", "ESv3", "A")
)


def test_series_of_a_size_is_the_most_specific_that_exists() -> None:
    found = {line for line in derived(SIZES + SERIES, "graph") if "belongsToSeries" in line}
    assert found == {
        "Standard_D4ds_v4 belongsToSeries DDSv4",
        "Standard_D2s_v3 belongsToSeries DSv3",
        "Standard_NC4as_T4_v3 belongsToSeries NCasT4_v3",
        "Standard_E64-16s_v3 belongsToSeries ESv3",
    }


def test_cuda_versions_are_compared_as_numbers() -> None:
    versions = "".join(
        f"e:v{major}.{minor} a ca:CUDAVersion ; ca:major {major} ; ca:minor {minor} ."
        for major, minor in ((9, 2), (10, 0), (11, 9), (11, 10), (12, 0))
    )
    data = f"{versions} e:a ca:minCudaVersion e:v10.0 ; ca:lastCudaVersion e:v11.10 . e:s ca:gpuArchitecture e:a ."
    assert derived(data, "graph") == {
        f"{thing} supportsCuda v{version}" for thing in "as" for version in ("10.0", "11.9", "11.10")
    }


def test_what_is_stated_already_is_not_derived() -> None:
    assert derived("e:A rdfs:subClassOf e:B . e:x a e:A , e:B .", "owl") == set()


def test_rules_that_never_end_are_stopped(tmp_path: Path) -> None:
    rule = tmp_path / "endless.rq"
    rule.write_text("CONSTRUCT { <http://kg.test/x> <http://kg.test/p> ?new } WHERE { BIND(UUID() AS ?new) }")
    with pytest.raises(RulesDoNotEnd, match=f"after {MAX_PASSES} passes"):
        derive([], [rule])
