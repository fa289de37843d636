"""The page of a thing: its names, its facts with what they rest on, its connections."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote

import flask
from compute_atlas.graph.exchange.facts import Facts, Value
from compute_atlas.graph.export.formats import FORMATS
from compute_atlas.graph.languages import lookup
from compute_atlas.graph.layout.text import natural_key
from compute_atlas.graph.lookup.labels import KINDS as LABEL_KINDS
from compute_atlas.graph.lookup.labels import LABEL_PREDICATES, Label, Thing, last_part, short_type
from compute_atlas.graph.walking.links import NEVER_LINKS
from compute_atlas.ontology.names import BASE, ONTOLOGY, RDF, RDFS, SKOS, XSD, identifier
from compute_atlas.server import context
from compute_atlas.server.cards import find_facts
from compute_atlas.server.grounds import Grounds, list_places, read_grounds
from compute_atlas.server.pages import View, answer_page
from compute_atlas.server.pages_pictures import Relation, draw_relations
from pyoxigraph import BlankNode, Literal, NamedNode

MOST_LISTED = 60
# A bow-tie of more relations is no longer seen at a glance; the lists below have them all.
_MOST_DRAWN = 14
_MOST_TERMS = 400
_TYPE = f"{RDF}type"
_DEFINITIONS = (f"{SKOS}definition", f"{RDFS}comment")
_TOLD_ABOVE = {*LABEL_PREDICATES, *_DEFINITIONS, _TYPE}
_OF_DISAGREEMENTS = f"{ONTOLOGY}disagreementSubject"
_CLAIMS = f"{ONTOLOGY}claim"
_INVERSE = f"{ONTOLOGY}inverseLabel"


@dataclass(frozen=True)
class Fact:
    """A property of the thing of a page, with its values, those on the same grounds together."""

    predicate: str
    values: tuple[tuple[Grounds, tuple[Value, ...]], ...]
    anchor: str


@dataclass(frozen=True)
class Portrait:
    """What the page of a thing shows."""

    view: View
    thing: Thing
    stated: Mapping[str, Sequence[Value]]
    mentions: Mapping[str, Sequence[str]]
    more_mentions: int
    claims: Sequence[Mapping[str, Any]]
    inverse: Facts

    @cached_property
    def definition(self) -> Literal | None:
        """Return the text that says what the thing is, in the best language."""
        texts = [v for name in _DEFINITIONS for v in self.stated.get(name, ()) if isinstance(v, Literal)]
        wanted = [*self.view.languages, ""]
        return min(
            texts, key=lambda t: wanted.index(t.language) if t.language in wanted else 99, default=None
        )

    @cached_property
    def names(self) -> list[tuple[list[str], list[str]]]:
        """Return the names of the thing, the preferred one first, with the languages that have the same."""
        by_language: dict[str, dict[str, Label]] = {}
        for label in self.thing.labels:
            if label.kind != "hiddenLabel" and label.kind != "id":
                by_language.setdefault(label.lang or "", {}).setdefault(label.value, label)
        order = {tag: number for number, tag in enumerate(self.view.languages)}
        tags = sorted(by_language, key=lambda tag: (tag == "", order.get(tag, 99), tag))
        groups: dict[tuple[str, ...], list[str]] = {}
        for tag in tags:
            labels = sorted(by_language[tag].values(), key=lambda label: LABEL_KINDS.index(label.kind))
            values = tuple(label.value for label in labels)
            if tag or not any(set(values) <= set(others) for others in groups):
                groups.setdefault(values, []).append(tag)
        return [(listed, list(values)) for values, listed in groups.items()]

    @cached_property
    def lacks_name(self) -> bool:
        """Say whether it has names, but none in the language asked for."""
        tags = [tag for listed, _ in self.names for tag in listed]
        return bool(tags) and lookup(self.view.languages[0], [tag for tag in tags if tag]) is None

    @cached_property
    def facts(self) -> list[Fact]:
        """Return what is stated or inferred of the thing, and what is in doubt, by label of the property."""
        evidence = _by_value(self.claims)
        values: dict[str, list[tuple[Grounds, Value]]] = {}
        for predicate, listed in self.stated.items():
            if predicate not in _TOLD_ABOVE:
                values[predicate] = [
                    (read_grounds(evidence.get((predicate, _key(v)), ())), v) for v in listed
                ]
        known = {(name, _key(value)) for name, told in values.items() for _, value in told}
        for (predicate, key), claims in evidence.items():
            doubtful = [claim for claim in claims if claim["uncertain"]]
            if doubtful and (predicate, key) not in known and predicate not in _TOLD_ABOVE:
                grounds = Grounds(list_places(doubtful), is_uncertain=True)
                values.setdefault(predicate, []).append((grounds, _value(doubtful[0]["object"])))
        return [
            Fact(predicate, self._grouped(values[predicate]), f"to-{last_part(predicate)}")
            for predicate in self.view.order(values)
        ]

    @cached_property
    def incoming(self) -> list[Relation]:
        """Return what links to the thing, by predicate."""
        return [
            Relation(predicate, tuple(self.view.order(things)), True, f"from-{last_part(predicate)}", *head)
            for predicate, things in self.mentions.items()
            if not predicate.startswith((_CLAIMS, _OF_DISAGREEMENTS))
            for head in [self._label(predicate)]
        ]

    @cached_property
    def outgoing(self) -> list[Relation]:
        """Return what the thing surely links to, by predicate."""
        found = []
        for fact in self.facts:
            things = tuple(
                value.value
                for grounds, values in fact.values
                for value in values
                if isinstance(value, NamedNode) and not grounds.is_uncertain
            )
            if things and fact.predicate not in NEVER_LINKS:
                label = self._label(fact.predicate)
                found.append(Relation(fact.predicate, things, False, fact.anchor, *label))
        return found

    @property
    def relations(self) -> list[Relation]:
        """Return the relations of the picture."""
        seen = {relation.things for relation in self.outgoing}
        # What is linked in both directions is drawn once.
        drawn = [r for r in self.incoming if r.predicate not in NEVER_LINKS and r.things not in seen]
        return [*drawn[:_MOST_DRAWN], *self.outgoing[:_MOST_DRAWN]]

    @cached_property
    def terms(self) -> list[tuple[str, str]]:
        """Return the names behind the # of its IRI, if it is a vocabulary, with what they stand for."""
        start = f"{self.thing.iri}#"
        found = (iri for iri in self.view.index.things if iri.startswith(start))
        return [(iri.removeprefix(start), iri) for iri in self.view.order(found)][:_MOST_TERMS]

    @cached_property
    def disagreements(self) -> list[str]:
        """Return the disagreements about the thing."""
        return self.view.order(self.mentions.get(_OF_DISAGREEMENTS, ()))

    @cached_property
    def is_class(self) -> bool:
        """Say whether it has members."""
        return self.thing.iri in self.view.index.classes

    def from_there(self, relation: Relation) -> tuple[str, str | None]:
        """Return how a relation to the thing reads from here: the inverse label, else the label."""
        texts = {
            value.language or "": value.value
            for value in self.inverse.get(relation.predicate, {}).get(_INVERSE, ())
            if isinstance(value, Literal)
        }
        tag = next((tag for tag in self.view.languages if tag in texts), None)
        if tag:
            return texts[tag], tag
        name = f"{short_type(relation.predicate)} of"
        known = self.view.word("terms", name)
        return (relation.label, relation.lang) if known == name else (known, self.view.spoken.language)

    def _label(self, predicate: str) -> tuple[str, str | None]:
        shown = self.view.name(predicate)
        return shown.value, shown.lang

    def _grouped(
        self, told: Iterable[tuple[Grounds, Value]]
    ) -> tuple[tuple[Grounds, tuple[Value, ...]], ...]:
        groups: dict[Grounds, list[Value]] = {}
        for grounds, value in sorted(told, key=lambda pair: self._order(pair[1])):
            groups.setdefault(grounds, []).append(value)
        return tuple((grounds, tuple(values)) for grounds, values in groups.items())

    def _order(self, value: Value) -> tuple[object, str]:
        return natural_key(self.view.shown(value).value), str(value)


