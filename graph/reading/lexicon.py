"""The words of a language that reading a page needs, beyond the names of things.

A lexicon is `ontology/lexicon/<language>.toml`; `und.toml` beside it holds what is the same in every
language (marks, product names, anchors, link targets), `statements.toml` what each kind of sentence states.
By its cues a sentence of each kind is recognised: see cues.py for their form.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from compute_atlas.graph import languages
from compute_atlas.graph.errors import AtlasError, UnknownLanguage, UnreadableFile
from compute_atlas.graph.reading import cues, names
from compute_atlas.graph.reading.cues import Cue
from compute_atlas.graph.reading.document import Heading, Link
from compute_atlas.graph.reading.names import Names, fold, normal
from compute_atlas.ontology import files
from compute_atlas.ontology.names import LANGUAGES

_COMMON = "und"
_OTHER_FILES = (_COMMON, "statements")
_SECTIONS = ("words", "headings", "names", "statements")
_FLOOR = re.compile(r"(?:CUDA\s*)?(\D{0,40}?)\s*(\d{1,3}\.\d{1,3})\s*(\D{0,40})", re.IGNORECASE)


class BadLexicon(AtlasError):
    """A lexicon file given by the user cannot be used."""

    def __init__(self, path: Path, reason: str):
        super().__init__(f"{path}: {reason}; see ontology/lexicon/ for the form, or make one with learn")


class Lexicon:
    """One language: its words, its names of things, its cues; `is_known` where there are any."""

    def __init__(self, language: str, words: dict[str, Any], *, is_known: bool = True):
        common = _common()
        self.language = language
        self.is_known = is_known
        self.title: dict[str, str] = words["title"]
        self._words = _joined(common["words"], words.get("words", {}))
        self._dates: list[str] = [*words.get("dates", ()), *common["dates"]]
        self._months: list[str] = words.get("months", [])
        self.cue_texts: dict[str, list[str]] = words.get("statements", {})
        self._headings = {
            fold(text): key for key, texts in words.get("headings", {}).items() for text in texts
        }
        self._anchors = {anchor: key for key, texts in common["anchors"].items() for anchor in texts}
        self._links: dict[str, str] = {key: thing for thing, keys in common["links"].items() for key in keys}
        self._pairs: dict[str, list[str]] = common["pairs"]
        self._families: list[str] = common["families"]
        self._extra_names = _joined(common["names"], words.get("names", {}))
        self._plural: str = words.get("plural", "")

    @cached_property
    def names(self) -> Names:
        """The names of things in this language."""
        return names.load(self.language, self._extra_names, self._plural, self._pairs)

    @cached_property
    def cues(self) -> dict[str, list[Cue]]:
        """The compiled cues of each statement."""
        return {name: [self.compile(cue) for cue in cues] for name, cues in self.cue_texts.items()}

    @cached_property
    def _folded(self) -> dict[str, frozenset[str]]:
        return {kind: frozenset(map(fold, words)) for kind, words in self._words.items()}

    def section(self, heading: str) -> str | None:
        """Return the section that a heading's text opens."""
        return self._headings.get(fold(heading))

    def opened(self, heading: Heading) -> str | None:
        """Return the section that a heading opens: by its English anchor, else by its text."""
        found = (self._anchors.get(anchor.casefold()) for anchor in heading.anchors)
        return next((section for section in found if section), None) or self.section(heading.text)

    def linked(self, links: Sequence[Link], kinds: Collection[str]) -> str | None:
        """Return the one thing of these kinds to which links lead, None if there is none or two."""
        found = {self._links[key] for link in links for key in link_keys(link.target) if key in self._links}
        found = {thing for thing in found if names.kind_of(thing) in kinds}
        return found.pop() if len(found) == 1 else None

    def linked_series(self, links: Sequence[Link]) -> set[str]:
        """Return the series that the pages to which links lead are about, the most precise of them."""
        for link in links:
            path, _, fragment = link.target.casefold().partition("#")
            for part in (fragment, path.rpartition("/")[2]):
                match = re.match(r"([a-z0-9_-]+?)-series", part)
                if match and (found := self._series_in(match[1])):
                    return found
        return set()

    def _series_in(self, slug: str) -> set[str]:
        """Return the series named by a page's slug such as `ddv4-ddsv4`."""
        parts = slug.split("-")
        joined = (
            "".join(parts[i:j]) for i in range(len(parts)) for j in range(len(parts), i, -1) if j - i <= 3
        )
        return {thing for key in joined if (thing := self.names.find(key, ["series"]))}

    def new_series(self, name: str) -> str | None:
        """Return the id of a series that no file knows yet, None where the name has not a series' form."""
        families = "|".join(map(re.escape, self._families))
        known = rf"(?:{families})S?[a-z]{{0,4}}"
        versioned = r"[A-Z]{1,4}[A-Za-z]{0,4}(?:_?[A-Z]+\d+)?_?v\d+"
        is_series = re.fullmatch(rf"(?:{known}|{versioned})(?: Promo)?", name)
        return f"series/{name.replace(' ', '_')}" if is_series else None

    def is_word(self, kind: str, text: str) -> bool:
        """Tell whether the whole text is a word of this kind ("yes", "no", "preview" …)."""
        return fold(text) in self._folded.get(kind, ())

    def has_word(self, kind: str, text: str) -> bool:
        """Tell whether a word of this kind stands somewhere in the text."""
        words = "|".join(cues.literal(normal(word)) for word in self._words.get(kind, ()))
        return bool(words) and re.search(words, normal(text), re.IGNORECASE) is not None

    def floor(self, text: str) -> tuple[str, bool] | None:
        """Return the version that a cell such as "9.0+" or "10.0 以降" names as the first supported.

        The second member tells whether that version is supported itself ("above 11.0": it is not).
        """
        match = _FLOOR.fullmatch(normal(text))
        if match is None:
            return None
        before, version, after = match[1], match[2], match[3]
        if any(self.is_word("above", word) for word in (before, after) if word):
            return version, False
        if (not before and self._is_floor(after)) or (not after and self._is_floor(before)):
            return version, True
        return None

    def _is_floor(self, word: str) -> bool:
        return bool(word) and self.is_word("floor", word)

    def date(self, text: str) -> str | None:
        """Return the first date in the text as YYYY-MM-DD, None where there is none or no such day."""
        for pattern in self._date_patterns:
            if match := pattern.search(text):
                month = match["month"]
                number = int(month) if month.isdigit() else self._month_keys.index(month.casefold()) + 1
                try:
                    return datetime.date(int(match["year"]), number, int(match["day"])).isoformat()
                except ValueError:
                    return None
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
        sources = ["".join(parts.get(piece, cues.gap(piece)) for piece in form) for form in pieces]
        return [re.compile(source, re.IGNORECASE) for source in sources]

    def compile(self, cue: str) -> Cue:
        """Return a cue ready to be looked for."""
        return cues.compile_cue(cue, self._placeholder)

    def _placeholder(self, kind: str) -> str:
        if kind == "number":
            return cues.NUMBER
        if kind == "date":
            return "|".join(re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern) for pattern in self._date_patterns)
        return self.names.alternatives(kind)


