"""Tell a term from its opposite: "managed" and "unmanaged" are only two letters apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from compute_atlas.graph.lookup import words
from compute_atlas.graph.lookup.folding import loose, strict
from compute_atlas.graph.lookup.labels import Label
from rapidfuzz.distance import Indel


def flips(query: str, label: Label) -> bool:
    """Tell whether a query's loose key is nearer to the label's opposite than to the label."""
    opposites = _opposites(label.value, label.lang)
    if not opposites:
        return False
    distance = Indel.distance(query, loose(label.value))
    return any(
        Indel.distance(query, opposite, score_cutoff=distance - 1) < distance
        for marker, opposite in opposites
        if marker is None or marker in query
    )


def is_after_negation(label: Label, key: str, place: int) -> bool:
    """Tell whether a negation at a word's beginning ends at a place in the label's loose key."""
    # Working out where words begin is slow, and hardly any place comes after such letters.
    ends_so = key.endswith(_markers(label.lang), 0, place)
    return ends_so and place in _negated_places(label.value, label.lang)


@lru_cache(maxsize=16384)
def _negated_places(label: str, lang: str | None) -> frozenset[int]:
    text, markers = strict(label), _markers(lang)
    places = (
        len(loose(text[: word.start()])) + len(marker)
        for word in words.WORD.finditer(text)
        for marker in markers
        if loose(word[0]).startswith(marker)
    )
    return frozenset(places)


@lru_cache(maxsize=16384)
def _opposites(label: str, lang: str | None) -> tuple[tuple[str | None, str], ...]:
    """Return loose keys of the label with a negation more (and which), or with one less (None)."""
    text = strict(label)
    markers = _markers(lang)
    return tuple(_changed(text, markers)) if markers else ()


def _changed(text: str, markers: tuple[str, ...]) -> Iterator[tuple[str | None, str]]:
    for word in words.WORD.finditer(text):
        before, after = text[: word.start()], text[word.start() :]
        for marker in markers:
            yield marker, loose(before + marker + after)
            if loose(word[0]).startswith(marker) and loose(text) != marker:
                yield None, loose(before) + loose(after).removeprefix(marker)


@lru_cache(maxsize=64)
def _markers(lang: str | None) -> tuple[str, ...]:
    return tuple(loose(marker) for marker in words.of_language(lang).negations)
