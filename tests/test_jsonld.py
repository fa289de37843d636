"""JSON-LD of what is said about a resource reads back as it was, language maps or not."""

from __future__ import annotations

import json

import pytest
from compute_atlas.queries.jsonld import document
from pyoxigraph import RdfFormat, Triple, parse

PREFIXES = (
    "@prefix e: <http://kg.test/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> ."
    " @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('e:s skos:prefLabel "a"@en , "b"@ja .', id="map"),
        pytest.param('e:s skos:prefLabel "a"@en , "b" , e:o .', id="map-and-others"),
        pytest.param('e:s e:p "a"@en , "c"@en .', id="map-without-short-name"),
        pytest.param('e:s e:p "a"@en , "b" , 1 , e:o .', id="mixed-without-short-name"),
        pytest.param("e:s a skos:Concept ; skos:notation true , 2.5 .", id="types"),
    ],
)
def test_a_document_reads_back_as_it_was(text: str) -> None:
    quads = list(parse(PREFIXES + text, format=RdfFormat.TURTLE))
    triples = [Triple(quad.subject, quad.predicate, quad.object) for quad in quads]
    content = json.dumps(document(triples)).encode()
    assert {quad.triple for quad in parse(content, format=RdfFormat.JSON_LD)} == set(triples)
