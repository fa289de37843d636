"""Every format holds what the drawing has, for graphs of anybody and labels of any kind."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tracemalloc
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from compute_atlas.graph.errors import InvalidValue, UnknownTerm
from compute_atlas.graph.export import parts
from compute_atlas.graph.export.elements import Choice
from compute_atlas.graph.export.formats import FORMATS, UnknownFormat, export, find_format
from compute_atlas.graph.export.slugs import node_id
from compute_atlas.graph.export.triples import NotWritable
from compute_atlas.graph.store import open_store
from compute_atlas.ontology.names import BASE, ONTOLOGY, iri
from pyoxigraph import (
    BaseDirection,
    CanonicalizationAlgorithm,
    Dataset,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    RdfFormat,
    Store,
    Triple,
    parse,
)

from tests.drawings import (
    HOSTILE,
    Read,
    decoded,
    drawn,
    hostile_store,
    needs_graphviz,
    needs_node,
    read_graphviz,
    read_igraph,
    read_networkx,
    read_node,
    read_tables,
    written,
)

GRAPHS = ("graphml", "graphml-yed", "gexf", "dot", "cytoscape", "cx2", "node-link", "mermaid")
TABLES = ("csv", "csv-neo4j")
RDF = ("turtle", "jsonld", "ntriples", "trig", "rdfxml")
OURS = (*GRAPHS, *TABLES, *RDF, "svg")
PREFIX = "@prefix e: <http://kg.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
PREFIX += (
    "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
)


def store_of(text: str, file_format: RdfFormat = RdfFormat.TURTLE) -> Store:
    return open_store(parse(PREFIX + text, format=file_format))


def nodes_of(store: Store, choice: Choice | None = None) -> dict[str, dict[str, Any]]:
    """Return the attributes of all nodes by IRI."""
    drawing = parts.whole(store, choice or Choice())
    return {str(node.attributes.get("iri", node.label)): node.attributes for node in drawing.nodes()}


@pytest.fixture(scope="module")
def hostile() -> Store:
    return hostile_store()


@pytest.fixture(scope="module", params=["hostile", "embedded"])
def graph(request: pytest.FixtureRequest, store: Store, hostile: Store) -> Store:
    """A graph with labels that are hard to write, and our own."""
    return hostile if request.param == "hostile" else store


def test_the_table_names_the_formats() -> None:
    assert set(FORMATS) >= set(OURS)
    with pytest.raises(UnknownFormat, match="use one of: graphml"):
        find_format("docx")


def test_the_hostile_graph_is_as_hard_as_it_should_be(hostile: Store) -> None:
    read = drawn(parts.whole(hostile, Choice()))
    assert len(read.nodes) == len(HOSTILE) + 3
    assert sum(read.edges.values()) == 2 * len(HOSTILE) + 2 + 3
    assert any(source == target for source, target, _ in read.edges)
    assert len(set(read.nodes.values())) < len(read.nodes), "two nodes with one label"


@pytest.mark.parametrize("name", ["graphml", "graphml-yed", "gexf", "node-link", "cytoscape"])
def test_networkx_reads_the_same(graph: Store, name: str) -> None:
    assert read_networkx(written(graph, name), name) == drawn(parts.whole(graph, Choice()))


@pytest.mark.parametrize("name", ["graphml", "graphml-yed"])
def test_igraph_reads_the_same(graph: Store, name: str, tmp_path: Path) -> None:
    assert read_igraph(written(graph, name), tmp_path / "g.graphml") == drawn(parts.whole(graph, Choice()))


@needs_graphviz
def test_graphviz_reads_the_same(graph: Store) -> None:
    assert read_graphviz(written(graph, "dot")) == drawn(parts.whole(graph, Choice()))


@needs_node
@pytest.mark.parametrize("name", ["graphml", "gexf", "cytoscape"])
def test_readers_in_javascript_read_the_same(graph: Store, name: str) -> None:
    found = read_node(written(graph, name), name)
    edges = Counter((source, target, label) for _, source, target, label in found["edges"])
    assert Read(dict(found["nodes"]), edges) == drawn(parts.whole(graph, Choice()))


@needs_node
def test_mermaid_reads_the_same_labels(hostile: Store) -> None:
    found = read_node(written(hostile, "mermaid"), "mermaid")
    expected = drawn(parts.whole(hostile, Choice()))
    labels = sorted(" ".join(label.split()) for label in expected.nodes.values())
    assert sorted(" ".join(decoded(text).split()) for _, text in found["nodes"]) == labels
    assert len(found["edges"]) == sum(expected.edges.values())


@needs_node
@pytest.mark.parametrize("name", ["turtle", "trig", "ntriples"])
def test_n3_reads_as_many_triples(graph: Store, name: str) -> None:
    content = written(graph, name)
    assert read_node(content, name)["count"] == sum(1 for _ in parse(content, format=_PARSED[name]))


def test_node_link_and_cx2_and_tables_hold_the_same(graph: Store) -> None:
    drawing = parts.whole(graph, Choice())
    nodes, edges = list(drawing.nodes()), list(drawing.edges())
    aspects = {name: value for part in json.loads(written(graph, "cx2")) for name, value in part.items()}
    assert [node["v"]["label"] for node in aspects["nodes"]] == [node.label for node in nodes]
    assert [(e["s"], e["t"]) for e in aspects["edges"]] == [(e.source_number, e.target_number) for e in edges]
    assert len({node["id"] for node in aspects["nodes"]}) == len(nodes)
    declared = aspects["attributeDeclarations"][0]["nodes"]
    assert all(node["v"].keys() <= declared.keys() for node in aspects["nodes"])
    assert aspects["status"] == [{"success": True}]
    tables = read_tables(written(graph, "csv"))
    assert [(row["id"], row["label"]) for row in tables["nodes.csv"]] == [(n.id, n.label) for n in nodes]
    assert [(r["id"], r["source"], r["target"], r["type"]) for r in tables["edges.csv"]] == [
        (edge.id, edge.source, edge.target, "Directed") for edge in edges
    ]
    loaded = read_tables(written(graph, "csv-neo4j"))
    assert [(r["id:ID"], r["label:string"]) for r in loaded["nodes.csv"]] == [(n.id, n.label) for n in nodes]
    assert [(r[":START_ID"], r[":TYPE"], r[":END_ID"]) for r in loaded["relationships.csv"]] == [
        (edge.source, edge.attributes["interaction"], edge.target) for edge in edges
    ]


def test_json_is_strict_and_has_real_characters(graph: Store) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    for name in ("cytoscape", "cx2", "node-link", "jsonld"):
        text = written(graph, name).decode()
        json.loads(text, parse_constant=refuse)
        assert not re.search(r"\\u(?!00[01])", text), name
        assert "コンピューティング" in text


def test_gexf_keeps_its_rules(graph: Store) -> None:
    """The rules of GEXF 1.3 that its readers rely on."""
    space = "{http://gexf.net/1.3}"
    root = ElementTree.fromstring(written(graph, "gexf"))
    assert (root.tag, root.get("version")) == (f"{space}gexf", "1.3")
    drawing = root.find(f"{space}graph")
    assert drawing is not None
    assert (drawing.get("defaultedgetype"), drawing.get("mode")) == ("directed", "static")
    assert [child.tag.removeprefix(space) for child in drawing] == [
        "attributes",
        "attributes",
        "nodes",
        "edges",
    ]
    known: set[str] = set()
    for what in ("node", "edge"):
        declared = {
            found.get("id"): found
            for found in drawing.findall(f"{space}attributes[@class='{what}']/{space}attribute")
        }
        assert all(found.get("type") in ("string", "long", "double") for found in declared.values())
        titles = [found.get("title") for found in declared.values()]
        assert len(titles) == len(set(titles))
        items = drawing.findall(f"{space}{what}s/{space}{what}")
        counted = drawing.find(f"{space}{what}s")
        assert counted is not None
        assert counted.get("count") == str(len(items))
        ids = [str(item.get("id")) for item in items]
        assert len(set(ids)) == len(ids)
        known |= set(ids) if what == "node" else set()
        for item in items:
            values = item.findall(f"{space}attvalues/{space}attvalue")
            assert {value.get("for") for value in values} <= declared.keys()
            assert item.get("label") is not None
            if what == "edge":
                assert {item.get("source"), item.get("target")} <= known
                assert item.get("kind")
    assert "lastmodifieddate" not in written(graph, "gexf").decode()


def test_dot_has_no_default_statements(hostile: Store) -> None:
    lines = written(hostile, "dot").decode()
    assert not re.search(r"^\s*(?:graph|node|edge)\s*\[", lines, re.MULTILINE)


_PARSED = {
    "turtle": RdfFormat.TURTLE,
    "jsonld": RdfFormat.JSON_LD,
    "ntriples": RdfFormat.N_TRIPLES,
    "trig": RdfFormat.TRIG,
    "rdfxml": RdfFormat.RDF_XML,
}
AWKWARD = """
    e:a e:p e:a , e:b ; e:p2 [ e:q [ e:r 1 ] ] ; e:list ( 1 "zwei"@de ( ) ( e:x ) ) .
    _:shared e:p _:shared . e:b e:p _:shared , _:once . _:once e:p 048 , 1.50 , true , "x"^^e:own .
    _:c1 e:p _:c2 . _:c2 e:p _:c1 . [] e:p "alone" .
    _:l <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> 1 . e:c e:broken _:l .
    <os:x> e:p <term:y> . e:シリーズ rdfs:label "NCv3 シリーズ"@ja , "plain" , e:label ; e:語 "x"@ja .
    e:t a e:T , [ a e:U ] .
