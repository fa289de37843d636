"""The words of each language that looking up and checking terms needs, from ontology/lexicon/."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from compute_atlas.ontology import files

# Where the script changes, a word of a Japanese compound may begin.
WORD = re.compile(
    r"[\u30a1-\u30fa\u30fc]+|[\u3041-\u3096]+|[\u3400-\u9fff]+|[^\W\u3041-\u30ff\u3400-\u9fff]+"
)


@dataclass(frozen=True)
class Words:
    """One language's words: the section `[lookup]` of its lexicon.

    `elided` are articles that end in an apostrophe, without it. `negations` turn a term into its opposite
    when they stand before a word or as its first part. `kind_words` stand beside names of a kind, by kind.
    `particles` carry no meaning of their own. `ambiguous` lists the labels that several things may share.
    """

    language: str
    stemmer: str | None = None
    elided: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    particles: frozenset[str] = frozenset()
    kind_words: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ambiguous: dict[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def all_words() -> tuple[Words, ...]:
    """Return the words of every language that has a `[lookup]` section, sorted by language."""
    found = []
    for path in sorted(files.LEXICONS.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        if "lookup" in content:
            found.append(_words(path.stem, content["lookup"]))
    return tuple(found)


def of_language(tag: str | None) -> Words:
    """Return the words of a tag's language, empty ones where there are none."""
    primary = _primary(tag or "")
    return next((words for words in all_words() if _primary(words.language) == primary), Words(primary))


@cache
def elision() -> re.Pattern[str]:
    """Return what matches an elided article, with its apostrophe, in a strict fold."""
    articles = sorted({article for words in all_words() for article in words.elided}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, articles))})'(?=\w)" if articles else "(?!)")


def _primary(tag: str) -> str:
    return tag.partition("-")[0].lower()


def _words(language: str, section: dict[str, Any]) -> Words:
    return Words(
        language,
        stemmer=section.get("stemmer"),
        elided=tuple(section.get("elided", ())),
        negations=tuple(section.get("negations", ())),
        particles=frozenset(section.get("particles", ())),
        kind_words=_lists(section.get("kind_words", {})),
        ambiguous=_lists(section.get("ambiguous", {})),
    )


def _lists(table: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(values) for key, values in table.items()}
