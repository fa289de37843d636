"""Keys under which singular and plural are one: the stems of a name's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

import snowballstemmer
from compute_atlas.graph.lookup import words
from compute_atlas.graph.lookup.folding import strict

_WORD = re.compile(r"[^\W_]+")
_LATIN = re.compile("[a-z\u00df-\u024f]+")
_MOST_WORDS = 12


def key(text: str, lang: str | None) -> str:
    """Return the stems of a name in a language that is stemmed, else the empty text."""
    algorithm = words.of_language(lang).stemmer
    return _key(text, algorithm) if algorithm else ""


def keys(text: str) -> Iterator[str]:
    """Yield the keys that a text has in any language that is stemmed."""
    for algorithm in sorted({language.stemmer for language in words.all_words() if language.stemmer}):
        found = _key(text, algorithm)
        if found:
            yield found


@lru_cache(maxsize=8192)
def stem(word: str, algorithm: str) -> str:
    """Return the stem of a word in lower case, by Snowball's algorithm for a language."""
    return str(_stemmer(algorithm).stemWord(word))


def _key(text: str, algorithm: str) -> str:
    found = _WORD.findall(words.elision().sub("", strict(text)))
    if not 0 < len(found) <= _MOST_WORDS or not all(map(_LATIN.fullmatch, found)):
        return ""
    return f"{algorithm}:{' '.join(stem(word, algorithm) for word in found)}"


@cache
def _stemmer(algorithm: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(algorithm)
