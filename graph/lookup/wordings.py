"""Tell names that differ only in form (plural, a word left out) from names made of other words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from compute_atlas.graph.languages import fits
from compute_atlas.graph.lookup import words
from compute_atlas.graph.lookup.folding import strict
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.stems import stem
from rapidfuzz import fuzz

_IN_BRACKETS = re.compile(r"(.+?)\s*[(（](.+?)[)）]\Z")
# Longer ones are sentences, which are worded freely.
_LONGEST_TERM = 5

Words = tuple[str, ...]


@dataclass(frozen=True)
class Wording:
    """Names that are forms of one another, and how often they stand on the page."""

    values: frozenset[str]
    count: int

    def nearest(self, text: str) -> str:
        """Return the name that is most like a text."""
        return max(sorted(self.values), key=lambda value: fuzz.ratio(value.lower(), text.lower()))


class Wordings:
    """Compares names in one language, knowing the terms that may be left out of a longer name."""

    def __init__(self, index: Index, lang: str):
        self._lang = lang
        self._terms = {
            content_words(label.value, lang)
            for thing in index.things.values()
            for label in thing.labels
            if label.lang and fits(label.lang, lang)
        }

    def rivals(self, names: Mapping[str, int], preferred: str | None) -> tuple[Wording, set[str]]:
        """Return the main wording of a thing's names on a page, and the names that say it in other words.

        `names` says how often each occurs. The main wording is the most frequent, then the preferred one.
        A preferred label such as "virtual machine (VM)" says that both its parts are one wording.
        """
        bridge = {preferred} if preferred and _IN_BRACKETS.match(preferred) else set()
        parts: list[set[str]] = []
        for name in sorted(names.keys() | bridge):
            near = [part for part in parts if any(self._is_same(name, other) for other in part)]
            parts = [part for part in parts if part not in near] + [{name}.union(*near)]
        wordings = [Wording(frozenset(part), sum(names.get(name, 0) for name in part)) for part in parts]
        main, *others = sorted(
            wordings,
            key=lambda wording: (-wording.count, preferred not in wording.values, min(wording.values)),
        )
        rest = {name for wording in others for name in wording.values}
        return main, {name for name in rest if any(self._is_rival(name, other) for other in main.values)}

    def _is_same(self, left: str, right: str) -> bool:
        pairs = [(one, other) for one in self._forms(left) for other in self._forms(right)]
        return any(self._is_short_for(one, other) or self._is_short_for(other, one) for one, other in pairs)

    def _is_rival(self, left: str, right: str) -> bool:
        """Tell whether two names are alike enough to be two wordings of one term."""
        one, other = content_words(left, self._lang), content_words(right, self._lang)
        if max(len(one), len(other)) > _LONGEST_TERM:
            return False
        shared = sum((Counter(one) & Counter(other)).values())
        return 2 * shared >= min(len(one), len(other)) or len(one) == len(other) == 1

    def _forms(self, name: str) -> list[Words]:
        match = _IN_BRACKETS.match(name)
        return [content_words(form, self._lang) for form in ([name, match[1], match[2]] if match else [name])]

    def _is_short_for(self, shorter: Words, longer: Words) -> bool:
        """Tell whether a name is the other one, or a stretch of it, or leaves out a whole term inside it."""
        missing = len(longer) - len(shorter)
        if not shorter or missing < 0:
            return False
        if any(longer[start : start + len(shorter)] == shorter for start in range(missing + 1)):
            return True
        return any(
            longer[:start] + longer[start + missing :] == shorter
            and longer[start : start + missing] in self._terms
            for start in range(1, len(shorter))
        )


@cache
def content_words(text: str, lang: str) -> Words:
    """Return the words of a name that carry meaning, as stems where the language is stemmed."""
    language = words.of_language(lang)
    plain = words.elision().sub("", strict(text))
    found: Iterable[str] = (word for word in words.WORD.findall(plain) if word not in language.particles)
    return tuple(stem(word, language.stemmer) for word in found) if language.stemmer else tuple(found)
