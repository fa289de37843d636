"""Tell things from what is only said about them: classes, properties, annotations, lists of OWL."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from compute_atlas.graph.walking.links import ANNOTATION_CLASSES, SIDE
from compute_atlas.ontology.names import OWL, RDF, RDFS, XSD
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Store, Triple

Resource = NamedNode | BlankNode
Term = NamedNode | BlankNode | Literal | Triple

TYPE = NamedNode(f"{RDF}type")
_SUBCLASS = NamedNode(f"{RDFS}subClassOf")
_SUBPROPERTY = NamedNode(f"{RDFS}subPropertyOf")
_FIRST, _REST = NamedNode(f"{RDF}first"), NamedNode(f"{RDF}rest")
_REIFIES = NamedNode(f"{RDF}reifies")
_VOCABULARIES = (RDF, RDFS, OWL, XSD)
# Of the words of RDF, RDFS and OWL these say something about things, the others about words.
_LINKS = frozenset(
    {
        *(f"{OWL}{name}" for name in ("sameAs", "differentFrom")),
        *(f"{RDF}{name}" for name in ("first", "rest", "value")),
        *(f"{RDFS}{name}" for name in ("seeAlso", "member")),
    }
)
_TYPES_OF_THINGS = frozenset(
    {
        *(f"{OWL}{name}" for name in ("Thing", "NamedIndividual")),
        *(f"{RDF}{name}" for name in ("List", "Bag", "Seq", "Alt")),
        *(f"{RDFS}{name}" for name in ("Resource", "Container")),
    }
)
_REMEMBERED = 1 << 12


class Things:
    """Judges the terms of one store, whose default graph is the union of all."""

    def __init__(self, store: Store):
        self._store = store
        self._above = self._superclasses()
        self._sides = {str(quad.object) for quad in store.quads_for_pattern(None, NamedNode(SIDE), None)}
        self._cells: dict[BlankNode, bool] = {}
        self.is_thing = lru_cache(_REMEMBERED)(self._is_thing)
        self.is_annotation = lru_cache(_REMEMBERED)(self._is_annotation)
        self._all_above = lru_cache(_REMEMBERED)(self._find_all_above)

    def types(self, term: Resource, more: Iterable[str] = ()) -> set[str]:
        """Return the most special of the classes that a resource is stated to be in, here or elsewhere."""
        found = self._types(term).union(more) - {f"{OWL}NamedIndividual", f"{OWL}Thing"}
        return found - {above for name in found for above in self._all_above(name)}

    def members(self, class_iri: str) -> set[NamedNode]:
        """Return the named things that are stated to be in a class or one below it."""
        below = [name for name in self._above if class_iri in self._all_above(name)]
        return {
            quad.subject
            for name in {class_iri, *below}
            for quad in self._store.quads_for_pattern(None, TYPE, NamedNode(name), DefaultGraph())
            if isinstance(quad.subject, NamedNode)
        }

    def _is_thing(self, term: Resource) -> bool:
        """Tell whether a resource is neither a class, a property, an annotation nor a part of an axiom."""
        if isinstance(term, NamedNode):
            name = term.value
            if name in self._above or name.startswith(_VOCABULARIES) or self._is_predicate(term):
                return False
        elif self._is_cell_of_axiom(term):
            return False
        is_class = next(self._store.quads_for_pattern(None, TYPE, term, DefaultGraph()), None) is not None
        return not is_class and not self.is_annotation(term) and not _are_words(self._types(term))

    def is_word(self, term: Resource) -> bool:
        """Tell whether a resource that is no thing is a class or property of somebody's vocabulary."""
        return isinstance(term, NamedNode) and not term.value.startswith(_VOCABULARIES)

    def _is_annotation(self, term: Resource) -> bool:
        """Tell whether a resource says something about a statement: evidence, doubt, disagreement."""
        if str(term) in self._sides or not self._types(term).isdisjoint(ANNOTATION_CLASSES):
            return True
        return next(self._store.quads_for_pattern(term, _REIFIES, None, DefaultGraph()), None) is not None

    def _is_predicate(self, term: NamedNode) -> bool:
        return next(self._store.quads_for_pattern(None, term, None, DefaultGraph()), None) is not None

    def _types(self, term: Resource) -> set[str]:
        quads = self._store.quads_for_pattern(term, TYPE, None, DefaultGraph())
        return {quad.object.value for quad in quads if isinstance(quad.object, NamedNode)}

    def _is_cell_of_axiom(self, node: BlankNode) -> bool:
        """Tell whether a node belongs to a list that an OWL axiom holds."""
        start, walked = node, dict[BlankNode, None]()
        verdict: bool | None = self._cells.get(node)
        while verdict is None:
            walked[node] = None
            users = list(self._store.quads_for_pattern(None, None, node, DefaultGraph()))
            before = users[0].subject if len(users) == 1 and users[0].predicate == _REST else None
            if isinstance(before, BlankNode) and before not in walked:
                node = before
                verdict = self._cells.get(node)
            else:
                verdict = any(quad.predicate.value.startswith(OWL) for quad in users)
        has_first = {cell for cell in walked if self._has_first(cell)}
        self._cells |= {cell: verdict and cell in has_first for cell in walked}
        return bool(verdict) and (not walked or start in has_first)

    def _has_first(self, node: BlankNode) -> bool:
        return next(self._store.quads_for_pattern(node, _FIRST, None, DefaultGraph()), None) is not None

    def _superclasses(self) -> dict[str, set[str]]:
        above: dict[str, set[str]] = {}
        for predicate in (_SUBCLASS, _SUBPROPERTY):
            for quad in self._store.quads_for_pattern(None, predicate, None, DefaultGraph()):
                if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
                    above.setdefault(quad.subject.value, set()).add(quad.object.value)
                    above.setdefault(quad.object.value, set())
        return above

    def _find_all_above(self, name: str) -> set[str]:
        found: set[str] = set()
        waiting = [name]
        while waiting:
            new = self._above.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found - {name}


def resource(term: Term) -> Resource:
    """Return an end of a link, which is never a literal."""
    assert isinstance(term, NamedNode | BlankNode)
    return term


def is_link(predicate: str) -> bool:
    """Tell whether a predicate relates things, not words: type, subclass, domain and such do not."""
    if not predicate.startswith(_VOCABULARIES):
        return True
    return predicate in _LINKS or predicate.removeprefix(f"{RDF}_").isdigit()


def _are_words(types: set[str]) -> bool:
    """Tell whether one of the classes is one of RDF, RDFS or OWL, which hold words and axioms."""
    return any(name.startswith(_VOCABULARIES) and name not in _TYPES_OF_THINGS for name in types)
