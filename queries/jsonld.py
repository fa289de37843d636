"""JSON-LD with a context: prefixes, and a language map for each property with texts in languages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from compute_atlas.ontology.names import PREFIXES, RDF, XSD
from pyoxigraph import Literal, NamedNode, Triple

_TYPE, _STRING = f"{RDF}type", f"{XSD}string"


def document(triples: Iterable[Triple]) -> dict[str, Any]:
    """Return a JSON-LD 1.1 document; nodes and values are in the order of the triples."""
    listed = list(triples)
    texts = {triple.predicate.value for triple in listed if _language(triple) is not None}
    others = {triple.predicate.value for triple in listed if _language(triple) is None}
    # Values beside a language map need a second name for the property; an IRI without a short form has none.
    mapped = {_compact(iri) for iri in texts if iri not in others or _compact(iri) != iri}
    nodes: dict[str, dict[str, Any]] = {}
    for triple in listed:
        node = nodes.setdefault(_name(triple.subject), {"@id": _name(triple.subject)})
        _add(node, triple, mapped)
    return {"@context": _context(listed, mapped), "@graph": list(nodes.values())}


def _add(node: dict[str, Any], triple: Triple, mapped: set[str]) -> None:
    key = _compact(triple.predicate.value)
    if triple.predicate.value == _TYPE and isinstance(triple.object, NamedNode):
        node.setdefault("@type", []).append(_compact(triple.object.value))
    elif key in mapped and (language := _language(triple)) is not None:
        node.setdefault(key, {}).setdefault(language, []).append(_text(triple))
    elif key in mapped:  # a value that does not fit a language map stands under the whole IRI
        node.setdefault(triple.predicate.value, []).append(_value(triple))
    else:
        node.setdefault(key, []).append(_value(triple))


def _context(triples: list[Triple], mapped: set[str]) -> dict[str, Any]:
    names = {
        term.value
        for triple in triples
        for term in (triple.predicate, triple.object)
        if isinstance(term, NamedNode)
    }
    names |= {triple.object.datatype.value for triple in triples if isinstance(triple.object, Literal)}
    used = {_compact(name).partition(":")[0] for name in names if _compact(name) != name}
    prefixes = {prefix: {"@id": iri, "@prefix": True} for prefix, iri in PREFIXES.items() if prefix in used}
    whole = {_compact(triple.predicate.value): triple.predicate.value for triple in triples}
    maps = {key: {"@id": whole[key], "@container": "@language"} for key in sorted(mapped)}
    return {"@version": 1.1, **prefixes, **maps}


def _compact(iri: str) -> str:
    """Return a prefixed name where the IRI has one of our namespaces and a plain ending."""
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace):
            local = iri.removeprefix(namespace)
            return f"{prefix}:{local}" if local and "/" not in local else iri
    return iri


def _language(triple: Triple) -> str | None:
    return triple.object.language if isinstance(triple.object, Literal) else None


def _text(triple: Triple) -> str:
    return triple.object.value if isinstance(triple.object, Literal) else ""


def _value(triple: Triple) -> dict[str, str]:
    term = triple.object
    if not isinstance(term, Literal):
        return {"@id": _name(term)}
    if term.language is not None:
        return {"@value": term.value, "@language": term.language}
    if term.datatype.value == _STRING:
        return {"@value": term.value}
    return {"@value": term.value, "@type": _compact(term.datatype.value)}


def _name(term: object) -> str:
    return term.value if isinstance(term, NamedNode) else str(term)
