"""Read from any RDF what its things are called: labels, notations, types."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from compute_atlas.graph.errors import LabelCollision
from compute_atlas.graph.languages import ANY, fits, lookup, preferences
from compute_atlas.graph.lookup import words
from compute_atlas.graph.lookup.folding import is_blank, loose
from compute_atlas.ontology.names import ONTOLOGY, OWL, PREFIXES, RDF, RDFS, SKOS, identifier
from pyoxigraph import Literal, NamedNode, Quad

# The order is that of preference where several forms fit equally well.
KINDS = ("prefLabel", "label", "notation", "altLabel", "hiddenLabel", "id")
LABEL_PREDICATES = {
    f"{SKOS}prefLabel": "prefLabel",
    f"{RDFS}label": "label",
    f"{SKOS}notation": "notation",
    f"{SKOS}altLabel": "altLabel",
    f"{SKOS}hiddenLabel": "hiddenLabel",
}
_SHOWN = ("prefLabel", "label", "altLabel", "notation")
_TYPE = f"{RDF}type"
_SUBCLASS = f"{RDFS}subClassOf"
_PROPERTY = f"{RDF}Property"
_PROPERTY_TYPES = frozenset(
    {_PROPERTY, f"{RDFS}ContainerMembershipProperty"}
    | {f"{OWL}{name}Property" for name in ("Object", "Datatype", "Annotation", "Ontology")}
)
_RECORD_TYPES = frozenset({f"{ONTOLOGY}UncertainClaim", f"{ONTOLOGY}Disagreement"})
_SAYS_NOTHING = f"{OWL}NamedIndividual"
# Azure writes the tier of a size before its name; people leave it out.
_SIZE_TIER = "Standard_"


@dataclass(frozen=True, slots=True)
class Label:
    """One name of a thing: its value as stored, its language tag (None: untagged), one of KINDS."""

    value: str
    lang: str | None
    kind: str


@dataclass(frozen=True)
class Shown:
    """The label to show for a thing; `fallback` if it is in another language than the one asked for."""

    value: str
    lang: str | None
    fallback: bool


@dataclass(frozen=True)
class Thing:
    """Something that has a name. `types` are its most special classes, `classes` all of them."""

    iri: str
    labels: tuple[Label, ...]
    types: tuple[str, ...] = ()
    classes: frozenset[str] = frozenset()

    @cached_property
    def id(self) -> str:
        """`kind/name`, `ontology#Name`, or the whole IRI of other people's things."""
        return identifier(self.iri) or self.iri

    @cached_property
    def kind(self) -> str:
        """The kind of one of our individuals, else the empty text."""
        kind, slash, _ = self.id.partition("/")
        return kind if slash and identifier(self.iri) else ""

    @cached_property
    def is_property(self) -> bool:
        """Whether it is a property."""
        return _PROPERTY in self.classes

    @cached_property
    def is_apart(self) -> bool:
        """Whether it is a property or a record: found only where a type asks for it."""
        return self.is_property or not self.classes.isdisjoint(_RECORD_TYPES)

    @cached_property
    def is_identifier(self) -> bool:
        """Whether its names are identifiers of series or sizes, which are one letter apart."""
        return self.kind in ("series", "size") or not self.classes.isdisjoint(
            {f"{ONTOLOGY}VMSeries", f"{ONTOLOGY}VMSize"}
        )

    @cached_property
    def notation(self) -> str | None:
        """Its notation."""
        return next((label.value for label in self.labels if label.kind == "notation"), None)

    def shown(self, wanted: Iterable[str]) -> Shown:
        """Return the label in the first language asked for that has one, else in the fixed order.

        A thing without any label is called by its IRI's last part.
        """
        asked = tuple(wanted)
        first = asked[0] if asked else ANY
        for kind in _SHOWN:
            by_tag = {label.lang or "": label for label in reversed(self.labels) if label.kind == kind}
            for tag in preferences(tag for tag in asked if tag != ANY):
                found = lookup(tag, by_tag)
                if found:
                    return Shown(by_tag[found].value, by_tag[found].lang, not fits(found, first))
        for kind in _SHOWN:
            for label in self.labels:
                if label.kind == kind:
                    return Shown(label.value, label.lang, not fits(label.lang, first))
        return Shown(last_part(self.iri), None, first != ANY)


