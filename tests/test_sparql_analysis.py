"""What is found out about a query before it runs: form, prefixes, dataset, SERVICE, volatility."""

from __future__ import annotations

import pytest
from compute_atlas.ontology.names import ONTOLOGY
from compute_atlas.queries.analysis import DEEPEST_NESTING, _glance, _look, analyse
from compute_atlas.queries.catalogue import catalogue
from compute_atlas.queries.errors import QueryTooComplex, ServiceForbidden, UndeclaredPrefix

BASE = "http://host.test/sparql"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("SELECT * {}", "SELECT"),
        ("select*{}", "SELECT"),
        ("SELECTDISTINCT ?s {}", "SELECT"),
        ("# ASK\nPREFIX ask: <http://e/> BASE <http://e/> CONSTRUCT {} WHERE {}", "CONSTRUCT"),
        ('VERSION "1.2" DESCRIBE <a>', "DESCRIBE"),
        ("\ufeffASK {}", "ASK"),
        ("INSERT DATA {}", "INSERT"),
        ("SELEC", None),
        ("", None),
    ],
)
def test_form(text: str, form: str | None) -> None:
    assert analyse(text).form == form


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://e/> {} }",
        "SELECT * { service\n#c\n<http://e/> {} }",
        "SELECT * { SERVICE SILENT <http://e/> {} }",
        "SELECT * { SERVICE ?s {} }",
        pytest.param("SELECT * { ?s ?p trueSERVICE <http://e/> {} }", id="glued-to-a-boolean"),
        pytest.param(
            "PREFIX : <http://e/> PREFIX SERVICE: <x:> SELECT * { SERVICE:x {} }", id="read-as-a-name"
        ),
        pytest.param("SELECT * { FILTER(?a<1)SERVICE<http://e/>{} }", id="behind-less-than"),
        pytest.param(
            r'SELECT * { ?s ?p "a\u0022 #" SERVICE <http://e/> {} }', id="escaped-quote-hides-nothing"
        ),
    ],
)
def test_service_is_refused_however_it_is_written(text: str) -> None:
    with pytest.raises(ServiceForbidden):
        analyse(text)


@pytest.mark.parametrize(
    "text",
    [
        'SELECT ?service { ?service ?p "SERVICE <x> {" } # SERVICE <x> {',
        "PREFIX service: <http://e/> SELECT * { GRAPH service:g { ?s service:p ?o } }",
        "SELECT * { ?s <http://e/SERVICE> '''SERVICE''' }",
    ],
)
def test_the_word_service_elsewhere_is_fine(text: str) -> None:
    assert analyse(text).form == "SELECT"


def test_an_undeclared_prefix_is_named_with_its_place() -> None:
    with pytest.raises(UndeclaredPrefix, match='"foaf:" is not declared') as raised:
        analyse("SELECT *\n{ ?s foaf:name ?o }")
    assert (raised.value.prefix, raised.value.line, raised.value.column) == ("foaf", 2, 6)
    assert raised.value.source_line == "{ ?s foaf:name ?o }"


def test_prefixes_of_the_vocabulary_need_no_declaration_and_can_be_overridden() -> None:
    assert analyse("SELECT * { ?s a ca:VMSeries }").prefixes == (("ca", ONTOLOGY),)
    assert analyse("PREFIX ca: <http://e/> SELECT * { ?s a ca:VMSeries }").prefixes == ()


@pytest.mark.parametrize(
    ("text", "default", "named"),
    [
        ("SELECT * {}", None, None),
        ("SELECT * FROM <http://e/a> FROM NAMED <http://e/b> {}", ("http://e/a",), ("http://e/b",)),
        ("SELECT * FROM NAMED <http://e/b> {}", (), ("http://e/b",)),
        ("PREFIX e: <http://e/> ASK FROM e:a\\.b {}", ("http://e/a.b",), ()),
        ("ASK FROM <g> {}", ("http://host.test/g",), ()),
        ("BASE <http://e/x/> ASK FROM <../g> {}", ("http://e/g",), ()),
        (r"ASK FROM <http://e/\u0061> {}", ("http://e/a",), ()),
        ("ASK FROM graph:terms {}", ("https://w3id.org/compute-atlas/graph/terms",), ()),
        ("ASKFROM<http://e/a> {}", ("http://e/a",), ()),
        ('SELECT ?from { ?from ?p "FROM <x>" }', None, None),
    ],
)
def test_dataset(text: str, default: tuple[str, ...] | None, named: tuple[str, ...] | None) -> None:
    analysis = analyse(text, BASE)
    assert (analysis.default_graphs, analysis.named_graphs) == (default, named)


@pytest.mark.parametrize(
    ("expression", "is_volatile"),
    [("now()", True), ("RAND ()", True), ("BNODE('a')", True), ("'NOW()'", False), ("STR(1)", False)],
)
def test_volatile_queries_are_known(expression: str, is_volatile: bool) -> None:
    assert analyse(f"SELECT ({expression} AS ?x) {{}}").is_volatile is is_volatile


def test_nesting_that_would_end_the_process_is_refused() -> None:
    analyse("SELECT * " + "{" * DEEPEST_NESTING + "}" * DEEPEST_NESTING)
    with pytest.raises(QueryTooComplex, match="nested more than"):
        analyse("SELECT * " + "{" * (DEEPEST_NESTING + 1) + "}" * (DEEPEST_NESTING + 1))


@pytest.mark.parametrize("name", catalogue())
def test_a_glance_sees_what_a_look_sees(name: str) -> None:
    text = catalogue()[name].text
    glanced = _glance(text)
    assert glanced is None or glanced == _look(text, "")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { ?s ?p '# no comment' } # SERVICE",
        'prefix a: <x#y>\nPREFIX\tb.c:<http://e/> ask { a:b b.c:d "<" , 1 FILTER(?x<2&&?y>1) }',
        "SELECT*{?s rdfs:label ?l}",
        "PREFIX : <http://e/> DESCRIBE :a",
        "CONSTRUCT { ?s skos:note '''a\n'b''' } WHERE { ?s ?p \"it's\" }",
    ],
)
def test_a_glance_is_enough_for_a_plain_query(text: str) -> None:
    assert _glance(text) == _look(text, "") is not None


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM <g> { ?s ?p ?o }",
        "ASK { SERVICE <x> {} }",
        "SELECT (NOW() AS ?n) {}",
        "ASK { no:prefix ?p ?o }",
        "ASK { ?s ?p '\\u0041' }",
        "INSERT DATA {}",
        "ASK " + "{" * 401,
    ],
)
def test_whatever_is_remarkable_is_looked_at(text: str) -> None:
    assert _glance(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CONSTRUCT { _:x <a:b> 1 } {}", True),
        ("CONSTRUCT { [] <a:b> 1 } {}", True),
        ("CONSTRUCT { <a:b> <a:b> (1 2) } {}", True),
        ("CONSTRUCT { <a:b> <a:b> 1 } { _:x <a:b> [] }", False),
        ("SELECT * { _:x <a:b> [] }", False),
    ],
)
def test_a_template_with_blank_nodes_is_new_each_time(text: str, expected: bool) -> None:
    assert analyse(text).is_volatile is expected
