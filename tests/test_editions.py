"""From claims to an edition's graph; the shipped editions against the real documents."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from compute_atlas.graph import editions
from compute_atlas.graph.editions import BadEditionId
from compute_atlas.graph.reading.edition import NothingRead
from compute_atlas.graph.reading.pages import read_file
from compute_atlas.graph.store import select
from compute_atlas.ontology import files
from compute_atlas.ontology.names import PREFIXES
from pyoxigraph import RdfFormat, Store, parse

CORPORA = Path(__file__).parent / "corpora"
Run = Callable[..., subprocess.CompletedProcess[str]]

REAL = {
    "ja-seed": ("ja", "ja-seed.txt"),
    "it-seed": ("it", "it-seed.txt"),
    "en-2024-01": ("en", "en-2024-01.md"),
    "en-2024-01-flat": ("en", "en-2024-01-flat.txt"),
    "en-2020-06": ("en", "en-2020-06.md"),
    "de-2021-09": ("de", "de-2021-09.md"),
    "zh-cn-2021-08": ("zh-cn", "zh-cn-2021-08.md"),
    "hu-2021-03": ("hu", "hu-2021-03.md"),
    "pt-br-2020-07": ("pt-br", "pt-br-2020-07.md"),
    "cs-2020-03": ("cs", "cs-2020-03.md"),
}


@pytest.fixture(scope="module")
def page() -> Store:
    """The graph of our small English Markdown page."""
    store = Store()
    store.extend(editions.quads("page", read_file(CORPORA / "page-en.md", "en")))
    return store


def ask(store: Store, pattern: str) -> bool:
    return bool(store.query(f"ASK {{ {pattern} }}", prefixes=PREFIXES))


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("series:NCv3 ca:hasCategory category:gpu", id="object-property"),
        pytest.param("target:compute_instance ca:osDiskGb 64", id="integer"),
        pytest.param("target:compute_cluster a ca:ManagedCompute", id="membership"),
        pytest.param("ca:ComputeTarget ca:attachedTo term:workspace", id="class-and-bare-word"),
        pytest.param("architecture:volta ca:minCudaVersion cuda:9.0", id="version"),
        pytest.param('retirement:2023-02-28 ca:retirementDate "2023-02-28"^^xsd:date', id="date"),
        pytest.param("retirement:2023-02-28 ca:announces series:NV_Promo", id="announces"),
        pytest.param(
            "[] owl:annotatedSource target:compute_instance ; owl:annotatedProperty ca:usableForTrainingIn ;"
            " owl:annotatedTarget use:automated_ml ; ca:condition condition:through_sdk ; ca:line 16",
            id="condition",
        ),
        pytest.param(
            '[] owl:annotatedSource series:NCasT4_v3 ; ca:sourceName "NCT4_v3" ; ca:edition edition:page',
            id="name-as-written",
        ),
        pytest.param(
            '[] owl:annotatedSource target:endpoints ; owl:annotatedProperty ca:inferenceUse ; ca:apiVersion "v2"',
            id="api-version",
        ),
    ],
)
def test_graph_of_an_edition_states(page: Store, pattern: str) -> None:
    assert ask(page, f"GRAPH edition:page {{ {pattern} }}")


def test_closed_list_of_managed_kinds(page: Store) -> None:
    members = select(
        page,
        "SELECT ?m { GRAPH edition:page { ca:ManagedCompute owl:equivalentClass/owl:oneOf/rdf:rest*/rdf:first ?m } }",
    )
    assert sorted(row["m"].value.rpartition("/")[2] for row in members) == [
        "compute_cluster",
        "compute_instance",
    ]


def test_a_series_named_first_here_gets_type_and_labels(page: Store) -> None:
    pattern = (
        'GRAPH graph:terms { series:ZZv9 a ca:VMSeries ; skos:notation "ZZv9" ; skos:prefLabel "ZZv9"@ja }'
    )
    assert ask(page, pattern)


def test_doubt_is_one_claim_a_row_and_no_triple() -> None:
    store = Store()
    store.extend(editions.quads("doubt", read_file(CORPORA / "page-it.txt", "it")))
    rows = select(
        store,
        "SELECT ?claim (COUNT(?o) AS ?n) { GRAPH edition:doubt { ?claim a ca:UncertainClaim ;"
        " ca:claimSubject target:batch ; ca:claimObject ?o ; ca:line 9 } } GROUP BY ?claim",
    )
    assert [int(row["n"].value) for row in rows] == [3]
    assert not ask(store, "GRAPH ?g { target:batch ca:usableForTrainingIn ?use }")


def test_lines_are_quoted_only_when_asked_for() -> None:
    reading = read_file(CORPORA / "page-ja.txt", "ja")
    assert b"ca:quote" not in editions.as_trig("page", reading)
    assert b'ca:quote "| NCv3 | GPU |' in editions.as_trig("page", reading, with_quotes=True)


def test_trig_has_the_same_quads_as_the_graph() -> None:
    reading = read_file(CORPORA / "page-en.md", "en")
    written = list(parse(editions.as_trig("page", reading), format=RdfFormat.TRIG))
    assert len(written) == len(set(editions.quads("page", reading)))


@pytest.mark.parametrize("name", ["", "a b", "a/b", "é", ".hidden"])
def test_an_id_that_is_no_iri_part_is_refused(name: str) -> None:
    with pytest.raises(BadEditionId, match="use letters, digits"):
        editions.checked_id(name)


@pytest.mark.parametrize("name", ["ja-seed", "it-seed", "en-2024-01"])
def test_shipped_edition_is_what_the_command_makes(name: str, shared: Path, cli: Run) -> None:
    language, file = REAL[name]
    made = cli("extract", shared / "editions" / file, "--lang", language, "--id", name, "--format", "trig")
    shipped = next(path for path in files.editions() if path.stem == name)
    assert made.stderr == ""
    assert made.stdout == shipped.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REAL)
def test_real_documents_against_the_facts_read_by_hand(
    name: str, shared: Path, score: Callable[..., dict[str, Any]]
) -> None:
    language, file = REAL[name]
    result = score(name, read_file(shared / "editions" / file, language))
    assert result["precision"] >= 0.99
    assert result["traps"] == 0
    for tier, least in (("table", 0.95), ("list", 0.95), ("sentence", 0.7)):
        found, wanted = result["recall_by_tier"].get(tier, (0, 0))
        assert found >= least * wanted, tier
    assert result["evidence"]["line_right"] >= 0.99 * result["evidence"]["given"] > 0


@pytest.mark.parametrize("name", REAL)
def test_real_documents_from_shape_alone(
    name: str, shared: Path, score: Callable[..., dict[str, Any]]
) -> None:
    """Each is read as if in a language of which no word is known."""
    try:
        reading = read_file(shared / "editions" / REAL[name][1], "nl")
    except NothingRead:
        return
    result = score(name, reading)
    assert result["matched"] == 0 or result["precision"] >= 0.99
    assert result["traps"] == 0


@pytest.mark.parametrize("path", files.editions(), ids=lambda path: path.stem)
def test_shipped_editions_quote_nothing(path: Path) -> None:
    assert b"ca:quote" not in path.read_bytes()