Filter = Callable[[Thing], bool]


def read_things(quads: Iterable[Quad]) -> dict[str, Thing]:
    """Return everything with an IRI and a label or notation, by IRI, sorted."""
    labels: dict[str, set[Label]] = defaultdict(set)
    types: dict[str, set[str]] = defaultdict(set)
    above: dict[str, set[str]] = defaultdict(set)
    for quad in quads:
        subject, predicate, value = quad.subject, quad.predicate.value, quad.object
        if not isinstance(subject, NamedNode):
            continue
        if isinstance(value, Literal):
            kind = LABEL_PREDICATES.get(predicate)
            if kind and not is_blank(value.value):
                labels[subject.value].add(Label(value.value, value.language, kind))
        elif isinstance(value, NamedNode):
            if predicate == _TYPE and value.value != _SAYS_NOTHING:
                types[subject.value].add(value.value)
            elif predicate == _SUBCLASS:
                above[subject.value].add(value.value)
    closure = _Closure(above)
    return {iri: _thing(iri, labels[iri], types.get(iri, set()), closure) for iri in sorted(labels)}


def check_collisions(things: Mapping[str, Thing]) -> None:
    """Raise LabelCollision if two things share a loose key in one language and no lexicon says they may."""
    holders: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for thing in things.values():
        for label in thing.labels:
            if label.lang and not thing.is_apart:
                holders[label.lang, loose(label.value)].setdefault(thing.id, label.value)
    found = []
    for (lang, key), by_id in sorted(holders.items()):
        declared = {loose(text): set(ids) for text, ids in words.of_language(lang).ambiguous.items()}
        if len(by_id) > 1 and not by_id.keys() <= declared.get(key, set()):
            found.append(f'"{min(by_id.values())}"@{lang} ({", ".join(sorted(by_id))})')
    if found:
        raise LabelCollision(found)


def last_part(iri: str) -> str:
    """Return what an IRI ends in, the whole IRI if that is empty."""
    return iri.rstrip("/#").rpartition("#")[2].rpartition("/")[2].rpartition(":")[2] or iri


@lru_cache(maxsize=4096)
def short_type(iri: str) -> str:
    """Return a class's name: bare for our own, prefixed for the known vocabularies, else the IRI."""
    if iri.startswith(ONTOLOGY):
        return iri.removeprefix(ONTOLOGY)
    for prefix, base in PREFIXES.items():
        if iri.startswith(base) and "/" not in iri.removeprefix(base):
            return f"{prefix}:{iri.removeprefix(base)}"
    return iri


class _Closure:
    def __init__(self, above: Mapping[str, set[str]]):
        self._above = above
        self._known: dict[str, frozenset[str]] = {}

    def of(self, iri: str) -> frozenset[str]:
        """Return all classes above one, without itself; cycles are harmless."""
        if iri not in self._known:
            found: set[str] = set()
            open_ends = list(self._above.get(iri, ()))
            while open_ends:
                name = open_ends.pop()
                if name not in found:
                    found.add(name)
                    open_ends += self._above.get(name, ())
            self._known[iri] = frozenset(found - {iri})
        return self._known[iri]


def _thing(iri: str, labels: set[Label], types: set[str], closure: _Closure) -> Thing:
    above = frozenset().union(*(closure.of(name) for name in types)) if types else frozenset()
    classes = above | types
    if not classes.isdisjoint(_PROPERTY_TYPES):
        classes |= {_PROPERTY}
    thing = Thing(iri, (), tuple(sorted(types - above)), classes)
    if any(label.kind == "prefLabel" for label in labels):
        preferred = {(label.value, label.lang) for label in labels if label.kind == "prefLabel"}
        labels = {
            label for label in labels if label.kind != "label" or (label.value, label.lang) not in preferred
        }
    if thing.is_identifier:
        short = {
            label.value.removeprefix(_SIZE_TIER) for label in labels if label.value.startswith(_SIZE_TIER)
        }
        labels = labels | {Label(value, None, "hiddenLabel") for value in short if value}
    ordered = sorted(labels, key=lambda label: (KINDS.index(label.kind), label.lang or "", label.value))
    return Thing(iri, tuple(ordered), thing.types, thing.classes)
