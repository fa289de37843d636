"""Graphs that are hard to export, and readers of other people that read them back."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx
import pytest
from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Choice
from compute_atlas.graph.export.formats import FORMATS, export
from compute_atlas.graph.export.parts import whole
from compute_atlas.graph.store import open_store
from compute_atlas.ontology.names import RDF, RDFS
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Store

NODE = Path(__file__).parent / "node"
HAS_NODE = (NODE / "node_modules").is_dir() and shutil.which("node") is not None
needs_node = pytest.mark.skipif(not HAS_NODE, reason="readers are not installed: npm ci --prefix tests/node")
needs_graphviz = pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz (dot) is not installed")

HOSTILE = (
    "quotes \" and '",
    "<b>tag</b> & &amp; &#39; &nope;",
    "ends in a backslash\\",
    'backslash and quote \\"',
    "two \\\\ and \\n no newline \\N \\G",
    "line\nbreak and\ttab",
    "bell \x07 zero \x00 escape \x1b",
    "not a character \ufffe \uffff",
    "emoji 🖥️👩‍💻",
    "עברית ועربي",
    "コンピューティング クラスター「NCv3」",
    "  blanks around  ",
    "1. list",
    "- list *with* `code` _and_ #1; |pipe|",
    "]]> --> %% ---",
    "{braces} [brackets] (round)",
    "end",
    "=1+1",
    "a;b,c",
    "U+2028 \u2028 U+0085 \u0085",
)


@dataclass(frozen=True)
class Read:
    """What a reader found: labels by node id; how often each edge (source, target, label)."""

    nodes: dict[str, str]
    edges: Counter[tuple[str, str, str]]


def thing(name: object) -> NamedNode:
    return NamedNode(f"http://example.org/x?q={name}")


def hostile_store() -> Store:
    """Return a graph of things with all those labels, parallel edges and self-loops among them."""
    label, kind = NamedNode(f"{RDFS}label"), NamedNode(f"{RDF}type")
    quads = []
    for number, text in enumerate(HOSTILE):
        here, there = thing(number), thing((number * 7 + 3) % len(HOSTILE))
        quads += [
            Quad(here, label, Literal(text)),
            Quad(here, label, Literal(f"it {text}", language="it")),
            Quad(here, kind, NamedNode(f"http://example.org/Kind{number % 3}")),
            Quad(here, NamedNode("http://example.org/links-to"), there),
            Quad(here, NamedNode("http://example.org/また"), there),
            Quad(here, NamedNode("http://example.org/value"), Literal(text)),
        ]
    for number in (0, 1):
        quads.append(Quad(thing(number), NamedNode("http://example.org/links-to"), thing(number)))
    quads.append(Quad(NamedNode("http://example.org/links-to"), label, Literal(HOSTILE[0])))
    quads.append(Quad(thing(0), NamedNode("http://example.org/has"), BlankNode("b0")))
    quads.append(Quad(BlankNode("b0"), NamedNode("http://example.org/has"), NamedNode("urn:other:0")))
    quads.append(Quad(BlankNode("b0"), NamedNode("http://example.org/has"), NamedNode("urn:other/0")))
    return open_store(quads)


def drawn(drawing: Drawing) -> Read:
    """Return what a drawing holds, as a reader should find it."""
    edges = Counter((edge.source, edge.target, edge.label) for edge in drawing.edges())
    return Read({node.id: node.label for node in drawing.nodes()}, edges)


def written(store: Store, name: str, choice: Choice | None = None) -> bytes:
    """Return the export of everything in a format."""
    return b"".join(export(whole(store, choice or Choice()), FORMATS[name]))


def read_networkx(content: bytes, name: str) -> Read:
    """Read with networkx."""
    stream = io.BytesIO(content)
    if name == "gexf":
        graph = networkx.read_gexf(stream)
    elif name == "node-link":
        graph = networkx.node_link_graph(json.loads(content), edges="links")
    elif name == "cytoscape":
        graph = networkx.cytoscape_graph(json.loads(content))
    else:
        graph = networkx.read_graphml(stream, force_multigraph=True)
    return Read(
        {node: data["label"] for node, data in graph.nodes(data=True)},
        Counter((start, end, data["label"]) for start, end, data in graph.edges(data=True)),
    )


def read_igraph(content: bytes, path: Path) -> Read:
    """Read GraphML with igraph."""
    igraph = pytest.importorskip("igraph")
    path.write_bytes(content)
    graph = igraph.Graph.Read_GraphML(str(path))
    ids = graph.vs["id"]
    edges = Counter((ids[edge.source], ids[edge.target], edge["label"]) for edge in graph.es)
    return Read(dict(zip(ids, graph.vs["label"], strict=True)), edges)


def read_graphviz(content: bytes) -> Read:
    """Read DOT with Graphviz; labels are decoded as it shows them."""
    shown = subprocess.run(["dot", "-Tdot_json"], input=content, capture_output=True, check=True, timeout=60)
    assert shown.stderr == b""
    found = json.loads(shown.stdout)
    names = {item["_gvid"]: item["name"] for item in found["objects"]}
    return Read(
        {item["name"]: _unescaped(item["label"]) for item in found["objects"]},
        Counter((names[e["tail"]], names[e["head"]], _unescaped(e["label"])) for e in found["edges"]),
    )


def read_node(content: bytes, name: str) -> Any:
    """Read with the reader for JavaScript; return the JSON that it prints."""
    command = ["node", "read.mjs", name]
    shown = subprocess.run(command, cwd=NODE, input=content, capture_output=True, timeout=120, check=False)
    assert shown.returncode == 0, shown.stderr.decode()[:2000]
    return json.loads(shown.stdout)


def read_tables(content: bytes) -> dict[str, list[dict[str, str]]]:
    """Read the tables of an archive by their names."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        texts = {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}
    return {name: list(csv.DictReader(io.StringIO(text, newline=""))) for name, text in texts.items()}


def decoded(text: str) -> str:
    """Return a text of Mermaid's with the numbers that stand for signs replaced."""
    return re.sub(r"ﬂ°°(\d+)¶ß", lambda found: chr(int(found[1])), text)


def _unescaped(label: str) -> str:
    text = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], label, flags=re.DOTALL)
    return text.replace("&amp;", "&")