"""


def canonical(quads: Any) -> set[str]:
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return set(map(str, dataset))


def cleaned(quads: Any) -> list[Quad]:
    """Return quads with the characters that XML cannot hold replaced."""
    bad = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
    listed = []
    for quad in quads:
        term = quad.object
        if isinstance(term, Literal) and bad.search(term.value):
            term = Literal(bad.sub("\ufffd", term.value), language=term.language)
        listed.append(Quad(quad.subject, quad.predicate, term))
    return listed


@pytest.mark.parametrize("name", RDF)
@pytest.mark.parametrize("source", ["awkward", "hostile", "embedded"])
def test_rdf_comes_back_isomorphic(source: str, name: str, store: Store, hostile: Store) -> None:
    graph = {"awkward": store_of(AWKWARD), "hostile": hostile, "embedded": store}[source]
    union = list(graph.quads_for_pattern(None, None, None, DefaultGraph()))
    content = written(graph, name)
    read = list(parse(content, format=_PARSED[name]))
    if name == "trig":
        named = [quad for quad in graph if quad.graph_name != DefaultGraph()]
        assert canonical(read) == canonical(named or union)
    elif name == "rdfxml":
        assert canonical(read) == canonical(cleaned(union))
    else:
        assert canonical(read) == canonical(union)


def test_turtle_is_for_people(store: Store) -> None:
    text = written(store, "turtle").decode()
    assert "\nseries:NCv3 a ca:VMSeries ;\n" in text
    assert '    rdfs:label "NCv3"@en , "NCv3"@it , "NCv3"@ja ;\n' in text
    subjects = re.findall(r"^(\S+) .*", text, re.MULTILINE)
    assert len(subjects) > 500


def test_statements_about_statements_are_written_or_refused() -> None:
    claim = Triple(NamedNode("http://kg.test/a"), NamedNode("http://kg.test/p"), Literal("x"))
    quad = Quad(NamedNode("http://kg.test/r"), NamedNode("http://kg.test/says"), claim)
    graph = open_store([quad])
    assert b"<<( <http://kg.test/a>" in written(graph, "turtle")
    for name in ("jsonld", "rdfxml"):
        with pytest.raises(NotWritable, match="ask for turtle or ntriples"):
            written(graph, name)


def test_texts_with_a_direction_are_written_or_refused() -> None:
    text = Literal("x", language="ar", direction=BaseDirection.RTL)
    graph = open_store([Quad(NamedNode("http://kg.test/a"), NamedNode("http://kg.test/p"), text)])
    assert b'"x"@ar--rtl' in written(graph, "turtle")
    for name in ("jsonld", "rdfxml"):
        with pytest.raises(NotWritable, match="direction of writing"):
            written(graph, name)


def test_rdfxml_refuses_what_it_cannot_name() -> None:
    with pytest.raises(NotWritable, match=r"http://kg\.test/123"):
        written(store_of("e:a <http://kg.test/123> 1 ."), "rdfxml")


@pytest.mark.parametrize("name", OURS)
def test_the_same_graph_gives_the_same_bytes(name: str) -> None:
    """In another process, with another order of hashes and of loading."""
    code = (
        "import sys; from compute_atlas.graph.build import embedded; from compute_atlas.graph.store import"
        " open_store; from compute_atlas.graph.export.drawing import Choice; from compute_atlas.graph.export"
        " import parts; from compute_atlas.graph.export.formats import FORMATS, export;"
        " store = open_store(reversed(embedded()));"
        " sys.stdout.buffer.writelines(export(parts.whole(store, Choice(('ja',))), FORMATS[sys.argv[1]]))"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", code, name],
            env={"PYTHONHASHSEED": seed, "TZ": zone, "LANG": "C"},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(made) == 1


def test_labels_in_all_languages_are_columns() -> None:
    text = 'e:a rdfs:label "A"@en , "あ"@ja , "à"@it , "ah"@pt-BR , "bare" ; e:p e:b .'
    found = nodes_of(store_of(text), Choice(("it",)))
    a, b = found["http://kg.test/a"], found["http://kg.test/b"]
    assert (a["label"], a["name"], a["label_ja"], a["label_pt_br"], a["label_und"]) == (
        "à",
        "à",
        "あ",
        "ah",
        "bare",
    )
    assert (b["label"], "label_ja" in b) == ("b", False)


def test_a_second_name_is_an_alternative() -> None:
    found = nodes_of(store_of('e:a rdfs:label "B"@it , "A"@it ; e:p e:a .'))["http://kg.test/a"]
    assert (found["label_it"], found["alt_it"]) == ("A", "B")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param("48", 48, id="integer"),
        pytest.param("1.5", 1.5, id="decimal"),
        pytest.param("1, 2", "1 | 2", id="two values"),
        pytest.param("99999999999999999999", "99999999999999999999", id="too large"),
        pytest.param("0.12345678901234567890123", "0.12345678901234567890123", id="too exact"),
        pytest.param('"NaN"^^xsd:double', "NaN", id="not a number"),
        pytest.param("true", "true", id="boolean"),
        pytest.param('"2023-08-31"^^xsd:date', "2023-08-31", id="date"),
        pytest.param('"４８"^^xsd:integer', "４８", id="ill-formed"),
    ],
)
def test_a_column_has_one_type(values: str, expected: object) -> None:
    value = nodes_of(store_of(f"e:a e:ram {values} ."))["http://kg.test/a"]["ram"]
    assert value == expected
    assert type(value) is type(expected)


def test_a_column_of_mixed_values_is_text() -> None:
    found = nodes_of(store_of('e:a e:ram 48 . e:b e:ram "112 GB" .'))
    assert found["http://kg.test/a"]["ram"] == "48"


def test_columns_of_data_get_names_of_their_own() -> None:
    text = 'e:a e:start "1" ; e:Label "2" ; <http://other.test/ram> "3" ; e:ram "4" ; e:RAM "5" ; e:label_ja "6" .'
    found = nodes_of(store_of(text))["http://kg.test/a"]
    names = {str(value): name for name, value in found.items() if str(value).isdigit()}
    assert names == {
        "1": "data_start",
        "2": "data_Label",
        "3": "ram_3",
        "4": "ram_2",
        "5": "RAM",
        "6": "data_label_ja",
    }


def test_classes_and_properties_and_annotations_are_no_nodes() -> None:
    text = """
        e:C a owl:Class ; rdfs:label "C" ; rdfs:subClassOf e:D . e:p rdfs:label "P" ; rdfs:domain e:C .
        e:a a e:C ; e:p e:b . e:b e:about e:C . [] a owl:Axiom ; owl:annotatedSource e:a ; e:line 3 .
        [] a owl:AllDifferent ; owl:distinctMembers ( e:a e:b ) .
    """
    graph = store_of(text)
    assert nodes_of(graph).keys() == {"http://kg.test/a", "http://kg.test/b"}
    assert nodes_of(graph)["http://kg.test/a"]["type"] == "C"
    classes = nodes_of(graph, Choice(classes=True))
    assert classes.keys() >= {"http://kg.test/C", "http://kg.test/D", "http://kg.test/p"}
    drawing = parts.whole(graph, Choice(classes=True))
    kinds = Counter(edge.attributes["interaction"] for edge in drawing.edges())
    assert (kinds["type"], kinds["subClassOf"], kinds["domain"], kinds["about"]) == (1, 1, 1, 1)
    assert len(nodes_of(graph, Choice(annotations=True))) == 3


def test_our_own_classes_and_evidence_are_no_nodes(store: Store) -> None:
    found = nodes_of(store)
    assert not [name for name in found if name.startswith((ONTOLOGY, "_:", f"{BASE}claim/"))]
    assert found[iri("series/NCv3")]["label_ja"] == "NCv3"


def test_literals_become_nodes_only_when_asked() -> None:
    graph = store_of('e:a e:ram 48 ; rdfs:label "A" . e:b e:ram 48 ; e:p e:a .')
    assert len(nodes_of(graph)) == 2
    choice = Choice(literals_as_nodes=True)
    found = nodes_of(graph, choice)
    assert found["48"] == {"label": "48", "name": "48", "type": "xsd:integer"}
    assert len(found) == 3
    assert sum(drawn(parts.whole(graph, choice)).edges.values()) == 3
    for name in GRAPHS:
        assert written(graph, name, choice)


def test_lists_of_data_stay() -> None:
    drawing = parts.whole(store_of("e:a e:list ( e:b e:c ) ."), Choice())
    assert Counter(edge.kind for edge in drawing.edges()) == {
        "http://kg.test/list": 1,
        "rdf:first": 2,
        "rdf:rest": 1,
    }


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (iri("cuda/11.0"), "cuda.11.0"),
        (iri("ontology#VMSeries"), "ontology.VMSeries"),
        ("http://kg.test/a/NCv3", "NCv3-gy2mv2d5sgnv"),
        ("http://kg.test/b/NCv3", "NCv3-vrqwxvkxrnmk"),
    ],
)
def test_ids_are_readable_and_stable(key: str, expected: str) -> None:
    assert node_id(key).partition("-")[0] == expected.partition("-")[0]
    assert re.fullmatch(r"[A-Za-z0-9_.-]+", node_id(key))
    assert node_id(key) == expected or "-" in expected


def test_ids_of_different_things_differ() -> None:
    keys = [f"http://kg.test/{a}{b}NCv3" for a in "abc" for b in ("/", "#", "?x=", "%20")]
    keys += [
        iri("series/a.b"),
        iri("series/a/b"),
        iri("series.a/b"),
        "_:x",
        '"x"',
        "urn:x",
        "http://kg.test/",
    ]
    assert len(set(map(node_id, keys))) == len(keys)


def test_the_neighbourhood_of_a_thing(store: Store) -> None:
    drawing = parts.neighbourhood(store, Choice(("ja",)), iri("series/NCv3"), 1)
    labels = {node.id: node.label for node in drawing.nodes()}
    assert labels["target.compute_cluster"] == "コンピューティング クラスター"
    assert {"architecture.volta", "size.Standard_NC24rs_v3", "category.gpu"} <= labels.keys()
    assert len(list(parts.neighbourhood(store, Choice(), iri("series/NCv3"), 2).nodes())) > len(labels)


def test_a_class_asked_for_is_drawn(store: Store) -> None:
    drawing = parts.neighbourhood(store, Choice(), f"{ONTOLOGY}VMSize", 1)
    assert "ontology.VMSize" in {node.id for node in drawing.nodes()}


def test_the_things_of_a_class_and_below(store: Store) -> None:
    drawing = parts.of_classes(store, Choice(), [f"{ONTOLOGY}VMSize"])
    assert sum(node.id.startswith("size.") for node in drawing.nodes()) == 4


def test_one_edition(store: Store) -> None:
    for name in ("it-seed", "edition/it-seed", "edition:it-seed", iri("edition/it-seed")):
        drawing = parts.of_graph(store, Choice(("it",)), name)
        assert drawing.edge_count > 100
    assert next(node for node in drawing.nodes() if node.id == "target.batch").label == "Azure Batch"
    with pytest.raises(UnknownTerm, match="edition/ja-seed"):
        parts.of_graph(store, Choice(), "nix")


def test_a_composed_graph_is_whole_and_has_labels(store: Store) -> None:
    made = NamedNode("http://kg.test/made")
    triples = [
        Triple(NamedNode(iri("series/NCv3")), made, NamedNode(iri("ontology#VMSeries"))),
        Triple(NamedNode(iri("series/NCv3")), NamedNode("http://kg.test/age"), Literal(7)),
    ]
    nodes = {node.id: node for node in parts.composed(store, Choice(("ja",)), triples).nodes()}
    assert nodes["ontology.VMSeries"].label == "VM シリーズ"
    assert nodes["series.NCv3"].attributes["age"] == 7


def test_a_composed_class_counts(store: Store) -> None:
    kind = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    triples = [Triple(NamedNode("http://kg.test/new"), kind, NamedNode("http://kg.test/Kind"))]
    assert [node.type for node in parts.composed(store, Choice(), triples).nodes()] == ["Kind"]


def test_large_graphs_have_no_places() -> None:
    links = "".join(f"e:a e:p e:n{number} . " for number in range(1100))
    content = written(store_of(links), "gexf")
    assert b"viz:position" not in content
    assert b"viz:position" in written(store_of("e:a e:p e:b ."), "gexf")


def chain_of(size: int) -> Store:
    """Return a graph of so many nodes, with a link from each."""
    nodes = [NamedNode(f"https://example.org/aml/id/offer-{number}") for number in range(size)]
    graph = Store()
    link = NamedNode("https://example.org/aml/ontology#next")
    graph.extend(Quad(node, link, nodes[number * 7 % size]) for number, node in enumerate(nodes))
    return graph


def test_a_drawing_keeps_little_of_each_node() -> None:
    """A million nodes with as many edges stay below 150 MB: no more than 150 bytes for each."""

    def peak(size: int) -> int:
        drawing = parts.whole(chain_of(size), Choice())
        tracemalloc.start()
        assert len(drawing.keys) == size
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(40_000) - peak(20_000) < 150 * 20_000


@pytest.mark.parametrize("name", [name for name in OURS if name not in ("svg", "mermaid")])
def test_a_large_file_comes_in_small_parts(name: str) -> None:
    sizes = [len(part) for part in export(parts.whole(chain_of(2_000), Choice()), FORMATS[name])]
    assert len(sizes) > 2
    assert max(sizes) < 200_000


def test_mermaid_says_what_it_left_out() -> None:
    links = "".join(f"e:a e:p e:n{number} . " for number in range(600))
    content = written(store_of(links), "mermaid").decode()
    assert "500 of 600 edges" in content
    assert content.count("-->") == 500


def test_svg_of_a_large_graph_is_refused(store: Store) -> None:
    links = "".join(f"e:a e:p e:n{number} . " for number in range(700))
    with pytest.raises(Exception, match="ask for a part"):
        written(store_of(links), "svg")
    with pytest.raises(InvalidValue, match="layout"):
        written(store, "svg", Choice(layout="bow-tie"))


def test_an_empty_graph_is_a_file_of_every_format() -> None:
    for name in OURS:
        assert b"".join(export(parts.whole(Store(), Choice()), FORMATS[name])) or name in (
            "turtle",
            "trig",
            "ntriples",
        )
