"""Pages in languages without a lexicon, and what Markdown can hold: read from shape, names and links alone."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from compute_atlas.graph.reading import lexicon as lexicons
from compute_atlas.graph.reading.document import Prose
from compute_atlas.graph.reading.edition import Reading
from compute_atlas.graph.reading.pages import parse_file, read_file

CORPORA = Path(__file__).parent / "corpora"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def page() -> Reading:
    """Our page in Dutch, of which no word is known."""
    return read_file(CORPORA / "page-nl.md", "nl")


def stated(reading: Reading, predicate: str) -> set[tuple[str, object]]:
    return {(c.subject, c.object) for c in reading.claims if c.predicate == predicate and not c.is_uncertain}


def doubted(reading: Reading, predicate: str) -> set[tuple[str, object]]:
    return {(c.subject, c.object) for c in reading.claims if c.predicate == predicate and c.is_uncertain}


def test_series_come_by_link_and_name(page: Reading) -> None:
    names = {subject for subject, _ in stated(page, "supported_in_aml")}
    expected = {"DDSv4", "Dv2", "EAv4", "M", "FX", "FSv2", "NV", "NC"}
    assert names == {f"series/{name}" for name in expected}


def test_a_guessed_or_contradicted_series_is_in_doubt(page: Reading) -> None:
    names = {subject for subject, _ in doubted(page, "supported_in_aml")}
    assert names == {"series/NC_Promo", "series/Dv3"}


def test_a_garbled_series_is_reported_and_no_series(page: Reading) -> None:
    assert any(finding.what.startswith('"Q" is not known') for finding in page.findings)
    assert ("name_translated", "series/NV") in {(r.kind, r.subject) for r in page.remarks}


def test_gpu_architectures_and_cuda_come_from_shape(page: Reading) -> None:
    assert stated(page, "min_cuda_version") == {("architecture/volta", "9.0")}
    assert doubted(page, "min_cuda_version") == {("architecture/turing", "10.0")}
    assert ("series/NCasT4_v3", "architecture/turing") in stated(page, "gpu_architecture")
    assert ("series/NV", "category/gpu") in stated(page, "has_category")


def test_isolation_comes_from_its_section_and_rdma_from_a_footnote(page: Reading) -> None:
    assert {subject for subject, _ in stated(page, "is_isolated")} == {
        "size/Standard_F72s_v2",
        "size/Standard_NC24rs_v3",
    }
    [rdma] = [claim for claim in page.claims if claim.predicate == "rdma_capable"]
    assert (rdma.subject, page.document.quote(rdma.lines[0])) == (
        "size/Standard_NC24rs_v3",
        "\\*Kan RDMA aan",
    )


def test_products_are_unmanaged_by_their_section(page: Reading) -> None:
    assert {subject for subject, _ in stated(page, "is_unmanaged")} == {
        "target/hdinsight",
        "target/databricks",
    }


def test_the_command_warns_and_reads_what_shape_tells(cli: Run) -> None:
    shown = cli("extract", CORPORA / "page-nl.md", "--lang", "nl")
    assert shown.returncode == 0
    assert 'no words of "nl" are known' in shown.stderr
    assert "learn" in shown.stderr
    assert '"series/NV"' in shown.stdout


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("zh-CN", "zh-cn"),
        ("pt-BR", "pt-br"),
        ("ja-JP", "ja"),
        ("de-AT", "de"),
        ("nl", "nl"),
        ("zh-TW", "zh-tw"),
    ],
)
def test_language_tags_lead_to_lexicons(tag: str, language: str) -> None:
    assert lexicons.load(tag).language == language


def test_includes_are_read_in_place_and_missing_ones_reported(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n[!INCLUDE [x](../../includes/list.md)]\n\n[!INCLUDE [y](gone.md)]\n")
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "list.md").write_text("---\ntitle: x\n---\n* one\n* two\n\n[!INCLUDE [x](list.md)]\n")
    document = parse_file(page, [folder])
    items = [(b.text, b.line) for b in document.blocks if isinstance(b, Prose)]
    assert items == [("one", 3), ("two", 3)]
    assert [(finding.line, "missing" in finding.what) for finding in document.findings] == [
        (3, False),
        (5, True),
    ]


def test_applies_to_names_the_version_until_the_next_section(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\n**APPLIES TO:** Python SDK azureml v1\n\nOne.\n\n## Next\n\nTwo.\n\n"
        ':::moniker range="azureml-api-2"\nThree.\n:::moniker-end\n'
    )
    blocks = parse_file(page).blocks
    assert [(b.text, b.api) for b in blocks if isinstance(b, Prose)] == [
        ("One.", "v1"),
        ("Two.", None),
        ("Three.", "v2"),
    ]


def test_nested_lists_keep_their_depth_and_links_their_place(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n* The [one](a.md) and **[two](b.md#c)**\n    * in it\n* after\n")
    items = [block for block in parse_file(page).blocks if isinstance(block, Prose)]
    assert [item.depth for item in items] == [0, 1, 0]
    assert [(link.text, link.target) for link in items[0].links] == [("one", "a.md"), ("two", "b.md#c")]
    assert all(items[0].text[link.start :].startswith(link.text) for link in items[0].links)
