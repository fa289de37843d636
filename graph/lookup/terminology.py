"""Check the terms of a page: one name for one thing, names as they are, nothing left untranslated."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from compute_atlas.graph.languages import fits
from compute_atlas.graph.lookup.annotation import Annotation, Annotator, Name, longest
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import Thing
from compute_atlas.graph.lookup.markup import masks
from compute_atlas.graph.lookup.preferred import SOURCE_LANGUAGE, kept_name, preferred_name
from compute_atlas.graph.lookup.resolve import is_ordinary
from compute_atlas.graph.lookup.textmap import BREAK, Offsets, fold_text
from compute_atlas.graph.lookup.wordings import Wordings
from rapidfuzz import fuzz, process

RULES = {
    "translated-name": ("warning", "A product's name is translated."),
    "untranslated": ("warning", "A term stands in English though the language has one."),
    "unknown-identifier": ("error", "A name of the form of a VM series or size is none."),
    "deprecated-term": ("error", "A garbled or outdated form of a term."),
    "inconsistent-term": ("warning", "One thing has two names on the page."),
}
_MOST_SUGGESTIONS = 3
_IDENTIFIER = re.compile(r"(?<![\w-])[A-Z][A-Za-z]*_?[0-9A-Za-z_]*\d\w*(?![\w-])", re.ASCII)
_HAS_VERSION = re.compile(r"_|v\d+\Z")
_FIRST_LETTERS = re.compile(r"[A-Z]+")


@dataclass(frozen=True)
class Finding:
    """What is wrong at a stretch of the page: start and end in code points, line and column from 1."""

    rule: str
    message: str
    id: str | None
    start: int
    end: int
    line: int
    column: int
    surface: str
    suggestions: tuple[str, ...]

    @property
    def severity(self) -> str:
        """`error` or `warning`."""
        return RULES[self.rule][0]


@dataclass(frozen=True)
class _Draft:
    rule: str
    start: int
    end: int
    thing: Thing | None
    message: str
    suggestions: tuple[str, ...]


def check(
    index: Index, text: str, lang: str, annotator: Callable[[str], Annotator], form: str
) -> list[Finding]:
    """Return the findings in order, at most one a stretch: the first of RULES that applies.

    `lang` is one of the index's languages, `annotator` gives the annotator of such a language, `form` is one
    of markup.FORMATS.
    """
    page = _Page(index, text, lang, annotator, form)
    rules = {
        "translated-name": page.translated_names,
        "untranslated": page.untranslated,
        "unknown-identifier": page.unknown_identifiers,
        "deprecated-term": page.deprecated_terms,
        "inconsistent-term": page.inconsistent_terms,
    }
    chosen: dict[tuple[int, int], _Draft] = {}
    for rule in RULES:
        for draft in rules[rule]():
            chosen.setdefault((draft.start, draft.end), draft)
    offsets = Offsets(text)
    return [_finding(chosen[span], text, offsets) for span in sorted(chosen)]


class _Page:
    def __init__(self, index: Index, text: str, lang: str, annotator: Callable[[str], Annotator], form: str):
        self._index, self._text, self._lang, self._form = index, text, lang, form
        self._wordings = Wordings(index, lang)
        self._found = annotator(lang).annotate(text, form, is_ordinary, overlaps=True)
        self._spans = longest(self._found)
        self._starts = [span.start for span in self._spans]
        self._english = (
            []
            if fits(SOURCE_LANGUAGE, lang)
            else annotator(SOURCE_LANGUAGE).annotate(text, form, is_ordinary)
        )

    def translated_names(self) -> Iterator[_Draft]:
        """A name that English and another language keep, in a form with other words."""
        for hit in self._spans:
            name = hit.names[0]
            kept = kept_name(name.thing, self._lang)
            preferred = preferred_name(name.thing, self._lang)
            if kept and preferred != kept and _words(kept) != _words(name.label.value):
                message = f'"{self._surface(hit)}" translates the name "{kept}"; names stay as they are'
                yield _Draft("translated-name", hit.start, hit.end, name.thing, message, (kept,))

    def untranslated(self) -> Iterator[_Draft]:
        """An English term where the language prefers another, unless it is a name or part of one."""
        for hit in self._english:
            name = hit.names[0]
            preferred = preferred_name(name.thing, self._lang)
            surface = self._surface(hit)
            if (
                preferred is None
                or kept_name(name.thing, self._lang)
                or fold_text(preferred).lower == fold_text(surface).lower
                or self._is_part_of_a_term(hit)
            ):
                continue
            own = {label.value for label in name.thing.labels if label.lang and fits(label.lang, self._lang)}
            english = preferred_name(name.thing, SOURCE_LANGUAGE)
            if name.label.lang and (name.label.value not in own or name.label.value == english):
                message = f'"{surface}" is left in English; the term is "{preferred}"'
                yield _Draft("untranslated", hit.start, hit.end, name.thing, message, (preferred,))

    def unknown_identifiers(self) -> Iterator[_Draft]:
        """A word that looks like the name of a series or size, and is none."""
        known = {
            label.value: thing
            for thing in self._index.things.values()
            if thing.is_identifier and thing.kind
            for label in thing.labels
        }
        families = {match[0] for name in known if (match := _FIRST_LETTERS.match(name))}
        named = {place for hit in self._spans for place in range(hit.start, hit.end)}
        text = _unmasked(self._text, self._form)
        for match in _IDENTIFIER.finditer(text):
            word, letters = match[0], _FIRST_LETTERS.match(match[0])
            if not letters or letters[0] not in families or not _HAS_VERSION.search(word):
                continue
            if word not in known and not named.issuperset(range(*match.span())):
                near = process.extract(word, list(known), scorer=fuzz.ratio, limit=_MOST_SUGGESTIONS)
                suggestions = tuple(name for name, _, _ in near)
                message = f'"{word}" is the name of no VM series or size that is known'
                yield _Draft("unknown-identifier", *match.span(), None, message, suggestions)

    def deprecated_terms(self) -> Iterator[_Draft]:
        """A form kept only to be found, or another name of a thing whose own name the page never uses."""
        notations = {name.thing.iri for hit in self._spans for name in hit.names if _is_canonical(name)}
        for hit in self._spans:
            name = hit.names[0]
            is_garbled = name.label.kind == "hiddenLabel" and name.label.lang is not None
            is_alias = name.label.kind == "altLabel" and name.thing.is_identifier
            if is_garbled or (is_alias and name.thing.iri not in notations):
                right = name.thing.shown([self._lang]).value
                message = f'"{self._surface(hit)}" is a wrong form of "{right}"'
                yield _Draft("deprecated-term", hit.start, hit.end, name.thing, message, (right,))

    def inconsistent_terms(self) -> Iterator[_Draft]:
        """The rarer of two wordings for one thing; of equally frequent ones the one not preferred."""
        for thing, hits in self._by_thing():
            counts = Counter(hit.names[0].label.value for hit in hits)
            if len(counts) < 2:
                continue
            main, rivals = self._wordings.rivals(counts, preferred_name(thing, self._lang))
            for hit in hits:
                if hit.names[0].label.value in rivals:
                    surface = self._surface(hit)
                    right = main.nearest(surface)
                    message = f'"{surface}" and "{right}" name the same thing; use one name throughout'
                    yield _Draft("inconsistent-term", hit.start, hit.end, thing, message, (right,))

    def _by_thing(self) -> Iterator[tuple[Thing, list[Annotation]]]:
        """Yield each thing with the places where it is named, none inside another name of the same thing."""
        found: dict[str, list[Annotation]] = defaultdict(list)
        for hit in self._found:
            if len(hit.names) == 1 and hit.names[0].label.kind != "hiddenLabel":
                known = found[hit.names[0].thing.iri]
                if not known or hit.end > known[-1].end:
                    known.append(hit)
        for hits in found.values():
            yield hits[0].names[0].thing, hits

    def _is_part_of_a_term(self, hit: Annotation) -> bool:
        """Tell whether a stretch lies in a longer one that names something in the page's language."""
        place = bisect_right(self._starts, hit.start) - 1
        if place < 0:
            return False
        span = self._spans[place]
        return hit.end <= span.end and (span.start, span.end) != (hit.start, hit.end)

    def _surface(self, hit: Annotation) -> str:
        return self._text[hit.start : hit.end]


def _words(text: str) -> Counter[str]:
    return Counter(fold_text(text).lower.split())


def _is_canonical(name: Name) -> bool:
    return name.label.kind in ("prefLabel", "label", "notation")


def _unmasked(text: str, form: str) -> str:
    """Return the text with what is no text blanked out, every position kept."""
    parts, place = [], 0
    for mask in masks(text, form):
        parts += [text[place : mask.start], BREAK * (mask.end - mask.start)]
        place = mask.end
    return "".join([*parts, text[place:]])


def _finding(draft: _Draft, text: str, offsets: Offsets) -> Finding:
    line, column = offsets.line_and_column(draft.start)
    return Finding(
        draft.rule,
        draft.message,
        draft.thing.id if draft.thing else None,
        draft.start,
        draft.end,
        line,
        column,
        text[draft.start : draft.end],
        draft.suggestions,
    )
