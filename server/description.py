"""The service description and the VoID and DCAT description of the data, as RDF."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

from compute_atlas.ontology.names import BASE, DCT, RDF, SD, VOID, XSD
from compute_atlas.queries.formats import GRAPHS
from compute_atlas.queries.results import write_graph
from compute_atlas.server.negotiate import HTML, choose
from compute_atlas.server.protocol import Request
from compute_atlas.server.responses import Response, entity_tag, is_unchanged, not_modified
from pyoxigraph import BlankNode, Literal, NamedNode, Triple

DCAT = "http://www.w3.org/ns/dcat#"
FORMAT_NAMES = "http://www.w3.org/ns/formats/"
RESULT_FORMATS = (
    "SPARQL_Results_JSON",
    "SPARQL_Results_XML",
    "SPARQL_Results_CSV",
    "SPARQL_Results_TSV",
    "Turtle",
    "N-Triples",
    "RDF_XML",
    "JSON-LD",
    "TriG",
    "N-Quads",
)
_TYPE = f"{RDF}type"

Value = NamedNode | BlankNode | Literal
Statements = Iterable[tuple[str, str | Value]]
"""Predicates with their values; a plain string is an IRI."""


def describe(
    request: Request, format_name: str | None, about: dict[str, Any], show_page: Callable[[], Response]
) -> Response:
    """Return the service description in the format asked for, or the query page."""
    choice = choose((*GRAPHS, HTML), request.headers.get("accept"), format_name)
    if choice.format is HTML:
        return show_page()
    tag = entity_tag(about["digest"], request.url, choice.media_type)
    if is_unchanged(request.headers.get("if-none-match"), tag):
        return not_modified(tag, "Accept")
    headers = {"Vary": "Accept", "ETag": tag, "Cache-Control": "no-cache"}
    body = serialize_triples(service_triples(request.url, about), choice.format.name)
    return Response(200, {**headers, "Content-Type": f"{choice.media_type}; charset=utf-8"}, [body])


def serialize_triples(triples: list[Triple], format_name: str) -> bytes:
    """Return triples in one of the formats of graphs."""
    output = BytesIO()
    write_graph(triples, format_name, output)
    return output.getvalue()


def service_triples(endpoint: str, about: dict[str, Any]) -> list[Triple]:
    """Return the service description: features, formats, and the graphs with their sizes."""
    service, dataset, default = BlankNode("service"), BlankNode("dataset"), BlankNode("default")
    triples = _about(
        service,
        [
            (_TYPE, f"{SD}Service"),
            (f"{SD}endpoint", endpoint),
            (f"{SD}supportedLanguage", f"{SD}SPARQL10Query"),
            (f"{SD}supportedLanguage", f"{SD}SPARQL11Query"),
            (f"{SD}feature", f"{SD}UnionDefaultGraph"),
            (f"{SD}feature", f"{SD}EmptyGraphs"),
            *((f"{SD}resultFormat", FORMAT_NAMES + name) for name in RESULT_FORMATS),
            (f"{SD}defaultDataset", dataset),
            (f"{SD}availableGraphs", dataset),
        ],
    )
    triples += _about(
        dataset, [(_TYPE, f"{SD}Dataset"), (_TYPE, f"{SD}GraphCollection"), (f"{SD}defaultGraph", default)]
    )
    triples += _about(default, [(_TYPE, f"{SD}Graph"), (f"{VOID}triples", _number(about["triples"]))])
    for number, (graph, size) in enumerate(about["graphs"].items()):
        named, content = BlankNode(f"named{number}"), BlankNode(f"graph{number}")
        triples += _about(dataset, [(f"{SD}namedGraph", named)])
        triples += _about(named, [(_TYPE, f"{SD}NamedGraph"), (f"{SD}name", graph), (f"{SD}graph", content)])
        triples += _about(content, [(_TYPE, f"{SD}Graph"), (f"{VOID}triples", _number(size))])
    return triples


def dataset_triples(base_url: str, about: dict[str, Any], statistics: dict[str, Any]) -> list[Triple]:
    """Return the VoID and DCAT description with the numbers counted from the data."""
    dataset = NamedNode(f"{base_url}/.well-known/void#dataset")
    document, access, endpoint = f"{base_url}/.well-known/void", BlankNode("access"), f"{base_url}/sparql"
    triples = _about(
        NamedNode(document),
        [(_TYPE, f"{VOID}DatasetDescription"), ("http://xmlns.com/foaf/0.1/primaryTopic", dataset)],
    )
    triples += _about(
        dataset,
        [
            (_TYPE, f"{VOID}Dataset"),
            (_TYPE, f"{DCAT}Dataset"),
            (f"{DCT}title", Literal("Compute Atlas", language="en")),
            (f"{DCT}identifier", Literal(about["digest"])),
            (f"{VOID}sparqlEndpoint", endpoint),
            (f"{VOID}uriSpace", Literal(BASE)),
            (f"{VOID}triples", _number(statistics["triples"])),
            (f"{VOID}distinctSubjects", _number(statistics["subjects"])),
            (f"{VOID}distinctObjects", _number(statistics["objects"])),
            (f"{VOID}properties", _number(len(statistics["properties"]))),
            (f"{VOID}classes", _number(len(statistics["classes"]))),
            *((f"{VOID}feature", FORMAT_NAMES + name) for name in RESULT_FORMATS[4:]),
            (f"{DCAT}distribution", access),
        ],
    )
    triples += _about(
        access,
        [
            (_TYPE, f"{DCAT}Distribution"),
            (f"{DCAT}accessURL", endpoint),
            (f"{DCAT}downloadURL", f"{base_url}/rdf-graph-store?default"),
            (f"{DCAT}mediaType", "https://www.iana.org/assignments/media-types/text/turtle"),
        ],
    )
    triples += _partitions(dataset, "propertyPartition", "property", statistics["properties"])
    return triples + _partitions(dataset, "classPartition", "class", statistics["classes"])


def _partitions(dataset: NamedNode, relation: str, key: str, counts: dict[str, int]) -> list[Triple]:
    triples: list[Triple] = []
    what = "triples" if key == "property" else "entities"
    for number, (iri, count) in enumerate(counts.items()):
        part = BlankNode(f"{key}{number}")
        triples += _about(dataset, [(f"{VOID}{relation}", part)])
        triples += _about(part, [(f"{VOID}{key}", iri), (f"{VOID}{what}", _number(count))])
    return triples


def _about(subject: NamedNode | BlankNode, statements: Statements) -> list[Triple]:
    return [
        Triple(subject, NamedNode(predicate), NamedNode(value) if isinstance(value, str) else value)
        for predicate, value in statements
    ]


def _number(count: int) -> Literal:
    return Literal(str(count), datatype=NamedNode(f"{XSD}integer"))
