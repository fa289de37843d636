"""The formats of answers: their short names, their media types and what they can hold."""

from __future__ import annotations

from dataclasses import dataclass

from pyoxigraph import QueryResultsFormat, RdfFormat


@dataclass(frozen=True)
class Format:
    """A way to write an answer. The first media type is the one it is sent with by default."""

    name: str
    media_types: tuple[str, ...]
    suffix: str


JSON = Format("json", ("application/sparql-results+json", "application/json"), ".srj")
XML = Format("xml", ("application/sparql-results+xml",), ".srx")
CSV = Format("csv", ("text/csv",), ".csv")
TSV = Format("tsv", ("text/tab-separated-values",), ".tsv")
TURTLE = Format("turtle", ("text/turtle", "application/x-turtle"), ".ttl")
NT = Format("nt", ("application/n-triples",), ".nt")
RDFXML = Format("rdfxml", ("application/rdf+xml",), ".rdf")
JSONLD = Format("jsonld", ("application/ld+json",), ".jsonld")
TRIG = Format("trig", ("application/trig",), ".trig")
NQUADS = Format("nquads", ("application/n-quads",), ".nq")

# In each, the default comes first and ties are decided in this order.
TABLES = (JSON, XML, CSV, TSV)
BOOLEANS = (JSON, XML)
GRAPHS = (TURTLE, NT, RDFXML, JSONLD, TRIG, NQUADS)
FORMATS = {found.name: found for found in (*TABLES, *GRAPHS)}

# Other spellings that clients send in `format=`; a media type works as well.
ALIASES = {
    "ttl": "turtle",
    "n3": "turtle",
    "ntriples": "nt",
    "n-triples": "nt",
    "rdf": "rdfxml",
    "rdf+xml": "rdfxml",
    "rdf-xml": "rdfxml",
    "json-ld": "jsonld",
    "ld+json": "jsonld",
    "srj": "json",
    "srx": "xml",
    "nq": "nquads",
    "n-quads": "nquads",
    "sparql-results+json": "json",
    "sparql-results+xml": "xml",
    **{media_type: found.name for found in FORMATS.values() for media_type in found.media_types},
    **{name: name for name in FORMATS},
}
# What a client means that asks for a graph by the name of a table's format.
GRAPH_COUNTERPARTS = {"json": "jsonld", "xml": "rdfxml"}

RESULTS_ENGINE = {
    "json": QueryResultsFormat.JSON,
    "xml": QueryResultsFormat.XML,
    "csv": QueryResultsFormat.CSV,
    "tsv": QueryResultsFormat.TSV,
}
RDF_ENGINE = {
    "turtle": RdfFormat.TURTLE,
    "nt": RdfFormat.N_TRIPLES,
    "rdfxml": RdfFormat.RDF_XML,
    "jsonld": RdfFormat.JSON_LD,
    "trig": RdfFormat.TRIG,
    "nquads": RdfFormat.N_QUADS,
}