def thing_page(iri: str) -> flask.Response:
    """Return the page of a thing. Raises UnknownThing, InvalidIri."""
    view = View.current()
    portrait = _portrait(view, iri)
    thing = portrait.thing
    drawn = draw_relations(view, iri, portrait.relations) if portrait.relations else None
    return answer_page(
        view,
        "thing.html",
        portrait=portrait,
        thing=thing,
        drawn=drawn,
        tools=export_tools(),
        part=f"of={quote(thing.id, safe='')}",
        shown=MOST_LISTED,
    )


def export_tools() -> dict[str, list[tuple[str, str]]]:
    """Return the formats for files by the program that reads them, as the titles of the formats say."""
    tools: dict[str, list[tuple[str, str]]] = {}
    for made in FORMATS.values():
        title, _, programs = made.title.partition(": ")
        for program in programs.split(", ") if programs else [""]:
            tools.setdefault(program.partition(" (")[0], []).append((made.name, title))
    return dict(sorted(tools.items(), key=lambda item: (item[0] == "", item[0].casefold())))


def _portrait(view: View, iri: str) -> Portrait:
    atlas = context.current()
    around = json.loads(atlas.ask("facts", iri=iri, languages=[]))
    mentions: dict[str, list[str]] = {}
    for predicate, subject in around["mentions"]:
        mentions.setdefault(predicate["iri"], []).append(subject["iri"])
    found = json.loads(atlas.ask("evidence", subject=iri, predicate=None, object=None, thing=None))
    return Portrait(
        view,
        view.index.things.get(iri) or Thing(iri, ()),
        find_facts([iri], None).get(iri, {}),
        {predicate: mentions[predicate] for predicate in view.order(mentions)},
        around["more"],
        found["claims"],
        find_facts(mentions, [_INVERSE]) if mentions else {},
    )


def _by_value(claims: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], list[Mapping[str, Any]]]:
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for claim in claims:
        found.setdefault((claim["predicate_iri"], str(claim["object"])), []).append(claim)
    return found


def _key(value: Value) -> str:
    """Return a term as the evidence of a claim names it."""
    if isinstance(value, NamedNode):
        return identifier(value.value) or value.value
    if isinstance(value, Literal) and value.datatype.value == f"{XSD}boolean":
        return str(value.value in ("true", "1"))
    return str(getattr(value, "value", value))


def _value(told: Any) -> Value:
    """Return the term behind an object as the evidence names it."""
    if isinstance(told, bool | int):
        return Literal(told)
    if isinstance(told, str) and ("/" in told or "#" in told) and " " not in told:
        return NamedNode(told if "://" in told else BASE + told)
    return BlankNode(told[2:]) if str(told).startswith("_:") else Literal(str(told))
