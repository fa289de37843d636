"""Find the names of things in a text: which stretch of it names what."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import ahocorasick
from compute_atlas.graph.languages import fits
from compute_atlas.graph.lookup import words
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import KINDS, Filter, Label, Thing
from compute_atlas.graph.lookup.markup import masks
from compute_atlas.graph.lookup.surroundings import Surroundings
from compute_atlas.graph.lookup.textmap import BAR, BREAK, CJK, FoldedText, fold_text

_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]")
_HIRAGANA = re.compile("[\u3041-\u3096]")
# Nothing may cross these, so no name that holds them is searched for.
_INNER_END = re.compile(r"[\n|]|[.!?] |。(?!$)")
_QUOTE = re.compile('["“”]')
_EMPHASIS = " *_"
_NEARBY = 60
_SEPARATORS = re.compile(r"[\s_-]+")


@dataclass(frozen=True, slots=True)
class Name:
    """A name to be found: whose it is, and how it must be written (None: in any case)."""

    thing: Thing
    label: Label
    exact: str | None

    @property
    def order(self) -> tuple[int, str]:
        """Which of several things with the same name comes first: by kind of label, then IRI."""
        return KINDS.index(self.label.kind), self.thing.iri


@dataclass(frozen=True, slots=True)
class Annotation:
    """A stretch of the text, end exclusive, in code points, and the names found there, the best first."""

    start: int
    end: int
    names: tuple[Name, ...]


class Annotator:
    """The names of one language, ready to be found in any text. Made once, never changed."""

    def __init__(self, index: Index, lang: str):
        """Take the labels of a language (`*`: of all) and those without one."""
        self._automaton = ahocorasick.Automaton()
        patterns: dict[str, list[Name]] = defaultdict(list)
        for thing in index.things.values():
            for label in thing.labels:
                if label.lang is None or fits(label.lang, lang):
                    name = fold_text(label.value)
                    if name.text.strip() and not _INNER_END.search(name.text):
                        exact = name.text if _is_proper(thing, label) else None
                        patterns[name.lower].append(Name(thing, label, exact))
        for pattern, names in patterns.items():
            self._automaton.add_word(
                pattern, (len(pattern), tuple(sorted(names, key=lambda name: name.order)))
            )
        self._automaton.make_automaton()

    def annotate(
        self, source: str, form: str, accepts: Filter, *, overlaps: bool = False
    ) -> list[Annotation]:
        """Return what is named where, sorted; leftmost and longest names only unless overlaps are wanted.

        `form` is one of markup.FORMATS. Raises InvalidValue for another.
        """
        hidden = masks(source, form)
        folded, around = fold_text(source, hidden), Surroundings(source, form, hidden)
        found = sorted(self._hits(source, folded, around, accepts), key=lambda hit: (hit.start, -hit.end))
        return found if overlaps else longest(found)

    def _hits(
        self, source: str, folded: FoldedText, around: Surroundings, accepts: Filter
    ) -> Iterator[Annotation]:
        if not len(self._automaton):
            return
        for last, (length, names) in self._automaton.iter(folded.lower):
            first = last - length + 1
            start, end = folded.starts[first], folded.ends[last]
            if not (_is_edge(around, folded, first, -1) and _is_edge(around, folded, last, 1)):
                continue
            written = folded.text[first : last + 1]
            fitting = [name for name in names if name.exact in (None, written) and accepts(name.thing)]
            if length == 1:
                kinds = {name.thing.kind for name in fitting}
                meant = {kind for kind in kinds if _stands_out(kind, folded, first)}
                fitting = [name for name in fitting if name.thing.kind in meant]
            if fitting and not _is_inside_hiragana(written, around, start, end):
                yield Annotation(*_with_quotes(source, start, end), _once_each(fitting))


def longest(found: Iterable[Annotation]) -> list[Annotation]:
    """Return those of sorted annotations that overlap no earlier or longer one."""
    chosen: list[Annotation] = []
    for hit in found:
        if not chosen or hit.start >= chosen[-1].end:
            chosen.append(hit)
    return chosen


def _with_quotes(source: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch with the other mark of a pair of quotation marks that it has one of."""
    if len(_QUOTE.findall(source, start, end)) % 2 == 0:
        return start, end
    if _QUOTE.match(source, end):
        return start, end + 1
    return (start - 1, end) if start and _QUOTE.match(source, start - 1) else (start, end)


