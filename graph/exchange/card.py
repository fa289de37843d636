"""What a reader wants to know of a thing at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from compute_atlas.graph.exchange.facts import Value, thing_of
from compute_atlas.graph.languages import best
from compute_atlas.graph.layout.text import natural_key
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import LABEL_PREDICATES, Thing
from compute_atlas.ontology.names import DCT, RDF, RDFS, SKOS
from pyoxigraph import Literal, NamedNode

MOST_NAMES, MOST_FACTS, MOST_VALUES = 2, 3, 4

_DEFINITIONS = (f"{SKOS}definition", f"{RDFS}comment", f"{DCT}description")
_SAID_ELSEWHERE = {*LABEL_PREDICATES, *_DEFINITIONS, f"{RDF}type", f"{SKOS}inScheme"}

Json = dict[str, Any]


def make_card(
    index: Index, thing: Thing, stated: Mapping[str, Sequence[Value]], languages: Sequence[str]
) -> Json:
    """Return label, types, definition, names in other languages and the first facts of a thing.

    `stated` are the values of its predicates. Facts come with fewest values first, then by their label;
    `more` counts the values that are left out.
    """
    label = thing.shown(languages)
    facts = [
        _fact(index, predicate, values, languages)
        for predicate, values in stated.items()
        if predicate in index.things and predicate not in _SAID_ELSEWHERE
    ]
    facts.sort(key=lambda fact: (len(fact["values"]) + fact["more"], fact["property"]["label"]))
    return {
        "id": thing.id,
        "iri": thing.iri,
        "label": asdict(label),
        "notation": thing.notation if thing.notation != label.value else None,
        "types": [_named(index, iri, languages) for iri in thing.types],
        "definition": _definition(stated, languages),
        "names": _other_names(thing, label.value),
        "facts": facts[:MOST_FACTS],
    }


def _definition(stated: Mapping[str, Sequence[Value]], languages: Sequence[str]) -> Json | None:
    for predicate in _DEFINITIONS:
        texts = {
            value.language or "": value.value
            for value in reversed(stated.get(predicate, ()))
            if isinstance(value, Literal)
        }
        if texts:
            tag = best(languages, texts) or min(texts)
            return {"value": texts[tag], "lang": tag or None}
    return None


def _other_names(thing: Thing, shown: str) -> list[Json]:
    """Return the preferred names that differ from the one shown, one a language."""
    names: dict[str, str] = {}
    for label in thing.labels:
        if label.lang and label.kind in ("prefLabel", "label") and label.value != shown:
            names.setdefault(label.lang, label.value)
    return [{"value": value, "lang": lang} for lang, value in sorted(names.items())][:MOST_NAMES]


def _fact(index: Index, predicate: str, values: Sequence[Value], languages: Sequence[str]) -> Json:
    texts = sorted(
        {text for value in values if (text := _text(index, value, languages))},
        key=lambda text: (natural_key(text), text),
    )
    return {
        "property": _named(index, predicate, languages),
        "values": texts[:MOST_VALUES],
        "more": max(0, len(texts) - MOST_VALUES),
    }


def _text(index: Index, value: Value, languages: Sequence[str]) -> str | None:
    if isinstance(value, NamedNode):
        return str(_named(index, value.value, languages)["label"])
    return value.value if isinstance(value, Literal) else None


def _named(index: Index, iri: str, languages: Sequence[str]) -> Json:
    thing = thing_of(index, iri)
    return {"id": thing.id, "label": thing.shown(languages).value}
