"""The embedded graph: what it must hold, what it must not, and that it is always the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from compute_atlas.graph import build
from compute_atlas.graph.reading.pages import read_file
from compute_atlas.graph.store import digest, open_store, select
from compute_atlas.ontology import files
from compute_atlas.ontology.names import GRAPH_INFERRED
from pyoxigraph import BlankNode, NamedNode, Quad, Store

CORPORA = Path(__file__).parent / "corpora"


def number(store: Store, pattern: str, variable: str = "x") -> int:
    rows = select(store, f"SELECT (COUNT(DISTINCT ?{variable}) AS ?n) {{ {pattern} }}")
    return int(next(iter(rows))["n"].value)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        pytest.param("?x ca:supportedInAml true", 27, id="supported-series"),
        pytest.param("?x a ca:VMSeries", 29, id="series"),
        pytest.param("?x a ca:VMSeries ; ca:gpuArchitecture ?a", 10, id="series-with-architecture"),
        pytest.param("?x a ca:IsolatedVMSize", 4, id="isolated-sizes"),
        pytest.param("?x a ca:ManagedCompute", 3, id="managed"),
        pytest.param("?x a ca:UnmanagedCompute", 7, id="unmanaged"),
        pytest.param("GRAPH edition:ja-seed { ?x a ca:UnmanagedCompute }", 4, id="unmanaged-ja"),
        pytest.param("GRAPH edition:it-seed { ?x a ca:UnmanagedCompute }", 4, id="unmanaged-it"),
        pytest.param("GRAPH edition:ja-seed { { ?x a ca:TrainingTarget } UNION { ?x ca:inferenceUse ?u } }", 14, id="targets-ja"),
        pytest.param("GRAPH edition:it-seed { { ?x a ca:TrainingTarget } UNION { ?x ca:inferenceUse ?u } }", 14, id="targets-it"),
        pytest.param("?x a ca:TrainingTarget", 11, id="training-targets"),
        pytest.param("?x a ca:InferenceTarget", 4, id="inference-targets"),
        pytest.param("GRAPH edition:ja-seed { ?x a ca:UncertainClaim ; ca:claimProperty ca:usableForTrainingIn }", 8, id="doubt-ja"),
        pytest.param("GRAPH edition:en-2024-01 { ?x a ca:UncertainClaim }", 0, id="doubt-en"),
        pytest.param("?x a ca:CUDAVersion", 27, id="cuda-versions"),
        pytest.param("cuda:9.0 ca:nextVersion* ?x", 27, id="cuda-versions-in-order"),
    ],
)  # fmt: skip
def test_counts(store: Store, pattern: str, expected: int) -> None:
    assert number(store, pattern) == expected


def test_none_of_the_four_false_readings_is_stated_anywhere(store: Store) -> None:
    targets = "VALUES ?x { target:kubernetes target:data_lake_analytics target:hdinsight target:batch }"
    annotated = "?a owl:annotatedSource ?x ; owl:annotatedProperty ca:usableForTrainingIn"
    assert number(store, f"{targets} ?x ca:usableForTrainingIn use:automated_ml") == 0
    assert number(store, f"{targets} GRAPH ?g {{ ?x ca:usableForTrainingIn use:automated_ml }}") == 0
    assert number(store, f"{targets} {annotated} ; owl:annotatedTarget use:automated_ml") == 0
    # The near miss: the same annotations for the designer are there.
    assert number(store, f"{targets} {annotated} ; owl:annotatedTarget use:designer") == 1


@pytest.mark.parametrize("language", ["en", "ja", "it"])
def test_every_named_thing_has_one_preferred_label_equal_to_its_rdfs_label(
    store: Store, language: str
) -> None:
    rows = select(
        store,
        f"""SELECT ?thing (COUNT(DISTINCT ?label) AS ?n) (COUNT(DISTINCT ?other) AS ?m)
            WHERE {{
              ?thing a ?class . FILTER(ISIRI(?thing))
              OPTIONAL {{ ?thing skos:prefLabel ?label . FILTER(LANG(?label) = "{language}") }}
              OPTIONAL {{ ?thing rdfs:label ?other . FILTER(?other = ?label) }}
            }} GROUP BY ?thing""",
    )
    found = {row["thing"].value: (row["n"].value, row["m"].value) for row in rows}
    assert len(found) > 390
    offenders = {thing: counts for thing, counts in found.items() if counts != ("1", "1")}
    assert offenders == {}, "give each exactly one skos:prefLabel in this language"


def test_union_is_the_default_graph_and_a_set(store: Store) -> None:
    rows = select(store, "SELECT ?c { series:NCv3 ca:hasCategory ?c }")
    assert [row["c"].value.rpartition("/")[2] for row in rows] == ["gpu"]
    assert number(store, "GRAPH ?x { series:NCv3 ca:hasCategory category:gpu }") == 3


def test_inferred_triples_are_new_and_about_named_things(quads: list[Quad]) -> None:
    inferred = NamedNode(GRAPH_INFERRED)
    added = {(q.subject, q.predicate, q.object) for q in quads if q.graph_name == inferred}
    stated = {(q.subject, q.predicate, q.object) for q in quads if q.graph_name != inferred}
    assert len(added) > 300
    assert added & stated == set()
    assert not [
        triple for triple in added if isinstance(triple[0], BlankNode) or isinstance(triple[2], BlankNode)
    ]


def test_series_follow_from_the_names_of_sizes(store: Store) -> None:
    rows = select(store, "SELECT ?size ?series { ?size ca:belongsToSeries ?series }")
    found = {row["size"].value.rpartition("/")[2]: row["series"].value.rpartition("/")[2] for row in rows}
    assert found == {
        "Standard_F72s_v2": "FSv2",
        "Standard_M128ms": "M",
        "Standard_NC24s_v3": "NCv3",
        "Standard_NC24rs_v3": "NCv3",
    }


def test_built_twice_is_the_same_to_the_byte(quads: list[Quad]) -> None:
    again = build.embedded()
    assert [str(quad) for quad in again] == [str(quad) for quad in quads]
    assert digest(again) == digest(quads)


def test_digest_knows_one_changed_quad(quads: list[Quad]) -> None:
    assert digest(quads[1:]) != digest(quads)
    assert digest(reversed(quads)) == digest(quads)


def test_an_edition_given_is_added_with_its_lines_quoted() -> None:
    quads = build.build({"page": read_file(CORPORA / "page-it.txt", "it")})
    store = open_store(quads)
    assert build.count(quads).editions == 4
    assert number(store, "GRAPH edition:page { ?a ca:quote ?x }") > 20
    assert number(store, "series:ZZv9 ca:supportsCuda ?x") > 5


def test_an_edition_given_replaces_the_shipped_one_of_its_id() -> None:
    quads = build.build({"it-seed": read_file(CORPORA / "page-it.txt", "it")})
    assert build.count(quads).editions == 3
    assert number(open_store(quads), "GRAPH edition:it-seed { ?x ca:supportedInAml true }") == 3


def test_a_graph_is_written_whole_or_not_at_all(tmp_path: Path, quads: list[Quad]) -> None:
    written = build.write(quads, tmp_path / "new" / "folder")
    assert [path.name for path in written.parent.iterdir()] == ["compute-atlas.nq"]
    assert written.read_bytes().count(b"\n") == len(set(quads))
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(build.UnwritableFolder, match="name another folder with -o"):
        build.write(quads, tmp_path / "file")


def test_every_shipped_file_is_found() -> None:
    assert [path.stem for path in files.editions()] == ["en-2024-01", "it-seed", "ja-seed"]
    assert [path.stem for path in files.labels()] == ["en", "it", "ja"]
    assert len(files.rules("graph")) == 6
    assert len(files.rules("owl")) == 18
    assert len(files.violations()) == 5
