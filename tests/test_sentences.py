"""Statements read aloud are sentences: each property's, in each language, stands in a file for people to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from compute_atlas.graph.lookup.labels import Label, Thing
from compute_atlas.graph.walking.frontier import asking
from compute_atlas.graph.walking.statements import Statement
from compute_atlas.graph.walking.wording import Wording, word
from compute_atlas.ontology.names import LANGUAGES, ONTOLOGY, OWL, RDF
from pyoxigraph import DefaultGraph, Literal, NamedNode, Store

PERSON = "http://kg.test/"


def object_properties(store: Store) -> list[NamedNode]:
    quads = store.quads_for_pattern(
        None, NamedNode(f"{RDF}type"), NamedNode(f"{OWL}ObjectProperty"), DefaultGraph()
    )
    return sorted((quad.subject for quad in quads if isinstance(quad.subject, NamedNode)), key=str)


def examples(store: Store, prop: NamedNode, most: int = 2) -> list[Statement]:
    """Return the first statements with a property."""
    found = [
        (quad.subject.value, quad.object.value)
        for quad in store.quads_for_pattern(None, prop, None, DefaultGraph())
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode)
    ]
    return [Statement(subject, prop.value, value, ()) for subject, value in sorted(found)[:most]]


def inverse_label(store: Store, prop: NamedNode, language: str) -> str:
    name = NamedNode(f"{ONTOLOGY}inverseLabel")
    values = [quad.object for quad in store.quads_for_pattern(prop, name, None, DefaultGraph())]
    return next(v.value for v in values if isinstance(v, Literal) and v.language == language)


def stand_in(prop: NamedNode) -> Statement:
    """Return a statement to read for a property that nothing is stated with."""
    return Statement(f"{PERSON}A", prop.value, f"{PERSON}B", ())


def lines(store: Store) -> Iterator[str]:
    for prop in object_properties(store):
        statements = examples(store, prop) or [stand_in(prop)]
        nodes = {iri for s in statements for iri in (s.subject, s.value)} | {prop.value}
        yield f"\n{prop.value.removeprefix(ONTOLOGY)}"
        for language in LANGUAGES:
            wording = word(asking(store), nodes, statements, [language])
            label = wording.label(prop.value)["value"]
            yield f"  {language}  {label}  ⇄  {inverse_label(store, prop, language)}"
            yield from (f"      {wording.sentence(statement)}" for statement in statements)


def test_sentences_of_every_property_are_the_ones_that_were_read(
    store: Store, golden: Callable[[str, str], None]
) -> None:
    text = "The sentences of each object property, to be read by a person who knows the language.\n"
    assert len(object_properties(store)) > 40
    golden("sentences.txt", text + "\n".join(lines(store)) + "\n")


def reading(*things: Thing, language: str) -> Wording:
    store = Store()
    wording = word(asking(store), [], [], [language])
    wording.things.update({thing.iri: thing for thing in things})
    return wording


def person(name: str, **labels: str) -> Thing:
    return Thing(PERSON + name, tuple(Label(text, language, "label") for language, text in labels.items()))


def said(subject: Thing, predicate: Thing, value: Thing, language: str) -> str:
    wording = reading(subject, predicate, value, language=language)
    return wording.sentence(Statement(subject.iri, predicate.iri, value.iri, ()))


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "“Ann”: knows “Bob”."),
        ("ja", "「Ann」の「知人」は「ボブ」です。"),
        ("it", "«Ann»: knows «Bob»."),
        ("fr", "“Ann”: knows “Bob”."),
    ],
)
def test_properties_of_other_people_are_read_plainly(language: str, sentence: str) -> None:
    subject, predicate, value = (
        person("a", en="Ann"),
        person("p", en="knows", ja="知人"),
        person("b", en="Bob", ja="ボブ"),
    )
    assert said(subject, predicate, value, language) == sentence


def test_a_label_that_looks_like_a_place_in_a_pattern_is_left_alone() -> None:
    assert said(person("a", en="{o}"), person("p", en="{s}"), person("b", en="x"), "en") == "“{o}”: {s} “x”."
