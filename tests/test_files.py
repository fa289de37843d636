"""Reading other people's RDF: formats, bases, blank nodes, and errors that name the place."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from compute_atlas.graph.errors import UnreadableFile
from compute_atlas.graph.files import Source, imports, read_sources
from pyoxigraph import BlankNode, DefaultGraph, NamedNode

TURTLE = "<http://kg.test/a> <http://kg.test/p> [] ."


def read(path: Path, graph: str | None = None) -> list[str]:
    return [str(quad) for quad in read_sources([Source(path, graph)])]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.ttl", "<http://kg.test/s> <http://kg.test/p> 'é' ."),
        ("a.nt", '<http://kg.test/s> <http://kg.test/p> "é" .'),
        ("a.nq", '<http://kg.test/s> <http://kg.test/p> "é" .'),
        ("a.trig", "{ <http://kg.test/s> <http://kg.test/p> 'é' }"),
        ("a.owl", "@prefix e: <http://kg.test/> . e:s e:p 'é' ."),
        ("b.owl", "<http://kg.test/s> <http://kg.test/p> 'é' ."),
        ("a.jsonld", '{"@id": "http://kg.test/s", "http://kg.test/p": "é"}'),
        (
            "a.rdf",
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://kg.test/">'
            '<rdf:Description rdf:about="http://kg.test/s"><e:p>é</e:p></rdf:Description></rdf:RDF>',
        ),
    ],
)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_formats_are_known_by_the_ending(name: str, content: str, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / (f"{name}.gz" if packed else name)
    raw = content.encode()
    path.write_bytes(gzip.compress(raw) if packed else raw)
    assert read(path) == ['<http://kg.test/s> <http://kg.test/p> "é"']


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "bom.ttl"
    path.write_bytes(b"\xef\xbb\xbf" + TURTLE.encode())
    assert len(read(path)) == 1


def test_two_files_never_share_a_blank_node_and_names_are_stable(tmp_path: Path) -> None:
    for name in ("a.nt", "b.nt"):
        (tmp_path / name).write_text("_:x <http://kg.test/p> _:x .\n")
    sources = [Source(tmp_path / "a.nt"), Source(tmp_path / "b.nt")]
    quads = read_sources(sources)
    assert len({quad.subject for quad in quads}) == 2
    assert all(quad.subject == quad.object and isinstance(quad.subject, BlankNode) for quad in quads)
    assert read_sources(sources) == quads


def test_a_graph_name_takes_triples_and_leaves_quads(tmp_path: Path) -> None:
    path = tmp_path / "a.trig"
    path.write_text("@prefix e: <http://kg.test/> . e:a e:p 1 . GRAPH e:g { e:a e:p 2 }")
    found = read_sources([Source(path, "http://kg.test/h")])
    graphs = {getattr(quad.object, "value", ""): quad.graph_name for quad in found}
    assert graphs == {"1": NamedNode("http://kg.test/h"), "2": NamedNode("http://kg.test/g")}
    assert {str(q.graph_name) for q in read_sources([Source(path)])} == {
        str(DefaultGraph()),
        "<http://kg.test/g>",
    }


def test_relative_iris_resolve_against_graph_or_file(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text("<s> <p> <o> .")
    assert read(path, "http://kg.test/base/") == [
        "<http://kg.test/base/s> <http://kg.test/base/p> <http://kg.test/base/o> <http://kg.test/base/>"
    ]
    assert read(path)[0].startswith(f"<{tmp_path.as_uri()}/s> ")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        pytest.param("a.ttl", "<http://a> <http://b> .", ":1:", id="syntax"),
        pytest.param("a.ttl", "\n\n<http://a> nope:b 1 .", ":3:", id="undeclared-prefix"),
        pytest.param("a.nt", "<s> <http://b> 1 .", ":1:", id="relative-in-n-triples"),
        pytest.param("a.xyz", "", '".xyz" names no RDF format; use one of: .ttl', id="format"),
        pytest.param(
            "a.jsonld",
            '{"@context": "http://kg.test/c", "p": 1}',
            "put the @context into the file",
            id="remote-context",
        ),
        pytest.param("a.ttl.gz", "not packed", "cannot be read", id="not-gzip"),
    ],
)
def test_broken_data_names_file_and_place(name: str, content: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(UnreadableFile) as caught:
        read(path)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="there is no such file"):
        read(tmp_path / "none.ttl")
    with pytest.raises(UnreadableFile, match="this is a folder"):
        read(tmp_path)


def test_imports_are_listed_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text("<http://kg.test/o> <http://www.w3.org/2002/07/owl#imports> <http://kg.test/x> .")
    assert imports(read_sources([Source(path)])) == ["http://kg.test/x"]


def test_an_empty_file_is_fine(tmp_path: Path) -> None:
    (tmp_path / "empty.ttl").write_text("")
    assert read(tmp_path / "empty.ttl") == []


def test_a_damaged_archive_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.nt.gz"
    packed = bytearray(gzip.compress(b"<http://kg.test/s> <http://kg.test/p> <http://kg.test/o> .\n" * 99))
    packed[15] ^= 0xFF
    path.write_bytes(packed)
    with pytest.raises(UnreadableFile, match=r"a\.nt\.gz: it cannot be read"):
        read(path)
