"""Which format an answer is in: Accept, format=, and what the form of the query allows."""

from __future__ import annotations

import pytest
from compute_atlas.queries.formats import BOOLEANS, GRAPHS, TABLES, Format
from compute_atlas.server.errors import BadParameter, NotAcceptable
from compute_atlas.server.negotiate import HTML, choose, media_type, prefers_html

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize(
    ("offers", "accept", "expected"),
    [
        (TABLES, None, "application/sparql-results+json"),
        (TABLES, "", "application/sparql-results+json"),
        (TABLES, "*/*", "application/sparql-results+json"),
        (TABLES, "*", "application/sparql-results+json"),
        (TABLES, "application/json", "application/json"),
        (TABLES, "text/*", "text/csv"),
        (TABLES, "TEXT/CSV; charset=utf-8", "text/csv"),
        (TABLES, "text/csv;q=0.5, application/sparql-results+xml", "application/sparql-results+xml"),
        (TABLES, "text/csv, */*", "text/csv"),
        (TABLES, "text/csv, */*;q=0.1", "text/csv"),
        (TABLES, "application/sparql-results+json;q=0, */*", "application/sparql-results+xml"),
        (
            TABLES,
            "text/*;q=0.9, text/csv;q=0.1, text/tab-separated-values;q=0.2",
            "text/tab-separated-values",
        ),
        (TABLES, "nonsense, ;;, text/csv", "text/csv"),
        (TABLES, "text/csv;q=1.0;ext=1, application/json;q=0.3", "text/csv"),
        (TABLES, 'text/csv;note="a,b";q=0.2, application/json;q=0.1', "text/csv"),
        (TABLES, "text/turtle, text/csv;q=0.1", "text/csv"),
        (TABLES, BROWSER, "application/sparql-results+json"),
        (GRAPHS, None, "text/turtle"),
        (GRAPHS, "application/sparql-results+json,text/turtle", "text/turtle"),
        (GRAPHS, "application/x-turtle", "application/x-turtle"),
        (GRAPHS, "application/rdf+xml, application/n-triples", "application/n-triples"),
        (BOOLEANS, "application/sparql-results+xml", "application/sparql-results+xml"),
        ((*GRAPHS, HTML), BROWSER, "text/html"),
        ((*GRAPHS, HTML), "*/*", "text/turtle"),
    ],
)
def test_accept(offers: tuple[Format, ...], accept: str | None, expected: str) -> None:
    assert choose(offers, accept).media_type == expected


@pytest.mark.parametrize(
    ("offers", "accept"),
    [
        (TABLES, "image/png"),
        (TABLES, "*/*;q=0"),
        (TABLES, "text/turtle"),
        (GRAPHS, "text/csv"),
        (BOOLEANS, "text/csv"),
        (TABLES, "text/csv;q=0.0"),
    ],
)
def test_what_cannot_be_accepted_is_refused_with_a_list(offers: tuple[Format, ...], accept: str) -> None:
    with pytest.raises(NotAcceptable) as raised:
        choose(offers, accept)
    assert raised.value.allowed == [offer.media_types[0] for offer in offers]


@pytest.mark.parametrize(
    ("offers", "name", "expected"),
    [
        (TABLES, "csv", "text/csv"),
        (TABLES, "JSON", "application/sparql-results+json"),
        (TABLES, "text/csv", "text/csv"),
        (TABLES, "application/json", "application/json"),
        (GRAPHS, "json", "application/ld+json"),
        (GRAPHS, "xml", "application/rdf+xml"),
        (GRAPHS, "json-ld", "application/ld+json"),
        (GRAPHS, "ttl", "text/turtle"),
        (GRAPHS, "nquads", "application/n-quads"),
    ],
)
def test_format_overrides_accept(offers: tuple[Format, ...], name: str, expected: str) -> None:
    assert choose(offers, "image/png", name).media_type == expected


def test_a_format_that_does_not_fit_is_not_acceptable() -> None:
    with pytest.raises(NotAcceptable, match="turtle"):
        choose(TABLES, None, "turtle")


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(BadParameter, match='unknown format "docx"; use one of: json, xml, csv, tsv'):
        choose(TABLES, None, "docx")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Application/SPARQL-Query;charset=UTF-8", ("application/sparql-query", "utf-8")),
        ('text/csv; header=present; charset="iso-8859-1"', ("text/csv", "iso-8859-1")),
        ("", ("", "")),
        (None, ("", "")),
    ],
)
def test_media_type(header: str | None, expected: tuple[str, str]) -> None:
    assert media_type(header) == expected


@pytest.mark.parametrize(
    ("accept", "expected"),
    [(BROWSER, True), ("*/*", False), ("application/json, text/html;q=0.5", False), (None, False)],
)
def test_who_wants_a_page(accept: str | None, expected: bool) -> None:
    assert prefers_html(accept) is expected
