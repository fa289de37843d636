"""Labels written as people write them are found again, and never taken for another thing's."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pytest
from compute_atlas.graph.build import embedded
from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.lookup.folding import loose
from compute_atlas.graph.lookup.hits import Found
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import Label, Thing, read_things
from compute_atlas.graph.lookup.spoken import spoken_languages
from compute_atlas.graph.lookup.usertext import checked_query
from hypothesis import given, settings
from hypothesis import strategies as st

SEED = 20240101
LATIN = "abcdefghijklmnopqrstuvwxyz"
KATAKANA = "アイウカキクサシスタチツナニヌハヒフマミムラリルン"
HALF_WIDTH = {unicodedata.normalize("NFKC", chr(code)): chr(code) for code in range(0xFF61, 0xFFA0)}


@dataclass(frozen=True)
class Case:
    """One label of a thing."""

    thing: Thing
    label: Label


def accepts(thing: Thing) -> bool:
    return not thing.is_apart


@cache
def index() -> Index:
    return Index(read_things(embedded()))


@cache
def cases() -> list[Case]:
    return [
        Case(thing, label) for thing in index().things.values() if accepts(thing) for label in thing.labels
    ]


def search(text: str, case: Case) -> Found:
    languages = spoken_languages(index().languages, case.label.lang)
    return index().search(text, languages, accepts)


def full_width(text: str, _: random.Random) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" if c == " " else c for c in text)


def half_width(text: str, _: random.Random) -> str:
    # Only kana have a half-width form in which a voiced mark is a character of its own.
    parts = (unicodedata.normalize("NFD", c) if "\u30a0" <= c <= "\u30ff" else c for c in text)
    return "".join(HALF_WIDTH.get(c, c) for c in "".join(parts).replace("\u3099", "ﾞ").replace("\u309a", "ﾟ"))


def decomposed(text: str, _: random.Random) -> str:
    return unicodedata.normalize("NFD", text)


def odd_blanks(text: str, chance: random.Random) -> str:
    return "  ".join(re.split(" ", text)).replace(" ", chance.choice(["\u00a0", "\u3000", " "]))


def no_blanks(text: str, _: random.Random) -> str:
    return text.replace(" ", "")


def upper_case(text: str, _: random.Random) -> str:
    return text.upper()


def lower_case(text: str, _: random.Random) -> str:
    return text.lower()


def no_long_vowels(text: str, _: random.Random) -> str:
    return text.replace("ー", "")


def no_accents(text: str, _: random.Random) -> str:
    return "".join(unicodedata.normalize("NFD", c)[0] if "\u00c0" <= c <= "\u024f" else c for c in text)


def one_typo(text: str, chance: random.Random) -> str:
    """Leave a letter out, double one, change one, or swap two."""
    places = [i for i, c in enumerate(text) if c.isalpha()]
    place = chance.choice(places)
    letter = chance.choice(KATAKANA if "\u3041" <= text[place] <= "\u9fff" else LATIN)
    kind = chance.randrange(4)
    if kind == 0:
        return text[:place] + text[place + 1 :]
    if kind == 1:
        return text[:place] + text[place] + text[place:]
    if kind == 2 or place + 1 == len(text):
        return text[:place] + letter + text[place + 1 :]
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def two_typos(text: str, chance: random.Random) -> str:
    return one_typo(one_typo(text, chance), chance)


def prefix(text: str, _: random.Random) -> str:
    return text[: max(2, round(len(text) * 0.6))]


SPELLINGS: list[Callable[[str, random.Random], str]] = [
    full_width, half_width, decomposed, odd_blanks, no_blanks, upper_case, lower_case, no_long_vowels, no_accents
]  # fmt: skip


@cache
def _by_key() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for case in cases():
        found.setdefault(loose(case.label.value), set()).add(case.thing.id)
    return found


def holders(case: Case) -> set[str]:
    """Return what bears the label as far as a person can tell, in the label's language or in any."""
    return _by_key()[loose(case.label.value)]


def is_typeable(case: Case) -> bool:
    letters = sum(c.isalpha() for c in case.label.value)
    return letters >= 6 and not case.thing.is_identifier and not any(c.isdigit() for c in case.label.value)


@dataclass(frozen=True)
class Figures:
    """How often the right thing came among the first so many, and every wrong match."""

    asked: int
    right: int
    wrong_matches: list[tuple[str, str, str]]
    missed: list[tuple[str, str, list[str]]]

    @property
    def share(self) -> float:
        return self.right / self.asked


def measure(change: Callable[[str, random.Random], str], chosen: list[Case], within: int = 1) -> Figures:
    """Look up every chosen label as changed."""
    chance = random.Random(SEED)
    right, wrong, missed = 0, [], []
    for case in chosen:
        text = change(case.label.value, chance)
        found = search(text, case)
        first = [hit.thing.id for hit in found.hits[:within]]
        if holders(case) & set(first):
            right += 1
        else:
            missed.append((text, case.thing.id, first))
        if found.match and found.match.thing.id not in holders(case):
            wrong.append((text, case.thing.id, found.match.thing.id))
    return Figures(len(chosen), right, wrong, missed)


@pytest.mark.parametrize("change", SPELLINGS, ids=lambda change: change.__name__)
def test_other_spellings_of_every_label_find_it(change: Callable[[str, random.Random], str]) -> None:
    figures = measure(change, cases())
    assert figures.asked >= 900
    assert not figures.wrong_matches
    assert figures.share >= 0.99, figures.missed[:20]


@pytest.mark.parametrize(("change", "share"), [(one_typo, 0.99), (two_typos, 0.95)])
def test_slips_of_the_pen_find_the_label(change: Callable[[str, random.Random], str], share: float) -> None:
    figures = measure(change, [case for case in cases() if is_typeable(case)])
    assert figures.asked >= 600
    assert not figures.wrong_matches
    assert figures.share >= share, figures.missed[:20]


def test_beginnings_offer_the_label() -> None:
    """A beginning that is a whole name of another thing matches that, rightly."""
    figures = measure(prefix, [case for case in cases() if is_typeable(case)], within=3)
    assert figures.asked >= 600
    assert figures.share >= 0.90, figures.missed[:20]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.data())
def test_no_mix_of_spellings_and_slips_matches_another_thing(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(cases()))
    changes = data.draw(
        st.lists(st.sampled_from([*SPELLINGS, one_typo]), min_size=1, max_size=3, unique=True)
    )
    chance = random.Random(data.draw(st.integers(0, 2**16)))
    text = case.label.value
    for change in changes:
        if change is not one_typo or is_typeable(case):
            text = change(text, chance)
    found = search(text, case)
    assert found.match is None or found.match.thing.id in holders(case)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(min_size=1, max_size=40))
def test_any_text_is_answered_or_refused_by_name(text: str) -> None:
    try:
        query = checked_query(text)
    except InvalidValue as error:
        assert error.parameter == "q"  # noqa: PT017
        return
    found = index().search(query, spoken_languages(index().languages, "ja"), accepts)
    assert list(found.hits) == sorted(found.hits, key=lambda hit: hit.order)
    assert len({hit.thing.iri for hit in found.hits}) == len(found.hits)
