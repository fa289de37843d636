"""The words of a language that reading a page needs, beyond the names of things.

A lexicon is `ontology/lexicon/<language>.toml`; `statements.toml` beside it says, for all languages, what
each kind of sentence states. A *cue* is how a sentence of that kind is recognised: words in order, with
`…` for anything between them and placeholders:

* `{target}`: one name of that kind (any kind of thing); `{other:target}` the same under another name
* `{target*}`: a stretch of text with one or more names of that kind
* `{number}`, `{min:number}`: a number; `{date}`: a date in the language's form
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from compute_atlas.graph.errors import UnknownLanguage
from compute_atlas.graph.reading import names
from compute_atlas.graph.reading.names import Names, fold, normal
from compute_atlas.ontology import files

_PLACEHOLDER = re.compile(r"\{(?:(\w+):)?(\w+)(\*?)\}")
_NUMBER = r"\d+(?:[.,]\d+)?"


@dataclass(frozen=True)
class Statement:
    """What a kind of sentence states: `claims` by itself, `items` by each item of the list it leads.

    `scope` is `row` for the free text of a table's row (whose subject is `{row}`), `cell` for a cell that
    lists uses, else `page`. `unless` names a statement that says the same more precisely.
    """

    name: str
    claims: tuple[dict[str, Any], ...] = ()
    items: tuple[dict[str, Any], ...] = ()
    scope: str = "page"
    unless: str | None = None


@dataclass(frozen=True)
class Capture:
    """What a placeholder of a cue stands for."""

    group: str
    kind: str
    is_list: bool


@dataclass(frozen=True)
class Cue:
    """A compiled cue."""

    pattern: re.Pattern[str]
    captures: dict[str, Capture]


class Lexicon:
    """One language: its words, its names of things, its cues."""

    def __init__(self, language: str, words: dict[str, Any]):
        self.language = language
        self.title: dict[str, str] = words["title"]
        self._words: dict[str, list[str]] = words.get("words", {})
        self._dates: list[str] = words.get("dates", [])
        self._months: list[str] = words.get("months", [])
        self._cues: dict[str, list[str]] = words.get("statements", {})
        self._headings = {
            fold(text): key for key, texts in words.get("headings", {}).items() for text in texts
        }
        self._extra_names: dict[str, list[str]] = words.get("names", {})
        self._plural: str = words.get("plural", "")

    @cached_property
    def names(self) -> Names:
        """The names of things in this language."""
        return names.load(self.language, self._extra_names, self._plural)

    @cached_property
    def cues(self) -> dict[str, list[Cue]]:
        """The compiled cues of each statement."""
        return {name: [self._compile(cue) for cue in cues] for name, cues in self._cues.items()}

    def section(self, heading: str) -> str | None:
        """Return the section that a heading opens."""
        return self._headings.get(fold(heading))

    def is_word(self, kind: str, text: str) -> bool:
        """Tell whether the whole text is a word of this kind ("yes", "no", "preview" …)."""
        return fold(text) in {fold(word) for word in self._words.get(kind, ())}

    def has_word(self, kind: str, text: str) -> bool:
        """Tell whether a word of this kind stands somewhere in the text."""
        words = "|".join(_literal(normal(word)) for word in self._words.get(kind, ()))
        return bool(words) and re.search(words, normal(text), re.IGNORECASE) is not None

    def floor(self, text: str) -> str | None:
        """Return the version that a cell such as "9.0+" or "10.0 以降" names as the first supported."""
        marks = "|".join(re.escape(normal(word)) for word in self._words.get("floor", ()))
        match = re.fullmatch(rf"(?:CUDA\s*)?(\d+\.\d+)\s*(?:{marks})", normal(text), re.IGNORECASE)
        return match[1] if match else None

    def date(self, text: str) -> str | None:
        """Return the first date in the text as YYYY-MM-DD."""
        for pattern in self._date_patterns:
            if match := pattern.search(text):
                month = match["month"]
                number = int(month) if month.isdigit() else self._month_keys.index(month.casefold()) + 1
                return f"{int(match['year']):04}-{number:02}-{int(match['day']):02}"
        return None

    @cached_property
    def _month_keys(self) -> list[str]:
        return [month.casefold() for month in self._months]

    @cached_property
    def _date_patterns(self) -> list[re.Pattern[str]]:
        parts = {
            "day": r"(?P<day>\d{1,2})",
            "year": r"(?P<year>\d{4})",
            "month": "(?P<month>" + ("|".join(self._months) or r"\d{1,2}") + ")",
        }
        pieces = [re.split(r"\{(\w+)\}", form) for form in self._dates]
        sources = ["".join(parts.get(piece, _gap(piece)) for piece in form) for form in pieces]
        return [re.compile(source, re.IGNORECASE) for source in sources]

    def _compile(self, cue: str) -> Cue:
        captures: dict[str, Capture] = {}
        source, position = "", 0
        for match in _PLACEHOLDER.finditer(cue):
            source += _words_pattern(cue[position : match.start()])
            name, kind, is_list = match[1] or match[2], match[2], bool(match[3])
            group = f"{name}_{len(captures)}"
            at_end = not cue[match.end() :].strip()
            captures[name] = Capture(group, kind, is_list)
            source += f"(?P<{group}>{self._placeholder(kind, is_list, at_end)})"
            position = match.end()
        source += _words_pattern(cue[position:])
        return Cue(re.compile(source, re.IGNORECASE), captures)

    def _placeholder(self, kind: str, is_list: bool, at_end: bool) -> str:
        if is_list:
            return ".+" if at_end else ".+?"
        if kind == "number":
            return _NUMBER
        if kind == "date":
            return "|".join(re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern) for pattern in self._date_patterns)
        return self.names.alternatives(kind)


def available() -> list[str]:
    """Return the languages that have a lexicon."""
    return sorted(path.stem for path in files.LEXICONS.glob("*.toml") if path.stem != "statements")


def load(language: str) -> Lexicon:
    """Return the lexicon of a language. Raises UnknownLanguage."""
    languages = available()
    if language not in languages:
        raise UnknownLanguage(language, languages)
    return Lexicon(language, tomllib.loads((files.LEXICONS / f"{language}.toml").read_text(encoding="utf-8")))


def statements() -> list[Statement]:
    """Return what the kinds of sentences state, in the file's order."""
    table = tomllib.loads((files.LEXICONS / "statements.toml").read_text(encoding="utf-8"))
    return [_statement(name, entry) for name, entry in table.items()]


def _statement(name: str, entry: dict[str, Any]) -> Statement:
    lists = {part: tuple(entry.get(part, ())) for part in ("claims", "items")}
    return Statement(name, scope=entry.get("scope", "page"), unless=entry.get("unless"), **lists)


def _words_pattern(text: str) -> str:
    """Return the regular expression of a cue's words, `…` for anything."""
    pieces = [_literal(normal(piece)) if piece.strip() else "" for piece in text.split("…")]
    source = ".*?".join(pieces)
    return rf"\s*{source}\s*" if source else r"\s*"


def _literal(text: str) -> str:
    body = _gap(text)
    before = r"(?<![^\W\d_])" if _is_latin(text[:1]) else ""
    return f"{before}{body}"


def _gap(text: str) -> str:
    return r"\s*".join(re.escape(word) for word in re.split(r"\s+", text))


def _is_latin(characters: Collection[str]) -> bool:
    return any(character.isascii() and character.isalnum() for character in characters)
