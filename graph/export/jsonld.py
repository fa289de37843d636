"""JSON-LD with a context: prefixes, and a language map for each property with texts in languages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Source
from compute_atlas.graph.export.triples import require_plain, statements, subjects
from compute_atlas.ontology.names import PREFIXES, RDF, XSD
from pyoxigraph import Literal, NamedNode, Quad

_TYPE, _STRING = f"{RDF}type", f"{XSD}string"
# JSON's own values of these types are read back to the letter.
_NATIVE = {f"{XSD}boolean": re.compile("true|false"), f"{XSD}integer": re.compile("0|-?[1-9][0-9]{0,14}")}


def write_jsonld(drawing: Drawing) -> Iterator[str]:
    """Yield the triples as a JSON-LD 1.1 document, a node a line. Raises NotWritable."""
    source = drawing.source
    require_plain(source, "JSON-LD")
    context = _read_context(source)
    yield f'{{"@context":{_dump(context.document())},"@graph":[\n'
    between = ""
    for subject in subjects(source):
        yield between + _dump(_node(statements(source, subject), context))
        between = ",\n"
    yield "\n]}\n"


@dataclass
class _Context:
    """The prefixes in use and the properties with language maps, by their names in the document."""

    schemes: set[str] = field(default_factory=set)
    prefixes: set[str] = field(default_factory=set)
    with_languages: set[str] = field(default_factory=set)
    with_others: set[str] = field(default_factory=set)

    def is_mapped(self, predicate: str) -> bool:
        """Tell whether texts of a property stand in a language map.

        One whose IRI has no short form has no second name under which other values could stand.
        """
        is_mixed = predicate in self.with_others
        return predicate in self.with_languages and (not is_mixed or self.compact(predicate) != predicate)

    def compact(self, iri: str) -> str:
        """Return a prefixed name where the IRI has one, else the IRI."""
        prefix, _ = _parts(iri)
        return (
            iri if not prefix or prefix in self.schemes else f"{prefix}:{iri.removeprefix(PREFIXES[prefix])}"
        )

    def document(self) -> dict[str, Any]:
        """Return the context as it stands in the document."""
        prefixes = sorted(self.prefixes - self.schemes)
        mapped = sorted(filter(self.is_mapped, self.with_languages))
        return {
            "@version": 1.1,
            **{prefix: {"@id": PREFIXES[prefix], "@prefix": True} for prefix in prefixes},
            **{self.compact(iri): {"@id": iri, "@container": "@language"} for iri in mapped},
        }


def _read_context(source: Source) -> _Context:
    context = _Context()
    for quad in source.quads():
        named = [quad.subject, quad.predicate, quad.object]
        if isinstance(quad.object, Literal):
            named[2] = quad.object.datatype
            kind = context.with_languages if quad.object.language else context.with_others
            kind.add(quad.predicate.value)
        else:
            context.with_others.add(quad.predicate.value)
        for term in named:
            if isinstance(term, NamedNode):
                prefix, scheme = _parts(term.value)
                context.prefixes.add(prefix)
                context.schemes.add(scheme)
    context.prefixes.discard("")
    return context


@lru_cache(1 << 14)
def _parts(iri: str) -> tuple[str, str]:
    """Return the prefix that shortens an IRI, empty for none, and the IRI's scheme."""
    for prefix, namespace in PREFIXES.items():
        local = iri.removeprefix(namespace)
        if local != iri and local and "/" not in local:
            return prefix, iri.partition(":")[0]
    return "", iri.partition(":")[0]


def _node(quads: list[Quad], context: _Context) -> dict[str, Any]:
    node: dict[str, Any] = {"@id": _name(quads[0].subject, context)}
    for quad in quads:
        predicate, term = quad.predicate.value, quad.object
        key = context.compact(predicate)
        if predicate == _TYPE and not isinstance(term, Literal):
            node.setdefault("@type", []).append(_name(term, context))
        elif isinstance(term, Literal) and term.language and context.is_mapped(predicate):
            node.setdefault(key, {}).setdefault(term.language, []).append(term.value)
        else:  # what does not fit a language map stands under the whole IRI
            node.setdefault(predicate if context.is_mapped(predicate) else key, []).append(
                _value(term, context)
            )
    return node


def _value(term: object, context: _Context) -> Any:
    if not isinstance(term, Literal):
        return {"@id": _name(term, context)}
    if term.language:
        return {"@value": term.value, "@language": term.language}
    datatype = term.datatype.value
    if datatype == _STRING:
        return term.value
    if datatype in _NATIVE and _NATIVE[datatype].fullmatch(term.value):
        return json.loads(term.value)
    return {"@value": term.value, "@type": context.compact(datatype)}


def _name(term: object, context: _Context) -> str:
    return context.compact(term.value) if isinstance(term, NamedNode) else str(term)


def _dump(item: object) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":"))
