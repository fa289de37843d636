"""Checking terms: what each rule finds and leaves alone, the output formats, the two real documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.lookup.findings import as_format
from compute_atlas.graph.lookup.terminology import RULES, Finding, check
from compute_atlas.graph.lookup.terms import Terms, read_terms
from pyoxigraph import Quad

# What the two documents are known to do: line and the words there. Each must be found …
KNOWN = {
    "ja": [
        *((line, "コンピューティング先") for line in (3, 27, 28, 29, 29, 106, 127)),
        *((line, "イエス") for line in (15, 16)),
        *((line, "Note") for line in (50, 104)),
        (109, "NDA100_v4"),
        (110, "NCT4_v3"),
    ],
    "it": [
        (12, "Destinazioni ditraining"),
        (15, "Cluster di calcolo di Azure Machine Learning"),
        (45, "cluster di calcolo di Azure Machine Learning"),
        (17, "Istanza di calcolo di Azure Machine Learning"),
        (53, "Istanza di calcolo"),
        (40, "Istanze di Azure Container"),
        (103, "Calcolo di Azure"),
        (105, "Calcolo di Azure"),
        (109, "NDA100_v4"),
        (110, "NCT4_v3"),
    ],
}
# … and these are right as well: headings turned round, headers worded unlike the text, translated names.
ALSO_RIGHT = {
    "ja": [
        (8, "コンピューティング ターゲットのトレーニング"),
        (12, "Machine Learning パイプライン"),
        (129, "リモート仮想マシン"),
    ],
    "it": [
        (9, "cluster a uno o più nodi"),
        (48, "Interfaccia della riga di comando di Azure"),
        (68, "dimensioni di VM"),
        (119, "dimensioni con isolate"),
    ],
}


@pytest.fixture(scope="module")
def terms(quads: list[Quad]) -> Terms:
    return read_terms(quads, "sha256:0")


def findings(terms: Terms, text: str, lang: str, markup: str = "plain") -> list[Finding]:
    return check(terms.index, text, lang, terms.annotator, markup)


def brief(
    terms: Terms, text: str, lang: str, markup: str = "plain"
) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(found.rule, found.surface, found.suggestions) for found in findings(terms, text, lang, markup)]


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        pytest.param(
            "Un cluster di elaborazione. I cluster di elaborazione. Un cluster di calcolo.", "it",
            [("inconsistent-term", "cluster di calcolo", ("cluster di elaborazione",))], id="rarer-name",
        ),
        pytest.param(
            "コンピューティング ターゲットとコンピューティング先", "ja",
            [("inconsistent-term", "コンピューティング先", ("コンピューティング ターゲット",))], id="tie-goes-to-the-preferred",
        ),
        pytest.param("Un cluster di calcolo, sempre un cluster di calcolo", "it", [], id="one-name-throughout"),
        pytest.param("destinazione di calcolo e destinazioni di calcolo", "it", [], id="plural"),
        pytest.param("macchina virtuale (VM), VM e macchine virtuali", "it", [], id="abbreviation"),
        pytest.param("endpoint e Endpoint di Azure Machine Learning", "it", [], id="short-form"),
        pytest.param(
            "NCasT4_v3 and NCT4_v3", "en", [("inconsistent-term", "NCT4_v3", ("NCasT4_v3",))], id="alias-beside-name",
        ),
        pytest.param("Only NCT4_v3", "en", [("deprecated-term", "NCT4_v3", ("NCasT4_v3",))], id="alias-alone"),
        pytest.param(
            "Destinazioni ditraining", "it",
            [("deprecated-term", "Destinazioni ditraining", ("destinazione di calcolo di training",))], id="garbled",
        ),
        pytest.param(
            "Istanze di Azure Container", "it",
            [("translated-name", "Istanze di Azure Container", ("Azure Container Instances",))], id="translated",
        ),
        pytest.param("Azure Container Instances, Azure Batch, SDK Python", "it", [], id="names-kept"),
        pytest.param("Note\n注意", "ja", [("untranslated", "Note", ("注意",))], id="untranslated"),
        pytest.param("Un job di training", "it", [("untranslated", "job", ("processo",))], id="untranslated-word"),
        pytest.param("compute cluster", "en", [], id="english-in-english"),
        pytest.param("Azure Machine Learning, GPU, cloud", "it", [], id="same-word"),
        pytest.param("NCv3, Standard_NC24rs_v3, NC24rs_v3", "it", [], id="known-identifiers"),
        pytest.param("SDKv2, CUDA 11.0, v1, GB200", "it", [], id="no-identifiers"),
    ],
)  # fmt: skip
def test_what_each_rule_finds(
    terms: Terms, text: str, lang: str, expected: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    assert brief(terms, text, lang) == expected


@pytest.mark.parametrize("name", ["NCv9", "Standard_NC24zz_v3", "HBv7"])
def test_unknown_identifiers_come_with_near_ones(terms: Terms, name: str) -> None:
    found = findings(terms, f"Usare {name}.", "it")
    assert [(finding.rule, finding.surface, finding.id) for finding in found] == [
        ("unknown-identifier", name, None)
    ]
    assert all(suggestion[:2] == name[:2] for suggestion in found[0].suggestions)


def test_code_and_links_are_not_checked(terms: Terms) -> None:
    assert brief(terms, "`NCv9` [GPU](NCv9.md)", "it", "markdown") == []
    assert brief(terms, "<code>NCv9</code>", "it", "html") == []


def test_findings_say_where(terms: Terms) -> None:
    found = findings(terms, "注意\r\n  Note", "ja")[0]
    assert (found.start, found.end, found.line, found.column, found.severity) == (6, 10, 2, 3, "warning")
    assert found.message == '"Note" is left in English; the term is "注意"'


def test_vale_json_has_the_shape_that_its_readers_know(terms: Terms) -> None:
    shown = as_format(findings(terms, "注意\nNote", "ja"), "vale", "page.md")
    assert shown == {
        "page.md": [
            {
                "Action": {"Name": "replace", "Params": ["注意"]},
                "Span": [1, 4],
                "Check": "ComputeAtlas.untranslated",
                "Description": "",
                "Link": "",
                "Message": '"Note" is left in English; the term is "注意"',
                "Severity": "warning",
                "Match": "Note",
                "Line": 2,
            }
        ]
    }
    assert as_format([], "vale", "page.md") == {}


def test_sarif_names_rule_place_and_fix(terms: Terms) -> None:
    log: dict[str, Any] = as_format(findings(terms, "注意\nNote NCv9", "ja"), "sarif", "page.md")
    run = log["runs"][0]
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(RULES)
    first, second = run["results"]
    assert (first["ruleId"], first["level"], second["level"]) == ("untranslated", "warning", "error")
    assert RULES.keys() >= {first["ruleId"], second["ruleId"]}
    region = first["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 5}
    replacement = first["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert replacement == {"deletedRegion": region, "insertedContent": {"text": "注意"}}


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(InvalidValue, match="use one of: json, vale, sarif"):
        as_format([], "xml", "page")


@pytest.mark.parametrize("lang", ["ja", "it"])
def test_the_known_inconsistencies_of_the_documents_are_found(terms: Terms, shared: Path, lang: str) -> None:
    text = (shared / "editions" / f"{lang}-seed.txt").read_text(encoding="utf-8")
    found = [(finding.line, finding.surface) for finding in findings(terms, text, lang)]
    missed = _without(KNOWN[lang], found)
    assert len(missed) <= 0.1 * len(KNOWN[lang]), missed


def test_few_findings_in_the_documents_are_false(terms: Terms, shared: Path) -> None:
    total, false = 0, []
    for lang in ("ja", "it"):
        text = (shared / "editions" / f"{lang}-seed.txt").read_text(encoding="utf-8")
        found = [(finding.line, finding.surface) for finding in findings(terms, text, lang)]
        total += len(found)
        false += _without(found, KNOWN[lang] + ALSO_RIGHT[lang])
    assert total >= 25
    assert len(false) <= 0.1 * total, false


def _without(items: list[tuple[int, str]], taken: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the items that are left when each of the taken ones takes one away."""
    left = list(items)
    for item in taken:
        if item in left:
            left.remove(item)
    return left


def test_a_page_is_named_by_a_uri_in_sarif() -> None:
    for page, uri in (
        ("ページ 1.md", "%E3%83%9A%E3%83%BC%E3%82%B8%201.md"),
        ("http://kg.test/a%20b?c#d",) * 2,
    ):
        log: dict[str, Any] = as_format([], "sarif", page)
        assert log["runs"][0]["artifacts"] == [{"location": {"uri": uri}}]
