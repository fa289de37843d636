"""Write quads as TriG that a person reads: prefixed names, sorted, one statement a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from compute_atlas.ontology.names import BASE, PREFIXES, RDF, XSD
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

Term = NamedNode | BlankNode | Literal | Triple

# In our files claims have a prefix of their own; in queries it must be declared.
FILE_PREFIXES = PREFIXES | {"claim": f"{BASE}claim/", "disagreement": f"{BASE}disagreement/"}
_TYPE = f"{RDF}type"
_FIRST, _REST, _NIL = f"{RDF}first", f"{RDF}rest", f"{RDF}nil"
_LOCAL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")
_BARE = {f"{XSD}integer": re.compile(r"[+-]?\d+"), f"{XSD}boolean": re.compile(r"true|false")}


def write(quads: Iterable[Quad]) -> bytes:
    """Return the quads as TriG. Blank nodes are written inline: none may be used twice or in a circle."""
    graphs: dict[str, list[Quad]] = {}
    for quad in quads:
        name = "" if isinstance(quad.graph_name, DefaultGraph) else term_text(quad.graph_name)
        graphs.setdefault(name, []).append(quad)
    parts = [_block(name, _Nodes(graph)) for name, graph in sorted(graphs.items())]
    body = "\n".join(parts)
    used = [pair for pair in sorted(FILE_PREFIXES.items()) if re.search(rf"(?<!\w){pair[0]}:", body)]
    return ("".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in used) + "\n" + body).encode()


def _block(name: str, nodes: _Nodes) -> str:
    lines = sorted(set(nodes.lines()))
    if not name:
        return "".join(f"{line}\n" for line in lines)
    return f"{name} {{\n" + "".join(f"    {line}\n" for line in lines) + "}\n"


class _Nodes:
    """The triples of one graph by subject, to write blank nodes where they are used."""

    def __init__(self, quads: Iterable[Quad]):
        self._quads = list(quads)
        self._by_node: dict[BlankNode, list[Quad]] = {}
        for quad in self._quads:
            if isinstance(quad.subject, BlankNode):
                self._by_node.setdefault(quad.subject, []).append(quad)
        self._used = {quad.object for quad in self._quads if isinstance(quad.object, BlankNode)}

    def lines(self) -> Iterator[str]:
        """Yield a line for each triple of a named subject and for each blank node that nothing points to."""
        for quad in self._quads:
            if not isinstance(quad.subject, BlankNode):
                subject, predicate = term_text(quad.subject), predicate_text(quad.predicate)
                yield f"{subject} {predicate} {self._object(quad.object)} ."
        for node in self._by_node:
            if node not in self._used:
                yield f"[] {self._properties(node)} ."

    def _object(self, term: Term) -> str:
        if not isinstance(term, BlankNode):
            return term_text(term)
        members = list(self._members(term))
        return f"( {' '.join(members)} )" if members else f"[ {self._properties(term)} ]"

    def _properties(self, node: BlankNode) -> str:
        quads = sorted(self._by_node.get(node, ()), key=_order)
        return " ; ".join(f"{predicate_text(quad.predicate)} {self._object(quad.object)}" for quad in quads)

    def _members(self, node: BlankNode) -> Iterator[str]:
        """Yield the members of the RDF list that starts at the node."""
        place: Term = node
        while isinstance(place, BlankNode):
            parts = {quad.predicate.value: quad.object for quad in self._by_node.get(place, ())}
            if parts.keys() != {_FIRST, _REST}:
                return
            yield self._object(parts[_FIRST])
            place = parts[_REST]


def _order(quad: Quad) -> tuple[bool, bool, str, bool, str]:
    """Type first, then what an annotation is about, then by name; numbers by value."""
    predicate = predicate_text(quad.predicate)
    value = getattr(quad.object, "value", "")
    return (
        predicate != "a",
        not predicate.startswith("owl:"),
        predicate.replace("annotatedSource", "annotated0"),
        not value.isdigit(),
        value.zfill(12) if value.isdigit() else str(quad.object),
    )


def predicate_text(predicate: NamedNode) -> str:
    """Return a predicate as Turtle writes it: `a` for the type."""
    return "a" if predicate.value == _TYPE else term_text(predicate)


def term_text(term: Term) -> str:
    """Return a term as Turtle writes it, with a prefixed name where one fits."""
    if isinstance(term, NamedNode):
        return _short(term)
    if isinstance(term, Triple):
        return f"<<( {' '.join(map(term_text, term))} )>>"
    if isinstance(term, Literal) and term.language is None:
        return _typed(term)
    return str(term)


def _typed(literal: Literal) -> str:
    datatype = literal.datatype.value
    if datatype in _BARE and _BARE[datatype].fullmatch(literal.value):
        return literal.value
    text = str(Literal(literal.value))
    return text if datatype == f"{XSD}string" else f"{text}^^{_short(literal.datatype)}"


def _short(node: NamedNode) -> str:
    for prefix, iri in FILE_PREFIXES.items():
        local = node.value.removeprefix(iri)
        if local != node.value and _LOCAL.fullmatch(local):
            return f"{prefix}:{local}"
    return str(node)
