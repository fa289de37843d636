"""RDF/XML: a description for each subject."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Source
from compute_atlas.graph.export.text import clean, xml_attribute, xml_text
from compute_atlas.graph.export.triples import NotWritable, require_plain, statements, subjects
from compute_atlas.ontology.names import PREFIXES, RDF, XSD
from pyoxigraph import BlankNode, Literal, NamedNode, Quad

_START = "A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u2c00-\u2fef\u3001-\ud7ff"
_LOCAL = re.compile(rf"[{_START}][{_START}0-9.\u00b7-]*\Z")
# Elements of the syntax itself, which cannot stand for a property.
_SYNTAX = frozenset(
    RDF + name
    for name in (
        "RDF",
        "ID",
        "about",
        "parseType",
        "resource",
        "nodeID",
        "datatype",
        "Description",
        "li",
        "bagID",
        "aboutEach",
    )
)
_STRING = f"{XSD}string"


def write_rdfxml(drawing: Drawing) -> Iterator[str]:
    """Yield the triples as RDF/XML. Raises NotWritable if a predicate cannot be the name of an element."""
    source = drawing.source
    require_plain(source, "RDF/XML")
    names = _read_names(source)
    declared = {names[predicate][0] for predicate in names} | {("rdf", RDF)}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF'
    yield "".join(f"\n  xmlns:{prefix}={xml_attribute(iri)}" for prefix, iri in sorted(declared))
    yield ">\n"
    for subject in subjects(source):
        yield f"<rdf:Description {_reference(subject, 'about')}>\n"
        for quad in statements(source, subject):
            (prefix, _), local = names[quad.predicate.value]
            yield _property(f"{prefix}:{local}", quad)
        yield "</rdf:Description>\n"
    yield "</rdf:RDF>\n"


def _read_names(source: Source) -> dict[str, tuple[tuple[str, str], str]]:
    """Return for each predicate the prefix with its namespace, and the local name."""
    prefixes = {iri: prefix for prefix, iri in PREFIXES.items()}
    names: dict[str, tuple[tuple[str, str], str]] = {}
    for predicate in sorted({quad.predicate.value for quad in source.quads()}):
        local = _LOCAL.search(predicate)
        if local is None or predicate in _SYNTAX:
            raise NotWritable("RDF/XML", f"it has no name for the predicate <{predicate}>")
        namespace = predicate.removesuffix(local.group())
        if namespace not in prefixes:
            prefixes[namespace] = f"ns{len(prefixes) - len(PREFIXES) + 1}"
        names[predicate] = ((prefixes[namespace], namespace), local.group())
    return names


def _property(name: str, quad: Quad) -> str:
    term = quad.object
    if not isinstance(term, Literal):
        return f"  <{name} {_reference(term, 'resource')}/>\n"
    more = ""
    if term.language:
        more = f" xml:lang={xml_attribute(term.language)}"
    elif term.datatype.value != _STRING:
        more = f" rdf:datatype={xml_attribute(term.datatype.value)}"
    return f"  <{name}{more}>{xml_text(clean(term.value))}</{name}>\n"


def _reference(term: object, attribute: str) -> str:
    if isinstance(term, BlankNode):
        return f"rdf:nodeID={xml_attribute(f'b{term.value}')}"
    assert isinstance(term, NamedNode)
    return f"rdf:{attribute}={xml_attribute(term.value)}"
