"""What nodes and edges are called: one label a language, the other names, the one to show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compute_atlas.graph.export.columns import joined, language_suffix
from compute_atlas.graph.export.text import clean
from compute_atlas.graph.lookup.folding import is_blank
from compute_atlas.graph.lookup.labels import KINDS, Label, Thing, last_part, short_type
from compute_atlas.ontology.names import RDFS, SKOS
from pyoxigraph import Literal, Quad

LABEL_KINDS = {f"{SKOS}prefLabel": "prefLabel", f"{RDFS}label": "label", f"{SKOS}altLabel": "altLabel"}
_NOTATION = f"{SKOS}notation"


@dataclass(frozen=True)
class Names:
    """The name to show; a label and all other names by language as columns end in it (`und`: untagged)."""

    shown: str
    labels: dict[str, str]
    others: dict[str, str]


def read_names(key: str, quads: Iterable[Quad], languages: Sequence[str]) -> Names:
    """Return the names that statements give to a resource, the end of its key if there is none."""
    found = sorted(_labels(quads), key=lambda label: (KINDS.index(label.kind), label.lang or "", label.value))
    labels: dict[str, str] = {}
    others: dict[str, list[str]] = {}
    for label in found:
        tag = language_suffix(label.lang or "")
        if label.kind == "notation":
            continue
        if label.kind != "altLabel" and tag not in labels:
            labels[tag] = label.value
        elif label.value != labels.get(tag):
            others.setdefault(tag, []).append(label.value)
    shown = Thing(key, tuple(found)).shown(languages).value
    return Names(clean(shown), labels, {tag: joined(names) for tag, names in others.items()})


def type_name(class_iri: str) -> str:
    """Return a class as a word: bare for our own, prefixed for the known vocabularies, else the last part."""
    short = short_type(class_iri)
    return last_part(class_iri) if short == class_iri else short


def _labels(quads: Iterable[Quad]) -> set[Label]:
    return {
        Label(clean(quad.object.value), quad.object.language, kind)
        for quad in quads
        if (kind := LABEL_KINDS.get(quad.predicate.value) or _notation(quad))
        and isinstance(quad.object, Literal)
        and not is_blank(quad.object.value)
    }


def _notation(quad: Quad) -> str | None:
    return "notation" if quad.predicate.value == _NOTATION else None
