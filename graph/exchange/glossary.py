"""Collect the terms of things into a glossary: each term with its language and status."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from compute_atlas.graph import languages
from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.lookup.labels import Thing, short_type
from compute_atlas.graph.lookup.resolve import is_ordinary

STATUSES = ("preferred", "admitted", "deprecated")
_STATUS_OF_KIND = {
    "prefLabel": "preferred",
    "label": "admitted",
    "altLabel": "admitted",
    "hiddenLabel": "deprecated",
}


@dataclass(frozen=True, slots=True)
class Term:
    """One name of a concept: its language tag (None: untagged), one of STATUSES."""

    value: str
    lang: str | None
    status: str


@dataclass(frozen=True)
class Concept:
    """A thing with its terms, ordered by language, status and value; at least one."""

    id: str
    iri: str
    types: tuple[str, ...]
    notation: str | None
    terms: tuple[Term, ...]

    def by_language(self) -> dict[str, list[Term]]:
        """Return the terms by language tag; those without one stand under `und`."""
        found: dict[str, list[Term]] = {}
        for term in self.terms:
            found.setdefault(term.lang or "und", []).append(term)
        return found


@dataclass(frozen=True)
class Glossary:
    """Concepts in order of id, and the language tags of their terms, in the order asked for."""

    languages: tuple[str, ...]
    concepts: tuple[Concept, ...]


def make_glossary(
    things: Mapping[str, Thing],
    wanted: Sequence[str] = (),
    accepts: Callable[[Thing], bool] = is_ordinary,
) -> Glossary:
    """Return the terms of the things that are accepted, in the wanted languages (all without any).

    Names without a language belong to a glossary of all languages only. Raises InvalidValue for a
    language that is not there or is malformed.
    """
    available = {label.lang for thing in things.values() for label in thing.labels if label.lang}
    tags = choose_languages(wanted, available)
    order = {tag: place for place, tag in enumerate(tags)}
    concepts = []
    for thing in sorted(filter(accepts, things.values()), key=lambda thing: thing.id):
        terms = _terms(thing, order, with_untagged=not wanted)
        if terms:
            types = tuple(map(short_type, thing.types))
            concepts.append(Concept(thing.id, thing.iri, types, thing.notation, terms))
    return Glossary(tags, tuple(concepts))


def choose_languages(wanted: Iterable[str], available: Iterable[str]) -> tuple[str, ...]:
    """Return the available tags that the wanted ones mean, in their order; all, sorted, without any.

    Raises InvalidValue for a language that is not there or is malformed.
    """
    tags = sorted(available)
    chosen: dict[str, None] = {}
    for tag in map(languages.checked, wanted):
        best = languages.lookup(tag, tags) if tag != languages.ANY else None
        fitting = [other for other in tags if languages.fits(other, tag)]
        if not fitting and best is None:
            mend = f"use any of: {', '.join(tags)}"
            raise InvalidValue("lang", tag, "no term is known in this language", mend, tags)
        chosen |= dict.fromkeys(([best] if best else []) + fitting)
    return tuple(chosen) or tuple(tags)


def split_languages(text: str | None) -> list[str]:
    """Return the tags of a list such as `ja,it,en`, none for no text."""
    return [tag.strip() for tag in text.split(",")] if text else []


def _terms(thing: Thing, order: Mapping[str, int], *, with_untagged: bool) -> tuple[Term, ...]:
    """Return the terms of a thing, each value once a language, with its best status.

    Where no label is preferred in a language, the first rdfs:label is.
    """
    statuses: dict[tuple[str | None, str], str] = {}
    for label in thing.labels:  # the better kinds come first
        status = _STATUS_OF_KIND.get(label.kind)
        # Hidden forms without a language only help to find things; nobody has to be warned of them.
        is_wanted = label.lang in order if label.lang else with_untagged and status != "deprecated"
        if status and is_wanted:
            if label.kind == "label" and all(lang != label.lang for lang, _ in statuses):
                status = "preferred"
            statuses.setdefault((label.lang, label.value), status)
    terms = (Term(value, lang, status) for (lang, value), status in statuses.items())
    return tuple(
        sorted(
            terms,
            key=lambda term: (
                order.get(term.lang or "", len(order)),
                STATUSES.index(term.status),
                term.value,
            ),
        )
    )
