"""Rules for checkers of prose: which forms are wrong, and what Vale and textlint make of them."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from compute_atlas.graph.exchange.prose import Rule, find_rules, prh_rules, vale_package
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import read_things
from pyoxigraph import Quad, RdfFormat, parse

from tests.toolchains import HOW_TO_GET_IT, LACKS_TEXTLINT, lint

BOATS = """
@prefix b: <http://boats.test/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
b:rescue skos:prefLabel "barca di salvataggio"@it , "rescue boat"@en , "救助艇"@ja ;
  skos:altLabel "barche di salvataggio"@it , "nave di salvataggio"@it , "Barca di salvataggio (SAR)"@it , "救助船"@ja ;
  skos:hiddenLabel "barca disalvataggio"@it .
b:crew skos:prefLabel "equipaggio della nave di salvataggio"@it , "救助船の乗組員"@ja .
b:ship skos:prefLabel "ボート+船"@ja ; skos:altLabel "シップ +船"@ja .
b:product skos:prefLabel "Harbour Planner"@en , "Harbour Planner"@ja , "Pianificatore Harbour"@it .
b:twice skos:prefLabel "救助"@ja ; skos:altLabel "救援"@ja .
b:other skos:prefLabel "救援"@ja .
b:lake skos:prefLabel "porto lacustre"@it ; skos:altLabel "scalo del porto"@it .
b:sea skos:prefLabel "porto marino"@it ; skos:altLabel "scalo del porto"@it .
b:quoted skos:prefLabel "x\\"y\\\\z"@en ; skos:altLabel "x: #w"@en .
"""


@pytest.fixture(scope="module")
def boats() -> Index:
    return Index(read_things(parse(BOATS, format=RdfFormat.TURTLE)))


@pytest.fixture(scope="module")
def index(quads: list[Quad]) -> Index:
    return Index(read_things(quads))


def pairs(rules: list[Rule]) -> dict[str, str]:
    return {rule.wrong: rule.right for rule in rules}


def corrected(rules: list[Rule], text: str) -> str:
    for rule in rules:
        # Python's look-behind wants the form's own width, which it has: blanks are single here.
        text = re.sub(rule.pattern.replace(r"\s+", r"\s"), rule.right.replace("\\", r"\\"), text)
    return text


def test_other_words_and_garbled_forms_are_wrong_inflections_and_longer_names_are_not(boats: Index) -> None:
    assert pairs(find_rules(boats, "it")) == {
        "nave di salvataggio": "barca di salvataggio",
        "Nave di salvataggio": "Barca di salvataggio",
        "barca disalvataggio": "barca di salvataggio",
        "Barca disalvataggio": "Barca di salvataggio",
        "Pianificatore Harbour": "Harbour Planner",
    }
    assert pairs(find_rules(boats, "ja")) == {"救助船": "救助艇", "シップ +船": "ボート+船"}, (
        "a right name is never wrong"
    )
    assert [rule.wrong for rule in find_rules(boats, "it") if rule.is_error] == [
        "Barca disalvataggio",
        "barca disalvataggio",
    ]


@pytest.mark.parametrize(
    ("lang", "text", "right"),
    [
        (
            "it",
            "La nave di salvataggio. Nave di salvataggio!",
            "La barca di salvataggio. Barca di salvataggio!",
        ),
        ("it", "l'equipaggio della nave di salvataggio", "l'equipaggio della nave di salvataggio"),
        ("it", "nave di salvataggioù e xnave di salvataggio", "nave di salvataggioù e xnave di salvataggio"),
        ("ja", "救助船が救助船の乗組員を", "救助艇が救助船の乗組員を"),
        ("ja", "シップ +船とスーパーシップ +船", "ボート+船とスーパーシップ +船"),
    ],
)
def test_a_form_is_found_alone_only(boats: Index, lang: str, text: str, right: str) -> None:
    assert corrected(find_rules(boats, lang), text) == right


def test_a_language_without_labels_has_no_rules(boats: Index) -> None:
    assert find_rules(boats, "de") == []
    assert prh_rules(boats, "de") == "version: 1\nrules: []\n"
    assert "swap: {}" in styles(vale_package(boats, "de"))["Terms"]


def styles(package: bytes) -> dict[str, str]:
    """Return the texts of a package's files by the stem of their names."""
    with zipfile.ZipFile(io.BytesIO(package)) as opened:
        return {Path(name).stem: opened.read(name).decode() for name in opened.namelist()}


