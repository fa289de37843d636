"""Find things by any of their names: an immutable index and its tiers, from the sure to the near."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from compute_atlas.graph.lookup import stems, words
from compute_atlas.graph.lookup.folding import loose, strict
from compute_atlas.graph.lookup.hits import MATCH_SCORE, TIERS, Best, Found
from compute_atlas.graph.lookup.labels import Filter, Label, Thing
from compute_atlas.graph.lookup.negation import flips, is_after_negation
from compute_atlas.graph.lookup.spoken import Languages
from compute_atlas.ontology.names import PREFIXES
from rapidfuzz import fuzz, process

_PREFIX_FLOOR = 70
_FUZZY_CUTOFF = 60
_MOST_FUZZY = 50
_SHORTEST_INFIX = 2
_LONGEST_IDENTIFIER = 3
_SEPARATOR = "\n"
_IDEOGRAPH = re.compile("[\u3400-\u9fff]")


class Index:
    """The names of things. Made once, never changed, shared by threads."""

    def __init__(self, things: Mapping[str, Thing]):
        self.things = dict(things)
        self.languages = frozenset(
            label.lang for thing in things.values() for label in thing.labels if label.lang
        )
        self.classes = frozenset(name for thing in things.values() for name in thing.classes)
        self._ids = {name: thing for thing in things.values() for name in (thing.iri, thing.id)}
        self._entries = [(thing, label) for thing in things.values() for label in thing.labels]
        self._exact = _grouped(label.value for _, label in self._entries)
        self._strict = _grouped(strict(label.value) for _, label in self._entries)
        self._loose = _grouped(loose(label.value) for _, label in self._entries)
        self._stems = _grouped(stems.key(label.value, label.lang) for _, label in self._entries)
        self._sorted = sorted(self._loose)
        self._joined = _SEPARATOR.join(self._sorted)
        self._starts = _starts(self._sorted)
        self._fuzzy = [key for key in self._sorted if any(self._is_typeable(n) for n in self._loose[key])]

    def search(self, query: str, spoken: Languages, accepts: Filter, *, fuzzy: bool = True) -> Found:
        """Return what a query names, surely or nearly. Nearly only where nothing scores MATCH_SCORE."""
        best = Best(spoken, accepts)
        for tier, number, label in self._sure(query):
            best.offer(*self._entry(number, label), tier)
        key = loose(query)
        self._add_prefixes(key, best)
        self._add_infixes(key, best)
        if fuzzy and best.top_score < MATCH_SCORE:
            self._add_fuzzy(key, best)
        return best.found()

    def suggest(self, prefix: str, spoken: Languages, accepts: Filter) -> Found:
        """Return what has a name that begins so, and what is called exactly so."""
        best = Best(spoken, accepts)
        for tier, number, label in self._sure(prefix):
            best.offer(*self._entry(number, label), tier)
        self._add_prefixes(loose(prefix), best)
        return best.found()

    def named(self, name: str) -> Thing | None:
        """Return the thing with this IRI, id or prefixed name."""
        prefix, colon, local = name.partition(":")
        if name not in self._ids and colon and prefix in PREFIXES:
            name = PREFIXES[prefix] + local
        return self._ids.get(name)

    def _entry(self, number: int, label: Label | None) -> tuple[Thing, Label]:
        thing, own = self._entries[number]
        return thing, label or own

    def _sure(self, query: str) -> Iterator[tuple[str, int, Label | None]]:
        """Yield the entries that are called so, by the tiers down to the stem."""
        query = query.strip()
        folded, key = strict(query), loose(query)
        if thing := self.named(query):
            yield "id", self._first_entry(thing), Label(query, None, "id")
        for number in self._exact.get(query, ()):
            is_notation = self._entries[number][1].kind == "notation"
            yield "id" if is_notation else "exact", number, None
        yield from (("strict", number, None) for number in self._strict.get(folded, ()))
        yield from (("loose", number, None) for number in self._loose.get(key, ()))
        for kind, name in _without_kind_word(folded):
            for number in self._loose.get(loose(name), ()):
                if self._entries[number][0].kind == kind:
                    yield "loose", number, None
        for stem in stems.keys(query):
            yield from (("stem", number, None) for number in self._stems.get(stem, ()))

    def _first_entry(self, thing: Thing) -> int:
        return next(
            number for number in self._exact[thing.labels[0].value] if self._entries[number][0] is thing
        )

    def _add_prefixes(self, key: str, best: Best) -> None:
        for position in range(bisect_left(self._sorted, key), len(self._sorted)) if key else ():
            name = self._sorted[position]
            if not name.startswith(key):
                break
            score = _PREFIX_FLOOR + (TIERS["prefix"] - _PREFIX_FLOOR) * len(key) / len(name)
            for number in self._loose[name]:
                best.offer(*self._entries[number], "prefix", score)

    def _add_infixes(self, key: str, best: Best) -> None:
        if len(key) < _SHORTEST_INFIX and not _IDEOGRAPH.fullmatch(key):
            return
        place = self._joined.find(key)
        while place >= 0:
            position = bisect_left(self._starts, place + 1) - 1
            name, start = self._sorted[position], self._starts[position]
            for number in self._loose[name]:
                thing, label = self._entries[number]
                if not is_after_negation(label, name, place - start):
                    best.offer(thing, label, "infix")
            place = self._joined.find(key, start + len(name))

    def _add_fuzzy(self, key: str, best: Best) -> None:
        if _is_identifier(key):
            return
        near = process.extract(
            key, self._fuzzy, scorer=fuzz.ratio, score_cutoff=_FUZZY_CUTOFF, limit=10 * _MOST_FUZZY
        )
        taken = 0
        for name, ratio, _ in near:
            if taken >= _MOST_FUZZY:
                break
            for number in self._loose[name]:
                thing, label = self._entries[number]
                if best.wants(thing, label) and self._is_typeable(number) and not flips(key, label):
                    best.offer(thing, label, "fuzzy", min(ratio, TIERS["fuzzy"]), ratio)
                    taken += 1

    def _is_typeable(self, number: int) -> bool:
        """Tell whether a slip in typing this name leaves it recognisable: no identifier."""
        thing, label = self._entries[number]
        return not thing.is_identifier and label.kind != "notation" and not _is_identifier(loose(label.value))


def _grouped(keys: Iterable[str]) -> dict[str, list[int]]:
    """Return the numbers of the entries under each key; an empty key is none."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, key in enumerate(keys):
        if key:
            groups[key].append(number)
    return dict(groups)


def _starts(keys: list[str]) -> list[int]:
    starts, place = [], 0
    for key in keys:
        starts.append(place)
        place += len(key) + len(_SEPARATOR)
    return starts


def _is_identifier(key: str) -> bool:
    """Tell whether a loose key may be an identifier: near ones mean something else."""
    if any(character.isdigit() for character in key):
        return True
    return len(key) <= _LONGEST_IDENTIFIER and key.isascii()


def _without_kind_word(folded: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the rest of a strict fold that begins or ends with a kind's word."""
    for kind, pattern in _kind_patterns():
        if match := pattern.fullmatch(folded):
            yield kind, match[1] or match[2]


@cache
def _kind_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = []
    for language in words.all_words():
        for kind, kind_words in language.kind_words.items():
            for word in map(strict, kind_words):
                gap = r"[\s_-]" + ("+" if word.isascii() else "*")
                source = rf"{re.escape(word)}{gap}(.+)|(.+?){gap}{re.escape(word)}"
                found.append((kind, re.compile(source)))
    return tuple(found)
