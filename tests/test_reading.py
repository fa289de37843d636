"""Small pages of our own in two forms and three languages: what is read, what is left in doubt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from compute_atlas.graph.errors import UnknownLanguage, UnreadableFile
from compute_atlas.graph.reading import lexicon as lexicons
from compute_atlas.graph.reading import sentences
from compute_atlas.graph.reading.claims import Claim
from compute_atlas.graph.reading.edition import NothingRead, Reading
from compute_atlas.graph.reading.pages import read_file

CORPORA = Path(__file__).parent / "corpora"
Golden = Callable[[str, str], None]


def outline(claim: Claim) -> str:
    """Return a claim on one line: what it states, where, and whether it is in doubt."""
    qualifiers = ", ".join(f"{name}={value}" for name, value in claim.qualifiers)
    parts = [claim.subject, claim.predicate, str(claim.object), f"[{qualifiers}]" if qualifiers else ""]
    return " ".join(
        part for part in (*parts, f"@{claim.lines[0]}", "?" if claim.is_uncertain else "") if part
    )


def certain(reading: Reading) -> set[tuple[str, str, object]]:
    return {
        (claim.subject, claim.predicate, claim.object) for claim in reading.claims if not claim.is_uncertain
    }


@pytest.mark.parametrize("language", ["en", "ja", "it"])
def test_text_form_reads_alike_in_each_language(language: str, golden: Golden) -> None:
    reading = read_file(CORPORA / f"page-{language}.txt", language)
    assert reading.findings == ()
    golden("page.txt", "".join(f"{outline(claim)}\n" for claim in reading.claims))


def test_markdown_keeps_what_the_text_form_lost(golden: Golden) -> None:
    reading = read_file(CORPORA / "page-en.md", "en")
    assert reading.findings == ()
    golden("page-md.txt", "".join(f"{outline(claim)}\n" for claim in reading.claims))


def test_what_the_text_form_leaves_in_doubt_markdown_settles() -> None:
    text = read_file(CORPORA / "page-en.txt", "en")
    markdown = read_file(CORPORA / "page-en.md", "en")
    doubted = {(c.subject, c.predicate, c.object) for c in text.claims if c.is_uncertain}
    assert certain(text) - {("retirement/2023-02-28", "retirement_date", "2023-02-28")} < certain(markdown)
    assert ("target/batch", "usable_for_training_in", "use/pipelines") in doubted & certain(markdown)
    assert ("target/batch", "usable_for_training_in", "use/automated_ml") in doubted - certain(markdown)
    assert ("target/compute_instance", "has_capability", "capability/cpu_and_gpu") in doubted & certain(
        markdown
    )


def test_titles_and_front_matter() -> None:
    document = read_file(CORPORA / "page-en.md", "en").document
    assert document.title == "What are compute targets in Azure Machine Learning?"
    assert document.metadata["ms.date"] == "02/29/2024"
    assert read_file(CORPORA / "page-ja.txt", "ja").document.title.startswith("Azure Machine Learning での")


HEADER = "| Training targets | Automated machine learning | Machine learning pipelines | Designer |\n|---|---|---|---|\n"


@pytest.mark.parametrize(
    ("row", "stated", "doubted"),
    [
        pytest.param("| Azure Batch | Yes | Yes | Yes |", "aml pipe des", "", id="whole"),
        pytest.param("| Azure Batch | Yes | Yes | |", "", "aml pipe des", id="one-lost"),
        pytest.param("| Azure Batch | Yes | ||", "", "aml pipe des", id="two-lost"),
        pytest.param("| Azure Batch | Yes |", "", "aml pipe des", id="last-row-of-the-page"),
        pytest.param("| Azure Batch | | Yes | |", "pipe", "", id="blank-kept-before-a-value"),
        pytest.param("| Azure Batch | | | |", "", "", id="all-blank"),
        pytest.param("| Azure Batch | Yes | No | Yes |", "aml des", "", id="no"),
        pytest.param(
            "| Azure Batch | Yes (on Mondays) | Yes | Yes |", "pipe des", "aml", id="unknown-condition"
        ),
    ],
)
def test_row_of_the_text_form(row: str, stated: str, doubted: str, tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text(f"Training compute targets\n{HEADER}{row}\nThe end.\n", encoding="utf-8")
    names = {"use/automated_ml": "aml", "use/pipelines": "pipe", "use/designer": "des"}
    uses = [c for c in read_file(page, "en").claims if c.predicate == "usable_for_training_in"]
    assert {names[str(c.object)] for c in uses if not c.is_uncertain} == set(stated.split())
    assert {names[str(c.object)] for c in uses if c.is_uncertain} == set(doubted.split())


def test_a_sentence_settles_a_row_with_one_lost_cell(tmp_path: Path) -> None:
    table = (
        "| Capability | Compute cluster | Compute instance |\n|---|---|---|\n"
        "| Autoscales each time you submit a job | ✓ | |\n"
    )
    page = tmp_path / "page.txt"
    page.write_text(table, encoding="utf-8")
    assert all(claim.is_uncertain for claim in read_file(page, "en").claims)
    page.write_text(f"Make a cluster that autoscales.\n{table}", encoding="utf-8")
    claims = read_file(page, "en").claims
    assert [outline(claim) for claim in claims] == [
        "target/compute_cluster has_capability capability/autoscale @4"
    ]
    assert claims[0].lines == (4, 1)


def test_what_cannot_be_read_is_reported_with_its_line(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text(
        f"{HEADER}| Quantum Machine | Yes | Yes | Yes |\n| Azure Batch | Maybe | Yes | Yes |\n"
        "| Unheard | Of |\n|---|---|\n| a | b |\n",
        encoding="utf-8",
    )
    findings = read_file(page, "en").findings
    assert [finding.line for finding in findings] == [3, 4, 5]
    assert '"Quantum Machine"' in findings[0].what
    assert '"Maybe"' in findings[1].what
    assert "Unheard | Of" in findings[2].what


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        pytest.param(b"", 1, "empty", id="empty"),
        pytest.param(b" \n\n", 1, "empty", id="blank"),
        pytest.param(b"ok\n\x93\xfa\n", 2, "0x93 is no UTF-8", id="shift-jis"),
        pytest.param(b"\x00\x01", 1, "NUL", id="binary"),
    ],
)
def test_unreadable_document_names_line_and_mend(
    content: bytes, line: int, words: str, tmp_path: Path
) -> None:
    page = tmp_path / "page.txt"
    page.write_bytes(content)
    with pytest.raises(UnreadableFile, match=words) as caught:
        read_file(page, "ja")
    assert caught.value.line == line
    assert str(caught.value).startswith(f"{page}:{line}: ")


def test_missing_document_and_folder(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no such file"):
        read_file(tmp_path / "none.txt", "ja")
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_file(tmp_path, "ja")


def test_a_language_that_does_not_fit_names_the_one_that_does() -> None:
    with pytest.raises(NothingRead, match=r"nothing in it reads as Italian.*use --lang ja"):
        read_file(CORPORA / "page-ja.txt", "it")


def test_unknown_language_lists_the_known() -> None:
    with pytest.raises(
        UnknownLanguage, match=r'unknown language "jp"; use one of: cs, de, en, hu, it, ja, pt-br, zh-cn'
    ):
        read_file(CORPORA / "page-ja.txt", "jp")


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    page = CORPORA / "page-it.txt"
    copy = tmp_path / "page.txt"
    copy.write_bytes(b"\xef\xbb\xbf" + page.read_bytes().replace(b"\n", b"\r\n"))
    assert read_file(copy, "it").claims == read_file(page, "it").claims


@pytest.mark.parametrize(
    ("text", "value"),
    [("120", 120), ("1,50", "1.5"), ("2.0", 2), ("12345678901234567891", 12345678901234567891), ("9" * 400, int("9" * 400))],
)  # fmt: skip
def test_numbers_are_read_to_the_last_digit(text: str, value: int | str) -> None:
    assert sentences.number(text) == value


def test_a_day_that_no_calendar_has_is_no_date() -> None:
    lexicon = lexicons.load("ja")
    assert lexicon.date("2023年8月31日") == "2023-08-31"
    assert lexicon.date("2023年13月41日") is None
