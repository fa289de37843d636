"""The one view that all graph formats write: nodes and edges with ids, labels and columns of data.

Nodes and edges are made when they are asked for, in order; only the sorted names of the nodes are kept,
so that a graph of a million edges needs little more memory than it has already.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from compute_atlas.graph.export.columns import (
    Column,
    DataColumns,
    Key,
    Value,
    joined,
    language_suffix,
    local_name,
)
from compute_atlas.graph.export.elements import Choice, Edge, Node, Source
from compute_atlas.graph.export.names import LABEL_KINDS, Names, read_names, type_name
from compute_atlas.graph.export.slugs import edge_id, node_id
from compute_atlas.graph.export.text import clean
from compute_atlas.graph.export.things import Resource, Term, Things, is_link
from compute_atlas.graph.lookup.labels import short_type
from compute_atlas.ontology.names import LANGUAGES, OWL, RDF
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Store, Triple

_OF_ANNOTATIONS = frozenset(
    {
        *(f"{OWL}{name}" for name in ("annotatedSource", "annotatedProperty", "annotatedTarget")),
        *(f"{RDF}{name}" for name in ("subject", "predicate", "object")),
    }
)
_TYPE = f"{RDF}type"
_REMEMBERED_PREDICATES = 1 << 12


@dataclass(frozen=True)
class _Summary:
    """What must be known of all nodes before the first is written."""

    edges: int
    data: list[Column]
    labels: list[str]
    others: list[str]
    edge_labels: list[str]


class Drawing:
    """The nodes and edges of a source; labels and classes come from the whole dataset.

    `asked` are resources that are drawn whatever they are. A picture shows a neighbourhood around its
    `center`, and `paths` as they run; both are keys of nodes.
    """

    center: str | None = None
    paths: Sequence[Sequence[str]] = ()

    def __init__(
        self, source: Source, store: Store, choice: Choice, asked: frozenset[Resource] = frozenset()
    ):
        self.source, self.choice = source, choice
        self._whole, self._asked = Source(store), asked
        self._things = Things(store)
        self._data = DataColumns()
        self._edge_of = lru_cache(_REMEMBERED_PREDICATES)(self._predicate_attributes)
        self._literals: dict[str, Literal] = {}

    @cached_property
    def keys(self) -> list[str]:
        """The names of all nodes, sorted: IRI, `_:label`, literal in N-Triples."""
        found: set[str] = set()
        for quad in self.source.quads():
            subject = _key(quad.subject)
            if subject in found or self._may_be_drawn(quad.subject):
                found.add(subject)
                end = self._object_key(quad.object)
                if end not in found and self._is_edge(quad):
                    found.add(end)
        return sorted(found)

    @cached_property
    def _summary(self) -> _Summary:
        counted = 0
        predicates: set[str] = set()
        others: set[str] = set()
        labels, edge_labels = set(LANGUAGES), set(LANGUAGES)
        for key in self.keys:
            quads = self._quads(key)
            drawn = {(quad.predicate, quad.object) for quad in quads if self._is_edge(quad)}
            counted += len(drawn)
            predicates |= {predicate.value for predicate, _ in drawn}
            self._data.add(self._values(quads))
            names = self._names(key, quads)
            labels |= names.labels.keys()
            others |= names.others.keys()
        for predicate in predicates:
            edge_labels |= self._names(predicate, []).labels.keys()
        return _Summary(
            counted,
            self._data.finish(),
            *(sorted(tags, key=_language_order) for tags in (labels, others, edge_labels)),
        )

    @property
    def edge_count(self) -> int:
        """Return the number of edges."""
        return self._summary.edges

    @property
    def node_columns(self) -> list[Column]:
        """Return the columns of nodes after their id, in order."""
        found = self._summary
        names = [*(f"label_{tag}" for tag in found.labels), *(f"alt_{tag}" for tag in found.others)]
        return [*map(Column, ("label", "name", *names, "type", "iri")), *found.data]

    @property
    def edge_columns(self) -> list[Column]:
        """Return the columns of edges after their id and ends, in order."""
        names = (f"label_{tag}" for tag in self._summary.edge_labels)
        return [*map(Column, ("label", "interaction", *names, "predicate", "kind"))]

    def nodes(self) -> Iterator[Node]:
        """Yield the nodes in order."""
        _ = self._summary
        for number, key in enumerate(self.keys):
            types = self._types(key)
            yield Node(number, node_id(key), types, self._attributes(key, types))

    def edges(self) -> Iterator[Edge]:
        """Yield the edges in order of source, predicate and target."""
        for number, key in enumerate(self.keys):
            source = node_id(key)
            drawn = (quad for quad in self._quads(key) if self._is_edge(quad))
            for predicate, target in sorted({(q.predicate.value, self._object_key(q.object)) for q in drawn}):
                slug, attributes = self._edge_of(predicate)
                end = node_id(target)
                place = bisect_left(self.keys, target)
                yield Edge(edge_id(source, slug, end), source, end, number, place, attributes)

    def number(self, iri: str) -> int | None:
        """Return the place of a resource in the order of nodes, None if it is not drawn."""
        place = bisect_left(self.keys, iri)
        return place if place < len(self.keys) and self.keys[place] == iri else None

    def links(self, node: Resource, *, incoming: bool = False) -> Iterator[Quad]:
        """Yield the links from a resource to others, or those to it."""
        store, graph = self.source.store, self.source.graph
        ends = (None, None, node, graph) if incoming else (node, None, None, graph)
        for quad in store.quads_for_pattern(*ends):
            is_link = (
                not isinstance(quad.object, Literal) and self._is_drawn(quad.subject) and self._is_edge(quad)
            )
            if is_link:
                yield quad

    def members(self, class_iri: str) -> set[NamedNode]:
        """Return the drawn things that are stated to be in a class or one below it."""
        return set(filter(self._is_drawn, self._things.members(class_iri)))

    def _quads(self, key: str) -> list[Quad]:
        return [] if key in self._literals else list(self.source.quads(_resource(key)))

    def label(self, iri: str) -> str:
        """Return the label of any resource in the best language."""
        return self._names(iri, []).shown

    def _types(self, key: str) -> tuple[str, ...]:
        if key in self._literals:
            return (self._literals[key].datatype.value,)
        stated = (quad.object for quad in self._quads(key) if quad.predicate.value == _TYPE)
        composed = {term.value for term in stated if isinstance(term, NamedNode)}
        return tuple(sorted(self._things.types(_resource(key), composed)))

    def _attributes(self, key: str, types: Iterable[str]) -> dict[str, Value]:
        quads = self._quads(key)
        names = self._names(key, quads)
        attributes: dict[str, Value] = {"label": names.shown, "name": names.shown}
        attributes |= {f"label_{tag}": text for tag, text in names.labels.items()}
        attributes |= {f"alt_{tag}": text for tag, text in names.others.items()}
        if types:
            attributes["type"] = joined(map(type_name, types))
        if key in self._literals:
            return attributes
        return {**attributes, "iri": clean(key), **self._data.row(self._values(quads))}

    def _names(self, key: str, quads: list[Quad]) -> Names:
        """Return the names of a node by the whole dataset and by what is drawn."""
        if key in self._literals:
            literal = self._literals[key]
            tagged = {language_suffix(literal.language): clean(literal.value)} if literal.language else {}
            return Names(clean(literal.value), tagged, {})
        if self.source != self._whole or not quads:
            quads = [*quads, *self._whole.quads(_resource(key))]
        return read_names(key, quads, self.choice.languages)

    def _predicate_attributes(self, predicate: str) -> tuple[str, dict[str, str]]:
        """Return the part of an edge's id that stands for a predicate, and the values of its edges."""
        names = self._names(predicate, [])
        attributes = {"label": names.shown, "interaction": local_name(predicate)}
        attributes |= {f"label_{tag}": text for tag, text in names.labels.items()}
        return node_id(predicate), {**attributes, "predicate": predicate, "kind": short_type(predicate)}

    def _values(self, quads: list[Quad]) -> dict[Key, list[Literal | Triple]]:
        """Return the literals that are columns of data, by predicate and language."""
        values: dict[Key, list[Literal | Triple]] = {}
        for quad in quads:
            term, predicate = quad.object, quad.predicate.value
            if isinstance(term, Literal) and not self._is_edge(quad) and predicate not in LABEL_KINDS:
                values.setdefault((predicate, term.language or ""), []).append(term)
            elif isinstance(term, Triple):
                values.setdefault((predicate, ""), []).append(term)
        return values

    def _is_drawn(self, term: Term) -> bool:
        """Tell whether a term is a node; once the nodes are known, without judging it again."""
        if "keys" not in vars(self):
            return self._may_be_drawn(term)
        return self.number(_key(term)) is not None

    def _may_be_drawn(self, term: Term) -> bool:
        if not isinstance(term, NamedNode | BlankNode):
            return False
        if self.choice.everything or term in self._asked or self._things.is_thing(term):
            return True
        if self._things.is_annotation(term):
            return self.choice.annotations
        return self.choice.classes and self._things.is_word(term)

    def _is_edge(self, quad: Quad) -> bool:
        predicate, term = quad.predicate.value, quad.object
        if isinstance(term, Literal):
            return self.choice.literals_as_nodes and predicate not in LABEL_KINDS
        return self._relates(predicate) and self._is_drawn(term)

    def _relates(self, predicate: str) -> bool:
        """Tell whether statements with this predicate are edges, where both ends are drawn."""
        if predicate == _TYPE:
            return self.choice.classes
        if self.choice.everything or self.choice.classes or is_link(predicate):
            return True
        return self.choice.annotations and predicate in _OF_ANNOTATIONS

    def _object_key(self, term: Term) -> str:
        key = _key(term)
        if isinstance(term, Literal) and self.choice.literals_as_nodes:
            self._literals[key] = term
        return key


def _key(term: Term) -> str:
    return term.value if isinstance(term, NamedNode) else str(term)


def _resource(key: str) -> Resource:
    return BlankNode(key[2:]) if key.startswith("_:") else NamedNode(key)


def _language_order(tag: str) -> tuple[int, str]:
    return (LANGUAGES.index(tag) if tag in LANGUAGES else len(LANGUAGES), tag)
