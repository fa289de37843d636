"""TriG as we write it reads back as it was, in prefixed, sorted lines."""

from __future__ import annotations

import pytest
from compute_atlas.graph import trig
from pyoxigraph import CanonicalizationAlgorithm, Dataset, NamedNode, Quad, RdfFormat, parse, serialize

LITERALS = r"""
@prefix e: <http://kg.test/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix cuda: <https://w3id.org/compute-atlas/cuda/> .
e:s e:p "quote \" backslash \\ newline \n tab \t" , "日本語"@ja , "x"@en-GB , 007 , "0x"^^xsd:integer , true ,
  "1"^^xsd:boolean , "2023-08-31"^^xsd:date , 1.50 , "z"^^<http://kg.test/type> , cuda:11.0 , <http://kg.test/a,b> .
"""
NODES = """
@prefix e: <http://kg.test/> .
[] a e:Lonely ; e:line 10 , 9 .
e:s e:p [ e:q ( 1 e:two [ e:deep "x" ] ) ] , () , ( e:only ) .
"""


def canonical(content: bytes) -> Dataset:
    dataset = Dataset(parse(content, format=RdfFormat.TRIG))
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return dataset


@pytest.mark.parametrize("text", [LITERALS, NODES], ids=["literals", "nodes"])
def test_written_and_read_again_is_the_same(text: str) -> None:
    quads = list(parse(text, format=RdfFormat.TRIG))
    assert len(quads) > 3
    assert canonical(trig.write(quads)) == canonical(text.encode())
    graph = NamedNode("http://kg.test/g")
    named = [Quad(quad.subject, quad.predicate, quad.object, graph) for quad in quads]
    assert canonical(trig.write(named)) == canonical(serialize(named, format=RdfFormat.TRIG) or b"")


def test_the_embedded_graph_survives(quads: list[Quad]) -> None:
    assert canonical(trig.write(quads)) == canonical(serialize(quads, format=RdfFormat.TRIG) or b"")


def test_lines_are_sorted_and_short() -> None:
    text = trig.write(parse(NODES, format=RdfFormat.TRIG)).decode()
    assert "[] a <http://kg.test/Lonely> ; <http://kg.test/line> 9 ; <http://kg.test/line> 10 ." in text
    lines = [line for line in text.splitlines() if line and not line.startswith("@")]
    assert lines == sorted(lines)
