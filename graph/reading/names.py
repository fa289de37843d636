"""Find the graph's things in a text by the names they have in one language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from compute_atlas.graph.files import read_graph
from compute_atlas.ontology import files
from compute_atlas.ontology.names import SKOS, identifier

_QUOTES = re.compile(r"[\"“”„«»]")
_APOSTROPHES = re.compile(r"[’‘ʼ＇]")
_ZERO_WIDTH = re.compile("[\u200b\u200c\u200d\u2060\ufeff\u00ad]")
_EDGE_MARKS = " .。:：;,、"
_LABELS = tuple(f"{SKOS}{name}" for name in ("prefLabel", "altLabel", "hiddenLabel"))
_NOTATION = f"{SKOS}notation"
# Names of these kinds are identifiers: their case counts ("M" is a series, "m" is not).
_IDENTIFIERS = ("series", "size")


@dataclass(frozen=True)
class Mention:
    """A thing's name in a text, end exclusive."""

    id: str
    start: int
    end: int


def normal(text: str) -> str:
    """Return the text as names and cues are matched in it: width, quotes and blanks made uniform."""
    text = unicodedata.normalize("NFKC", _ZERO_WIDTH.sub("", _APOSTROPHES.sub("'", text)))
    return re.sub(r"\s+", " ", _QUOTES.sub("", text)).strip()


def fold(text: str) -> str:
    """Return the key under which a whole name is found: no case, no blanks, no marks at its ends."""
    return re.sub(r"[\s_-]+", "", normal(text).strip(_EDGE_MARKS)).casefold()


class Names:
    """The names of things in one language, each with the one thing or the several that bear it."""

    def __init__(self, names: Iterable[tuple[str, str]], preferred: dict[str, str]):
        self._by_key: dict[str, set[str]] = {}
        self._forms: dict[str, set[str]] = {}
        self._preferred = preferred
        for form, thing in names:
            self._by_key.setdefault(fold(form), set()).add(thing)
            self._forms.setdefault(normal(form), set()).add(thing)
        self._scanner = _scanner(self._forms)

    def find(self, text: str, kinds: Collection[str]) -> str | None:
        """Return the one thing of these kinds that the whole text names, None if there is none or two."""
        found = {thing for thing in self._by_key.get(fold(text), ()) if kind_of(thing) in kinds}
        return found.pop() if len(found) == 1 else None

    def mentions(self, text: str, kinds: Collection[str]) -> list[Mention]:
        """Return where a normal text names things of these kinds, longest names first, none inside another."""
        found = []
        for match in self._scanner.finditer(text):
            things = self._by_key.get(fold(match[0]), set())
            things = {
                thing for thing in things if kind_of(thing) in kinds and self._case_fits(match[0], thing)
            }
            found += [Mention(thing, match.start(), match.end()) for thing in sorted(things)]
        return found

    def alternatives(self, kind: str) -> str:
        """Return a regular expression's source for any name of this kind."""
        forms = (form for form, things in self._forms.items() if kind in {kind_of(thing) for thing in things})
        return "|".join(_form_pattern(form) for form in sorted(forms, key=lambda form: (-len(form), form)))

    def is_preferred(self, text: str, thing: str) -> bool:
        """Tell whether a name as written is the thing's own in this language."""
        return thing in self._preferred and fold(text) == fold(self._preferred[thing])

    def _case_fits(self, text: str, thing: str) -> bool:
        if kind_of(thing) not in _IDENTIFIERS:
            return True
        blank = re.sub(r"[\s_]+", " ", text)
        return any(
            re.sub(r"[\s_]+", " ", form) == blank for form, things in self._forms.items() if thing in things
        )


def kind_of(thing: str) -> str:
    """Return the kind of an id: `series` of `series/NCv3`; `class` or `property` of `ontology#Name`."""
    kind, _, name = thing.partition("#")
    if not name:
        return kind.partition("/")[0]
    return "class" if name[0].isupper() else "property"


def load(language: str, extra: dict[str, list[str]], plural: str = "") -> Names:
    """Return the names that the label files give things in a language, and the lexicon's extra forms.

    `plural` is an ending that makes the plural of most names, in a language that has one ("s").
    """
    names: list[tuple[str, str]] = []
    preferred: dict[str, str] = {}
    for quad in (
        quad for path in (files.ONTOLOGY, files.THINGS, *files.labels()) for quad in read_graph(path)
    ):
        thing = identifier(getattr(quad.subject, "value", ""))
        predicate = quad.predicate.value
        if thing is None:
            continue
        if predicate == _NOTATION or (predicate in _LABELS and quad.object.language == language):  # type: ignore[union-attr]
            names.append((quad.object.value, thing))  # type: ignore[union-attr]
            if predicate == _LABELS[0]:
                preferred[thing] = quad.object.value  # type: ignore[union-attr]
    names += [(form, thing) for thing, forms in extra.items() for form in forms]
    if plural:
        names += [(form + plural, thing) for form, thing in names if form[-1:].islower()]
    return Names(names, preferred)


def _scanner(forms: Collection[str]) -> re.Pattern[str]:
    ordered = sorted((form for form in forms if form), key=lambda form: (-len(form), form))
    return re.compile("|".join(_form_pattern(form) for form in ordered) or r"(?!)", re.IGNORECASE)


def _form_pattern(form: str) -> str:
    """Match a name with any blanks between its words, not inside a longer Latin word or katakana run."""
    body = r"[\s_]*".join(re.escape(word) for word in re.split(r"[\s_]+", form))
    return f"{_boundary(form[0], '<')}{body}{_boundary(form[-1], '')}"


def _boundary(edge: str, side: str) -> str:
    if edge.isascii() and edge.isalnum():
        return rf"(?{side}![0-9A-Za-z_])"
    if "LATIN" in unicodedata.name(edge, ""):
        return rf"(?{side}!\w)"
    if "\u30a0" <= edge <= "\u30ff":
        return rf"(?{side}![\u30a1-\u30fa\u30fc])"
    return ""
