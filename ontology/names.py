"""The names of the vocabulary: the base IRI, the prefixes, and ids such as `series/NCv3`.

IRIs are plain strings here, so that a command that needs only names starts without any RDF library.
"""

from __future__ import annotations

BASE = "https://w3id.org/compute-atlas/"
ONTOLOGY = f"{BASE}ontology#"

KINDS = (
    "target",
    "series",
    "size",
    "architecture",
    "cuda",
    "category",
    "capability",
    "use",
    "tool",
    "location",
    "framework",
    "os",
    "region",
    "method",
    "retirement",
    "condition",
    "advice",
    "gpu",
    "term",
    "edition",
    "graph",
)

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCT = "http://purl.org/dc/terms/"
PROV = "http://www.w3.org/ns/prov#"
SD = "http://www.w3.org/ns/sparql-service-description#"
VOID = "http://rdfs.org/ns/void#"

# The datatypes of whole numbers.
INTEGERS = frozenset(
    XSD + name
    for name in (
        "integer", "long", "int", "short", "byte", "nonNegativeInteger", "positiveInteger",
        "nonPositiveInteger", "negativeInteger", "unsignedLong", "unsignedInt", "unsignedShort",
        "unsignedByte",
    )
)  # fmt: skip

# The only prefixes a query may use without a PREFIX line.
PREFIXES: dict[str, str] = {
    "ca": ONTOLOGY,
    **{kind: f"{BASE}{kind}/" for kind in KINDS},
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": OWL,
    "xsd": XSD,
    "skos": SKOS,
    "dct": DCT,
    "prov": PROV,
    "sd": SD,
    "void": VOID,
}

GRAPH_ONTOLOGY = f"{BASE}graph/ontology"
GRAPH_TERMS = f"{BASE}graph/terms"
GRAPH_INFERRED = f"{BASE}graph/inferred"
GRAPH_SUPPLEMENT = f"{BASE}graph/supplement"
GRAPH_DISAGREEMENTS = f"{BASE}graph/disagreements"

LANGUAGES = ("en", "ja", "it")

# What every edition is a version of.
PAGE = "https://learn.microsoft.com/azure/machine-learning/concept-compute-target"


def iri(identifier: str) -> str:
    """Return the IRI of an id: `series/NCv3`, or `ontology#VMSeries` for a class or property."""
    return BASE + identifier


def identifier(iri: str) -> str | None:
    """Return the id of an IRI of this vocabulary, None for anybody else's."""
    return iri.removeprefix(BASE) if iri.startswith(BASE) else None