def _once_each(names: Iterable[Name]) -> tuple[Name, ...]:
    by_thing: dict[str, Name] = {}
    for name in names:
        by_thing.setdefault(name.thing.iri, name)
    return tuple(by_thing.values())


def _is_proper(thing: Thing, label: Label) -> bool:
    """Tell whether a label is a name, whose case counts: identifiers, acronyms, what all languages keep."""
    value = label.value
    if thing.is_identifier or label.kind == "notation":
        return True
    plain = _SEPARATORS.sub("", value)
    if thing.notation and plain == _SEPARATORS.sub("", thing.notation):
        return True
    if " " not in value and (any(map(str.isdigit, value)) or sum(map(str.isupper, value)) > 1):
        return True
    languages = {other.lang for other in thing.labels if other.value == value and other.lang}
    return len(languages) > 1 and value[0].isupper()


def _is_edge(around: Surroundings, folded: FoldedText, place: int, step: int) -> bool:
    """Tell whether a name may end at a character of the folded text, going left (-1) or right (1)."""
    edge = folded.text[place]
    if folded.starts[place] in folded.starts[max(0, place + step) : place + step + 1]:
        return False  # inside of what is one character in the source, such as a letter with its accent
    neighbours = around.beside(folded.starts[place] - 1 if step < 0 else folded.ends[place], step)
    neighbour = next(neighbours, " ")
    if step > 0 and unicodedata.category(neighbour).startswith("M"):
        return False
    if _KATAKANA.match(edge):
        return not _KATAKANA.match(neighbour)
    if not _is_word_character(edge):
        return True
    if neighbour in (".", ",") and edge.isdigit():
        return not next(neighbours, " ").isdigit()
    return not _is_word_character(neighbour)


def _is_word_character(character: str) -> bool:
    return character.isalnum() and not CJK.match(character)


def _is_inside_hiragana(written: str, around: Surroundings, start: int, end: int) -> bool:
    """Tell whether a word of hiragana only stands amid hiragana, where it is part of other words."""
    if not all(map(_HIRAGANA.match, written)):
        return False
    neighbours = (next(around.beside(place, step), " ") for place, step in ((start - 1, -1), (end, 1)))
    return any(map(_HIRAGANA.match, neighbours))


def _stands_out(kind: str, folded: FoldedText, place: int) -> bool:
    """Tell whether a name of one letter is meant: alone in a table's cell, or beside its kind's word."""
    # A look at the whole line would take too long on a page that is one line of such letters.
    before = folded.lower[max(0, place - _NEARBY) : place].rpartition(BREAK)[2]
    after = folded.lower[place + 1 : place + 1 + _NEARBY].partition(BREAK)[0]
    left, right = before.rstrip(_EMPHASIS), after.lstrip(_EMPHASIS)
    is_first = not left and len(before) < _NEARBY
    is_last = not right and len(after) < _NEARBY
    if (left.endswith(BAR) and (right.startswith(BAR) or is_last)) or (is_first and right.startswith(BAR)):
        return True
    in_front, behind = _kind_words(kind)
    return bool(in_front.search(before) or behind.match(after))


@lru_cache(maxsize=64)
def _kind_words(kind: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what matches a kind's word at the end of what is in front of a name, and behind it."""
    found = {
        fold_text(word).lower for language in words.all_words() for word in language.kind_words.get(kind, ())
    }
    latin = "|".join(re.escape(word) for word in sorted(found) if word.isascii()) or "(?!)"
    other = "|".join(re.escape(word) for word in sorted(found) if not word.isascii()) or "(?!)"
    in_front = rf"(?:\b(?:{latin})[\s_-]+|(?:{other})[\s_-]*)\Z"
    return re.compile(in_front), re.compile(rf"[\s_-]+(?:{latin})\b|[\s_-]*(?:{other})")