def test_the_package_has_the_shape_that_vale_syncs(boats: Index) -> None:
    package = vale_package(boats, "ja")
    assert package == vale_package(boats, "ja")
    with zipfile.ZipFile(io.BytesIO(package)) as opened:
        assert opened.namelist() == [
            "ComputeAtlas/.vale.ini",
            "ComputeAtlas/styles/ComputeAtlas/Forms.yml",
            "ComputeAtlas/styles/ComputeAtlas/Terms.yml",
            "ComputeAtlas/styles/config/vocabularies/ComputeAtlas/accept.txt",
        ]
    files = styles(package)
    assert "nonword: true\n" in files["Terms"]
    assert files["Terms"].endswith(
        '\n  "(?<![ァ-ヺー])シップ\\\\s+\\\\+船": "ボート+船"\n  "(?!救助船の乗組員)救助船": "救助艇"\n'
    )
    accepted = files["accept"].splitlines()
    assert accepted == ["Harbour\\s+Planner", "ボート\\+船", "救助", "救助船の乗組員", "救助艇", "救援"]
    assert "(?i)barca\\s+di\\s+salvataggio" in styles(vale_package(boats, "it"))["accept"].splitlines()


def test_any_label_is_a_scalar_of_yaml(boats: Index) -> None:
    assert '  - expected: "x\\"y\\\\z"\n    pattern: "/(?<![' in prh_rules(boats, "en")


KNOWN = {
    "ja": {
        "コンピューティング先": "コンピューティング ターゲット",
        "イエス": "はい",
        "Note": "注意",
        "NCT4_v3": "NCasT4_v3",
        "NDA100_v4": "NDasrA100_v4",
    },
    "it": {
        "cluster di calcolo": "cluster di elaborazione",
        "Istanza di calcolo": "Istanza di ambiente di calcolo",
        "istanze di calcolo": "istanze di ambiente di calcolo",
        "Destinazioni ditraining": "Destinazioni di training",
        "Istanze di Azure Container": "Azure Container Instances",
        "Servizio Azure Kubernetes": "Azure Kubernetes Service",
        "NCT4_v3": "NCasT4_v3",
    },
}


@pytest.mark.parametrize("lang", KNOWN)
def test_the_known_inconsistencies_of_the_pages_have_rules(index: Index, lang: str) -> None:
    assert KNOWN[lang].items() <= pairs(find_rules(index, lang)).items()


@pytest.mark.skipif(LACKS_TEXTLINT, reason=HOW_TO_GET_IT)
@pytest.mark.parametrize("lang", KNOWN)
def test_textlint_finds_the_known_inconsistencies_and_no_right_name(
    index: Index, lang: str, tmp_path: Path
) -> None:
    (tmp_path / "prh.yml").write_text(prh_rules(index, lang), encoding="utf-8")
    rules = {"prh": {"rulePaths": ["prh.yml"]}}
    (tmp_path / ".textlintrc.json").write_text(json.dumps({"rules": rules}), encoding="utf-8")
    wrong = "\n\n".join(f"{form} 。" for form in KNOWN[lang])
    right = [
        label.value
        for thing in index.things.values()
        for label in thing.labels
        if label.lang == lang
        and label.kind == "prefLabel"
        and label.value not in pairs(find_rules(index, lang))
    ]
    (tmp_path / "page.md").write_text(wrong + "\n\n" + "\n\n".join(right) + "\n", encoding="utf-8")
    expected = [f"{form} => {name}" for form, name in KNOWN[lang].items()]
    assert lint(tmp_path, "page.md") == expected
