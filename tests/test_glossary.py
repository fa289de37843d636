"""Glossaries: which terms with which status, and the files that other tools read."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.exchange.glossary import Glossary, make_glossary
from compute_atlas.graph.exchange.glossary_formats import WRITERS, write
from compute_atlas.graph.lookup.labels import read_things
from compute_atlas.ontology.names import SKOS
from pyoxigraph import Quad, RdfFormat, parse
from translate.storage.tbx import tbxfile

from tests.serving import Service

PLANTS = """
@prefix p: <http://plants.test/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
p:oak skos:prefLabel "Eiche"@de , "oak"@en-GB ; skos:altLabel "Oak"@de , "Eiche"@de ; skos:hiddenLabel "Eihce"@de , "x" ;
  rdfs:label "oak tree"@en-GB , "Quercus" ; skos:notation "Q" .
p:lime rdfs:label "Linde <&>"@de , "Lindenbaum"@de , "lime"@en .
<http://plants.test/a/b?c=1> rdfs:label "nul \\u0001 here"@de .
<http://plants.test/a.b?c=1> skos:altLabel "nur anders"@de .
p:grows a <http://www.w3.org/1999/02/22-rdf-syntax-ns#Property> ; rdfs:label "wächst"@de .
"""


def glossary(*languages: str, source: str = PLANTS) -> Glossary:
    return make_glossary(read_things(parse(source, format=RdfFormat.TURTLE)), languages)


def terms(found: Glossary) -> dict[str, list[tuple[str | None, str, str]]]:
    return {
        concept.id.removeprefix("http://plants.test/"): [
            (term.lang, term.value, term.status) for term in concept.terms
        ]
        for concept in found.concepts
    }


def test_each_term_has_the_best_status_that_it_is_given() -> None:
    found = glossary("de", "en")
    assert found.languages == ("de", "en", "en-gb")
    assert terms(found) == {
        "a.b?c=1": [("de", "nur anders", "admitted")],
        "a/b?c=1": [("de", "nul \x01 here", "preferred")],
        "lime": [
            ("de", "Linde <&>", "preferred"),
            ("de", "Lindenbaum", "admitted"),
            ("en", "lime", "preferred"),
        ],
        "oak": [
            ("de", "Eiche", "preferred"),
            ("de", "Oak", "admitted"),
            ("de", "Eihce", "deprecated"),
            ("en-gb", "oak", "preferred"),
            ("en-gb", "oak tree", "admitted"),
        ],
    }


def test_without_languages_names_of_no_language_are_terms_too() -> None:
    found = terms(glossary())["oak"]
    assert found[-1] == (None, "Quercus", "preferred")
    assert len(found) == 6, "a hidden form without a language only helps to find things"


@pytest.mark.parametrize(
    ("wanted", "words"),
    [("fr", "use any of: de, en, en-gb"), ("d_e", "no language tag"), ("", "no language tag")],
)
def test_a_language_that_is_not_there_is_named(wanted: str, words: str) -> None:
    with pytest.raises(InvalidValue, match=words):
        glossary("de", wanted)


def test_csv_has_a_row_a_term_and_a_byte_order_mark_where_asked() -> None:
    content = write(glossary("de"), "csv")
    assert content.startswith(b"id,iri,types,lang,term,status\r\n")
    assert write(glossary("de"), "csv", with_bom=True) == b"\xef\xbb\xbf" + content
    assert write(glossary("de"), "json", with_bom=True)[:1] == b"{"
    rows = list(csv.DictReader(io.StringIO(content.decode(), newline="")))
    assert len(rows) == 7
    assert rows[2] == {"id": "http://plants.test/lime", "iri": "http://plants.test/lime", "types": "", "lang": "de", "term": "Linde <&>", "status": "preferred"}  # fmt: skip


@pytest.mark.parametrize(
    ("form", "entry", "section"), [("tbx", "conceptEntry", "termSec"), ("tbx2", "termEntry", "tig")]
)
def test_tbx_is_well_formed_whatever_the_labels(form: str, entry: str, section: str) -> None:
    root = ElementTree.fromstring(write(glossary("de", "en"), form))
    space = root.tag.removesuffix("tbx").removesuffix("martif")
    entries = list(root.iter(f"{space}{entry}"))
    assert len({node.get("id") for node in entries}) == len(entries) == 4
    oak = [
        (node.findtext(f"{space}term"), node.findtext(f"{space}termNote"))
        for node in entries[3].iter(f"{space}{section}")
    ]
    assert oak[0] == ("Eiche", "preferredTerm-admn-sts")
    assert oak[2] == ("Eihce", "deprecatedTerm-admn-sts")
    assert {node.findtext(f".//{space}term") for node in entries} >= {"nul \ufffd here", "Linde <&>"}
    assert root.get("type") == ("TBX-Basic" if form == "tbx" else "TBX")


def test_tbx2_survives_the_toolkit_that_translators_use(quads: list[Quad]) -> None:
    found = make_glossary(read_things(quads), ["en", "ja"])
    store = tbxfile.parsestring(write(found, "tbx2"))  # type: ignore[no-untyped-call]
    again = tbxfile.parsestring(bytes(store))  # type: ignore[no-untyped-call]
    assert len(again.units) == len(found.concepts) > 250
    for unit, concept in zip(again.units, found.concepts, strict=True):
        expected = concept.by_language()
        for lang in expected:
            kept = [(term.text, term.deprecated) for term in unit.get_target_terms(lang)]
            assert kept == [(term.value, term.status == "deprecated") for term in expected[lang]]
    cluster = next(unit for unit in again.units if unit.getid() == "target.compute_cluster")
    assert (cluster.source, cluster.target) == ("compute cluster", "コンピューティング クラスター")


def test_turtle_is_skos_that_keeps_the_rules_of_labels(quads: list[Quad]) -> None:
    triples = list(parse(write(make_glossary(read_things(quads)), "turtle"), format=RdfFormat.TURTLE))
    labels = [
        (quad.subject, quad.object, quad.predicate.value)
        for quad in triples
        if quad.predicate.value.endswith("Label")
    ]
    assert len(labels) > 800
    assert len({(subject, label) for subject, label, _ in labels}) == len(labels), "a label is of one kind"
    preferred = [(subject, label.language) for subject, label, kind in labels if kind == f"{SKOS}prefLabel"]
    assert len(set(preferred)) == len(preferred), "one preferred label a language"


def test_the_same_graph_gives_the_same_bytes(quads: list[Quad]) -> None:
    first, again = (make_glossary(read_things(given), ["ja"]) for given in (quads, reversed(quads)))
    assert [write(first, form) for form in WRITERS] == [write(again, form) for form in WRITERS]


MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "tbx": "application/x-tbx+xml",
    "tbx2": "application/x-martif+xml",
    "ttl": "text/turtle; charset=utf-8",
    "json": "application/json",
}


@pytest.mark.parametrize("suffix", MEDIA_TYPES)
def test_the_route_answers_by_suffix(embedded_service: Service, suffix: str) -> None:
    status, headers, body = embedded_service.request("GET", f"/glossary.{suffix}?lang=it,ja&type=VMSeries")
    assert (status, headers["content-type"]) == (200, MEDIA_TYPES[suffix])
    assert "NCasT4_v3" in body.decode()
    assert embedded_service.request("HEAD", f"/glossary.{suffix}", If_None_Match='"x"')[0] == 200


def test_the_route_negotiates_and_marks_what_it_cannot_do(embedded_service: Service) -> None:
    assert json.loads(embedded_service.request("GET", "/glossary?lang=ja-JP")[2])["languages"] == ["ja"]
    assert embedded_service.request("GET", "/glossary?bom=1&lang=it", Accept="text/csv")[2].startswith(
        b"\xef\xbb\xbfid,"
    )
    for path, status in (
        ("?format=xml", 406),
        ("?lang=fr", 400),
        ("?bom=2", 400),
        ("?x=1", 400),
        (".pdf", 404),
        ("?type=Nono", 404),
    ):
        assert embedded_service.request("GET", f"/glossary{path}")[0] == status, path


def test_the_command_prints_what_the_route_answers(
    embedded_service: Service, tmp_path: Path, cli: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    served = embedded_service.request("GET", "/glossary.tbx?lang=ja,it")[2].decode()
    assert cli("glossary", "--format", "tbx", "--lang", "ja,it").stdout == served
    (tmp_path / "plants.ttl").write_text(PLANTS, encoding="utf-8")
    shown = cli("glossary", "--data", tmp_path / "plants.ttl", "--lang", "en", "--format", "json")
    assert [concept["id"] for concept in json.loads(shown.stdout)["concepts"]] == [
        "http://plants.test/lime",
        "http://plants.test/oak",
    ]
    wrong = cli("glossary", "--lang", "jp")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert 'lang="jp": no term is known in this language; use any of: en, it, ja' in wrong.stderr
