"""Where editions disagree: found in documents, kept in the graph, listed by route and command."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from compute_atlas.graph import editions
from compute_atlas.graph.comparing import comparison, differences, disagreements
from compute_atlas.graph.comparing.disagreements import KINDS, LEVELS, Disagreement, Side
from compute_atlas.graph.reading.pages import read_file
from compute_atlas.ontology.names import GRAPH_DISAGREEMENTS, ONTOLOGY, RDF
from pyoxigraph import Quad, RdfFormat, parse

from tests.bench import differences as bench

CORPORA = Path(__file__).parent / "corpora"
Run = Callable[..., subprocess.CompletedProcess[str]]

SERIES = "| Supported VM series | Category |\n|---|---|\n"
CUDA = "| GPU Architecture | Azure VM series | Supported CUDA versions |\n|---|---|---|\n"


@pytest.fixture
def found(tmp_path: Path) -> Callable[..., set[tuple[str, str, str | None]]]:
    """Return what is found between pages in English given as text: (kind, subject, predicate)."""

    def find(*texts: str) -> set[tuple[str, str, str | None]]:
        pages = []
        for number, text in enumerate(texts):
            page = tmp_path / f"page-{number}.md"
            page.write_text(f"# Page\n\n{text}\n", encoding="utf-8")
            pages.append((page, "en"))
        items, _ = comparison.compare(pages)
        return {(item.kind, item.subject, item.predicate) for item in items}

    return find


Find = Callable[..., set[tuple[str, str, str | None]]]


def test_tense_differs(found: Find) -> None:
    past, future = (
        f"These series {verb} on May 1, 2024:\n* FX\n\n{SERIES}| HB | GPU |"
        for verb in ("retired", "will retire")
    )
    assert ("tense_differs", "retirement/2024-05-01", "retirementDate") in found(past, future)
    assert found(past, past) == set()


def test_a_floor_in_other_words_is_the_same_and_an_excluded_one_is_not(found: Find) -> None:
    pages = [f"{CUDA}| Ampere | NDA100_v4 | {floor} |" for floor in ("11.0+", "11.0 and later", "> 11.0")]
    assert found(*pages[:2]) == set()
    assert found(pages[0], pages[2]) == {("value_differs", "architecture/ampere", "minCudaVersion")}


def test_closed_lists_that_differ(found: Find) -> None:
    two = "Compute instances and compute clusters are the only managed computes."
    three = "Serverless compute, compute instances and compute clusters are the only managed computes."
    assert found(f"{SERIES}| FX | GPU |\n\n{two}", f"{SERIES}| FX | GPU |\n\n{three}") == {
        ("list_differs", "ontology#ManagedCompute", "isManaged")
    }


def test_a_row_that_one_edition_lost(found: Find) -> None:
    whole, short = f"{SERIES}| FX | GPU |\n| HB | GPU |", f"{SERIES}| FX | GPU |"
    assert found(whole, short) == {("missing_in", "series/HB", "supportedInAml")}


def test_a_list_that_is_nowhere_misses_nothing(found: Find) -> None:
    isolated = (
        "### Compute isolation\n\nOur isolated VM offerings include:\n\n* Standard_F72s_v2\n* Standard_M128ms"
    )
    assert found(f"{SERIES}| FX | GPU |\n\n{isolated}", f"{SERIES}| FX | GPU |") == set()


def test_supported_and_retired_in_one_page(found: Find) -> None:
    page = f"These series retired on May 1, 2024:\n* HB\n\n{SERIES}| HB | GPU |\n| FX | GPU |"
    assert ("supported_yet_retired", "series/HB", "supportedInAml") in found(page)
    assert ("supported_yet_retired", "series/FX", "supportedInAml") not in found(page)


def test_disagreements_survive_the_graph() -> None:
    items = disagreements.ordered(
        [
            Disagreement(
                "missing_in", "target/aks", "isUnmanaged", (Side("a", 1, "true"), Side("b", 2, "absent"))
            ),
            Disagreement("row_broken", "term/compute_targets_for_inference", None, (Side("a", 3, "x"),)),
            Disagreement("tense_differs", "retirement/2024-05-01", "retirementDate", (Side("a", 4, "past"),)),
        ]
    )
    assert disagreements.read(disagreements.quads(items)) == items


def test_every_kind_has_a_level() -> None:
    assert {level for level, _ in KINDS.values()} <= set(LEVELS)


def test_the_embedded_graph_against_the_list_made_by_hand(shared: Path, quads: list[Quad]) -> None:
    items = json.loads((shared / "editions" / "disagreements.json").read_text("utf-8"))["items"]
    result = bench.score(items, disagreements.read(disagreements.in_graph(quads)))
    assert result.missed == []
    assert result.forbidden == []
    assert len(result.others) <= bench.MAX_OTHERS * (len(result.found) + len(result.others))


def test_the_same_dataset_gives_the_same_list(quads: list[Quad]) -> None:
    assert differences.find(quads) == differences.find(list(reversed(quads)))


def test_a_document_alone_reports_its_own_damage() -> None:
    reading = read_file(CORPORA / "page-it.txt", "it")
    own = editions.own_disagreements("page", reading)
    assert {item.level for item in own} <= {"lossy", "naming", "gap"}
    assert ("ambiguous_row", "target/batch") in {(item.kind, item.subject) for item in own}


def test_two_real_documents_are_compared_in_a_second(shared: Path) -> None:
    pages = [(shared / "editions" / f"{language}-seed.txt", language) for language in ("ja", "it")]
    start = time.process_time()
    items, findings = comparison.compare(pages)
    assert time.process_time() - start < 1
    assert findings == []
    assert "tense_differs" in {item.kind for item in items}


def test_the_commands_end_with_1_on_facts(cli: Run) -> None:
    listed = cli("differences", "--level", "fact", "--fail-on", "fact", "--format", "json")
    assert listed.returncode == 1
    assert {item["level"] for item in json.loads(listed.stdout)["items"]} == {"fact"}
    assert cli("differences", "--level", "gap", "--fail-on", "fact").returncode == 0
    assert cli("differences", "--level", "grave").returncode == 2


def test_compare_names_both_lines(cli: Run) -> None:
    pages = [CORPORA / f"page-{language}.txt" for language in ("ja", "it")]
    shown = cli("compare", *pages, "--langs", "ja,it")
    assert shown.returncode == 0
    assert "page-ja:9: use/automated_ml" in shown.stdout
    assert cli("compare", *pages, "--langs", "ja").returncode == 2


def test_odd_disagreements_of_other_data_are_read_as_far_as_they_go() -> None:
    text = f"""
        @prefix ca: <{ONTOLOGY}> . @prefix rdf: <{RDF}> . @prefix e: <http://kg.test/> .
        GRAPH <{GRAPH_DISAGREEMENTS}> {{
            e:a ca:disagreementKind "value_differs" ; ca:side e:none , e:words , [] , "text" .
            e:words ca:edition e:x ; ca:line "last" ; ca:value "1" .
            e:b ca:disagreementKind "list_differs" ; ca:disagreementProperty rdf:type
        }}"""
    read = disagreements.read(disagreements.in_graph(parse(text, format=RdfFormat.TRIG)))
    assert [(item.kind, item.predicate, item.sides) for item in read] == [
        ("list_differs", "type", ()),
        ("value_differs", None, ()),
    ]
