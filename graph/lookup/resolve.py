"""Turn what a person writes for a thing, or for a class, into that thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from compute_atlas.graph.errors import AmbiguousTerm, UnknownTerm
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import Filter, Thing, last_part, short_type
from compute_atlas.graph.lookup.spoken import spoken_languages
from compute_atlas.graph.lookup.usertext import checked_query
from compute_atlas.ontology.names import BASE, KINDS, ONTOLOGY, PREFIXES
from rapidfuzz import fuzz, process

_MOST_SUGGESTIONS = 5
_NEAR = 50


def is_ordinary(thing: Thing) -> bool:
    """Tell whether a thing is found without being asked for by type: no property, no record."""
    return not thing.is_apart


def is_property(thing: Thing) -> bool:
    """Tell whether a thing is a property."""
    return thing.is_property


def resolve(
    index: Index,
    text: str | None,
    parameter: str,
    *,
    accepts: Filter = is_ordinary,
    is_known: Callable[[str], bool] = lambda iri: False,
) -> Thing:
    """Return the thing that an IRI, an id, a prefixed name, a notation or a label in any language names.

    `is_known` tells whether an IRI without a label is in the graph. Raises InvalidValue, UnknownTerm with
    near ids, AmbiguousTerm with the candidates' ids.
    """
    name = checked_query(text, parameter).strip()
    named = index.named(name)
    if named:
        return named
    for iri in possible_iris(name):
        if is_known(iri):
            return Thing(iri, ())
    anywhere = spoken_languages(index.languages, "*")
    found = index.search(name, anywhere, accepts)
    if found.match:
        return found.match.thing
    if found.ambiguous:
        raise AmbiguousTerm(name, [hit.thing.id for hit in found.ambiguous], parameter)
    raise UnknownTerm(name, [hit.thing.id for hit in found.hits[:_MOST_SUGGESTIONS]], parameter)


def possible_iris(name: str) -> Iterable[str]:
    """Yield the IRIs that a text may stand for: itself, our id, a prefixed name."""
    prefix, colon, local = name.partition(":")
    if colon and prefix in PREFIXES:
        yield PREFIXES[prefix] + local
    elif colon and " " not in name:
        yield name
    if name.partition("/")[0] in KINDS or name.startswith(ONTOLOGY.removeprefix(BASE)):
        yield BASE + name


def type_filter(index: Index, names: Iterable[str], parameter: str = "type") -> Filter:
    """Return what accepts the things of any of these classes, everything ordinary if there are none.

    A class is named as any thing is, or by the last part of its IRI (`VMSeries`, `ObjectProperty`). Raises
    UnknownTerm, AmbiguousTerm.
    """
    wanted = {resolve_class(index, name, parameter) for name in names}
    if not wanted:
        return is_ordinary
    return lambda thing: not wanted.isdisjoint(thing.classes)


def resolve_class(index: Index, name: str, parameter: str) -> str:
    """Return the IRI of the class that a text names. Raises UnknownTerm, AmbiguousTerm."""
    used = index.classes
    checked_query(name, parameter)
    by_name = {last_part(iri): iri for iri in sorted(used)} | {short_type(iri): iri for iri in sorted(used)}
    for iri in (*possible_iris(name), by_name.get(name, ""), f"{ONTOLOGY}{name}"):
        if iri in used or (iri in index.things and _is_class(index.things[iri])):
            return iri
    try:
        return resolve(index, name, parameter, accepts=_is_class).iri
    except UnknownTerm as error:
        near = process.extract(
            name, sorted(by_name), scorer=fuzz.ratio, limit=_MOST_SUGGESTIONS, score_cutoff=_NEAR
        )
        suggestions = [*dict.fromkeys([*error.suggestions, *(short for short, _, _ in near)])]
        raise UnknownTerm(name, suggestions[:_MOST_SUGGESTIONS], parameter) from None


def _is_class(thing: Thing) -> bool:
    return any(last_part(iri) == "Class" for iri in thing.classes)
