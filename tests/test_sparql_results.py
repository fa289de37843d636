"""Answers in each format, to the letter."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree

import pytest
from compute_atlas.graph.store import open_store
from compute_atlas.queries.analysis import analyse
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.errors import NotExpressible
from compute_atlas.queries.evaluate import evaluate, query_of
from compute_atlas.queries.formats import GRAPHS, RDF_ENGINE
from compute_atlas.queries.results import CleanXml, write
from pyoxigraph import RdfFormat, parse

SPARQL = "{http://www.w3.org/2005/sparql-results#}"
NASTY = 'SELECT (CONCAT("a\\u0001\\u0000", "\\r\\n\\t", "<&\\"\\uFFFF ", "日本") AS ?x) {}'


class Sink(io.BytesIO):
    """An output that keeps what is written."""


def answer(text: str, format_name: str, data: str = "", **options: str) -> str:
    dataset = Dataset(open_store(list(parse(data, format=RdfFormat.TRIG))))
    output = io.BytesIO()
    write(evaluate(dataset, query_of(analyse(text))), format_name, output, store=dataset.store, **options)
    return output.getvalue().decode()


def test_json_keeps_every_character() -> None:
    text = answer(NASTY, "json")
    assert json.loads(text)["results"]["bindings"][0]["x"]["value"] == 'a\x01\x00\r\n\t<&"\uffff 日本'
    assert "日本" in text, "real characters, no escapes"


def test_xml_is_well_formed_and_keeps_carriage_returns() -> None:
    literal = ElementTree.fromstring(answer(NASTY, "xml")).find(f".//{SPARQL}literal")
    assert literal is not None
    assert literal.text == 'a\ufffd\ufffd\r\n\t<&"\ufffd 日本'


def test_csv_is_rfc_4180() -> None:
    text = answer(
        'SELECT ?x ?y { VALUES (?x ?y) { ("a,\\"b\\r\\n" 1) (UNDEF <http://e/>) ("" "c"@en) } }', "csv"
    )
    assert text == 'x,y\r\n"a,""b\r\n",1\r\n,http://e/\r\n,c\r\n'


def test_csv_quotes_whatever_holds_a_comma() -> None:
    text = answer('SELECT (<http://e/a,b> AS ?x) (<<( <a:a> <a:b> "c,d" )>> AS ?y) {}', "csv")
    assert list(csv.reader(io.StringIO(text, newline=""))) == [
        ["x", "y"],
        ["http://e/a,b", '<<( <a:a> <a:b> "c,d" )>>'],
    ]


def test_csv_of_one_column_has_no_empty_lines() -> None:
    text = answer('SELECT ?x { VALUES ?x { 1 UNDEF "a" } }', "csv")
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["x"], ["1"], [""], ["a"]]
    assert text.endswith("\r\n")


def test_tsv_has_terms_as_turtle_writes_them() -> None:
    text = answer(
        'SELECT ?x ?y { VALUES (?x ?y) { ("t\\tq\\"\\n"@it 1) (UNDEF <http://e/>) (true 1.5) } }', "tsv"
    )
    assert text == ('?x\t?y\n"t\\tq\\"\\n"@it\t1\n\t<http://e/>\ntrue\t1.5\n')


@pytest.mark.parametrize("format_name", ["json", "xml"])
def test_ask(format_name: str) -> None:
    assert "true" in answer("ASK {}", format_name)


LABELLED = """
@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:a rdfs:label "あ, い"@ja , "a"@it ; e:p e:b , 1 .
e:b rdfs:label "plain" .
"""
LABELS_QUERY = "PREFIX e: <http://e/> SELECT ?s ?o { ?s e:p ?o } ORDER BY ?o"


def test_labels_stand_behind_columns_with_iris() -> None:
    text = answer(LABELS_QUERY, "csv", LABELLED, labels="ja-JP")
    assert list(csv.reader(io.StringIO(text))) == [
        ["s", "s_label", "o", "o_label"],
        ["http://e/a", "あ, い", "http://e/b", "plain"],
        ["http://e/a", "あ, い", "1", ""],
    ]


def test_labels_are_never_silently_in_another_language() -> None:
    assert answer(LABELS_QUERY, "tsv", LABELLED, labels="de").split("\n")[1:3] == [
        '<http://e/a>\t\t<http://e/b>\t"plain"',
        "<http://e/a>\t\t1\t",
    ]


@pytest.mark.parametrize("offer", GRAPHS, ids=lambda offer: offer.name)
def test_graphs_come_back_as_they_were(offer: object) -> None:
    name = getattr(offer, "name")  # noqa: B009
    text = answer("CONSTRUCT WHERE { ?s ?p ?o }", name, LABELLED)
    assert len({str(quad.triple) for quad in parse(text, format=RDF_ENGINE[name])}) == 5
    assert answer("CONSTRUCT WHERE { ?s ?p ?o }", name, LABELLED) == text, "the same bytes again"


def test_a_construct_gives_each_triple_once() -> None:
    assert answer("CONSTRUCT { <a:a> <a:b> 1 } WHERE { ?s ?p ?o }", "nt", LABELLED).count("\n") == 1


def test_turtle_declares_the_prefixes_it_uses_in_order() -> None:
    text = answer("CONSTRUCT { ca:x a rdfs:Class , series:y } WHERE {}", "turtle")
    prefixes = [line.split()[1] for line in text.splitlines() if line.startswith("@prefix")]
    assert prefixes == ["ca:", "rdf:", "rdfs:", "series:"]


@pytest.mark.parametrize("predicate", ["http://e/1", "http://e/", "http://e/p#"])
def test_rdf_xml_says_what_it_cannot_hold(predicate: str) -> None:
    with pytest.raises(NotExpressible, match=predicate):
        answer(f"CONSTRUCT {{ <a:a> <{predicate}> 1 }} WHERE {{}}", "rdfxml")


def test_rdf_xml_is_well_formed_whatever_the_data() -> None:
    ElementTree.fromstring(
        answer(NASTY.replace("SELECT", "CONSTRUCT { <a:a> <a:b> ?x } WHERE { SELECT") + "}", "rdfxml")
    )


def test_xml_is_cleaned_across_pieces() -> None:
    output = io.BytesIO()
    cleaned = CleanXml(output)
    for byte in "é\uffff\r\x01\uffe9".encode():
        cleaned.write(bytes([byte]))
    cleaned.flush()
    assert output.getvalue().decode() == "é\ufffd&#13;\ufffd\uffe9"


class Full(io.BytesIO):
    """An output on a full disk."""

    def write(self, data: object, /) -> int:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("format_name", ["json", "csv", "xml"])
def test_an_output_that_fails_is_no_fault_of_the_query(format_name: str) -> None:
    dataset = Dataset(open_store([]))
    results = evaluate(dataset, query_of(analyse("SELECT ?x { VALUES ?x { 1 2 } }")))
    with pytest.raises(OSError, match="No space left"):
        write(results, format_name, Full(), store=dataset.store)


def test_json_ld_says_what_it_cannot_hold() -> None:
    with pytest.raises(NotExpressible, match="no form for the triple term"):
        answer("CONSTRUCT { <a:b> <a:c> <<( <a:b> <a:c> 1 )>> } {}", "jsonld")


def test_a_column_of_labels_never_takes_another_columns_name() -> None:
    text = answer("SELECT ?s ?s_label { VALUES (?s ?s_label) { (<a:b> 2) } }", "csv", labels="ja")
    assert text.splitlines()[0] == "s,s_label_,s_label"
