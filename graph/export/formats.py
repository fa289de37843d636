"""The one table of export formats: the route, the command, the pages and the OpenAPI document read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from compute_atlas.graph.errors import AtlasError
from compute_atlas.graph.export.dot import write_dot
from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.gexf import write_gexf
from compute_atlas.graph.export.graphml import write_graphml, write_yed
from compute_atlas.graph.export.json_graphs import write_cx2, write_cytoscape, write_node_link
from compute_atlas.graph.export.jsonld import write_jsonld
from compute_atlas.graph.export.mermaid import write_mermaid
from compute_atlas.graph.export.pictures import write_svg
from compute_atlas.graph.export.prose import write_prh, write_vale
from compute_atlas.graph.export.rdfxml import write_rdfxml
from compute_atlas.graph.export.tables import write_csv, write_neo4j
from compute_atlas.graph.export.turtle import write_ntriples, write_trig, write_turtle

_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True)
class ExportFormat:
    """A format: its name, its media type, the end of its files' names, what it is for, what writes it."""

    name: str
    media_type: str
    suffix: str
    title: str
    write: Callable[[Drawing], Iterator[str] | Iterator[bytes]]
    is_text: bool = True

    @property
    def content_type(self) -> str:
        """Return the media type with the charset of text."""
        return f"{self.media_type}; charset=utf-8" if self.is_text else self.media_type


_TABLE = (
    ExportFormat(
        "graphml",
        "application/graphml+xml",
        ".graphml",
        "GraphML: networkx, igraph, Gephi, Cytoscape",
        write_graphml,
    ),
    ExportFormat("graphml-yed", "application/graphml+xml", ".graphml", "GraphML with shapes: yEd", write_yed),
    ExportFormat("gexf", "application/gexf+xml", ".gexf", "GEXF 1.3: Gephi", write_gexf),
    ExportFormat("dot", "text/vnd.graphviz", ".dot", "DOT: Graphviz", write_dot),
    ExportFormat(
        "cytoscape", "application/json", ".cyjs", "Cytoscape JSON: Cytoscape, cytoscape.js", write_cytoscape
    ),
    ExportFormat("cx2", "application/json", ".cx2", "CX2: Cytoscape, NDEx", write_cx2),
    ExportFormat("node-link", "application/json", ".json", "Node-link JSON: networkx, D3", write_node_link),
    ExportFormat(
        "mermaid",
        "text/vnd.mermaid",
        ".mmd",
        "Mermaid flowchart: Markdown pages (up to 500 edges)",
        write_mermaid,
    ),
    ExportFormat(
        "csv",
        "application/zip",
        ".zip",
        "Node and edge tables in CSV: Gephi, Excel",
        write_csv,
        is_text=False,
    ),
    ExportFormat(
        "csv-neo4j", "application/zip", ".zip", "Tables in CSV for Neo4j's import", write_neo4j, is_text=False
    ),
    ExportFormat("svg", "image/svg+xml", ".svg", "SVG picture", write_svg),
    ExportFormat("turtle", "text/turtle", ".ttl", "Turtle", write_turtle),
    ExportFormat("jsonld", "application/ld+json", ".jsonld", "JSON-LD", write_jsonld),
    ExportFormat("ntriples", "application/n-triples", ".nt", "N-Triples", write_ntriples),
    ExportFormat("trig", "application/trig", ".trig", "TriG, with the named graphs", write_trig),
    ExportFormat("rdfxml", "application/rdf+xml", ".rdf", "RDF/XML", write_rdfxml),
    ExportFormat(
        "prh", "application/yaml", ".yml", "Terms of one language as rules: prh, textlint", write_prh
    ),
    ExportFormat(
        "vale",
        "application/zip",
        ".zip",
        "Terms of one language as a package: Vale",
        write_vale,
        is_text=False,
    ),
)
FORMATS = {made.name: made for made in _TABLE}
# What shows some statements as a graph, where RDF and tables have another form.
DRAWN = (
    *("graphml", "graphml-yed", "gexf", "dot", "cytoscape", "cx2", "node-link", "mermaid", "csv-neo4j"),
    "svg",
)


class UnknownFormat(AtlasError):
    """There is no such export format."""

    def __init__(self, name: str):
        super().__init__(f'there is no export format "{name}"; use one of: {", ".join(FORMATS)}')
        self.parameter, self.allowed = "format", list(FORMATS)


def find_format(name: str) -> ExportFormat:
    """Return a format by its name. Raises UnknownFormat."""
    found = FORMATS.get(name)
    if found is None:
        raise UnknownFormat(name)
    return found


def export(drawing: Drawing, made: ExportFormat) -> Iterator[bytes]:
    """Yield the file in parts of some size, the same bytes for the same drawing."""
    waiting = bytearray()
    for part in made.write(drawing):
        waiting += part.encode() if isinstance(part, str) else part
        if len(waiting) >= _CHUNK_BYTES:
            yield bytes(waiting)
            waiting.clear()
    yield bytes(waiting)