def available() -> list[str]:
    """Return the languages that have a lexicon."""
    return sorted(path.stem for path in files.LEXICONS.glob("*.toml") if path.stem not in _OTHER_FILES)


def load(language: str, extra: Path | None = None) -> Lexicon:
    """Return the lexicon of a language; `extra` is a file with more of its words.

    A language without a lexicon gets one that knows only what is the same in all of them. Raises
    UnknownLanguage where the tag is no language, BadLexicon.
    """
    known = available()
    more = _read_extra(extra) if extra else {}
    tag = language.lower()
    found = next((name for name in languages.truncations(tag) if name in known), None)
    if found is None and not _is_language(tag):
        raise UnknownLanguage(language, known)
    if found is None:
        words = {"title": dict.fromkeys(LANGUAGES, tag)} | more
        return _checked(Lexicon(tag, words, is_known=bool(more)), extra)
    words = _table(f"{found}.toml")
    for section in _SECTIONS:
        words[section] = _joined(words.get(section, {}), more.get(section, {}))
    words["dates"] = [*words.get("dates", ()), *more.get("dates", ())]
    return _checked(Lexicon(found, words), extra)


def title(language: str) -> dict[str, str]:
    """Return the name of a language in each of the atlas' languages, its tag where it has no lexicon."""
    if language in available():
        found: dict[str, str] = _table(f"{language}.toml")["title"]
        return found
    return dict.fromkeys(LANGUAGES, language)


def _read_extra(path: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableFile(
            str(path), f"it cannot be read ({error.strerror})", "name a lexicon file"
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadLexicon(path, f"it is no TOML file ({error})") from error
    for section in _SECTIONS:
        table = content.get(section, {})
        values = table.values() if isinstance(table, dict) else [None]
        if not all(_is_texts(texts) for texts in values):
            raise BadLexicon(path, f"[{section}] has to map each name to a list of texts")
    return content


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _checked(lexicon: Lexicon, extra: Path | None) -> Lexicon:
    """Compile the cues of a file given by the user now, so that a bad one is an error that names the file."""
    if extra is not None:
        try:
            _ = lexicon.cues
        except re.error as error:
            raise BadLexicon(extra, f"a cue cannot be used ({error})") from error
    return lexicon


def _is_language(tag: str) -> bool:
    return languages.checked(tag) != languages.ANY and tag.partition("-")[0] in _common()["languages"].split()


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((files.LEXICONS / name).read_text(encoding="utf-8"))


def _common() -> dict[str, Any]:
    return _table(f"{_COMMON}.toml")


def _joined(first: dict[str, list[str]], second: dict[str, list[str]]) -> dict[str, list[str]]:
    return {key: [*first.get(key, ()), *second.get(key, ())] for key in first | second}


def link_keys(target: str) -> list[str]:
    """Return the keys of a link's target, the most precise first: page and fragment, either, the folders."""
    path, _, fragment = target.casefold().partition("#")
    folders = filter(None, path.partition("?")[0].split("/"))
    parts = [re.sub(r"\.(?:md|yml|html|json)$", "", folder) for folder in folders]
    page = parts[-1] if parts else ""
    precise = [f"{page}#{fragment}", f"#{fragment}"] if fragment else []
    return [*precise, *reversed(parts)]
