"""Look beside a place in a page at the characters that a reader sees there, whatever markup lies between."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from compute_atlas.graph.lookup.folding import INVISIBLE
from compute_atlas.graph.lookup.textmap import Mask

_BRACKET = re.compile(r"[\[\]]")
_JOINER = "_"
_UNSEEN = re.compile(f"[{INVISIBLE}{_JOINER}]")
_UNSEEN_IN_MARKDOWN = re.compile(f"[{INVISIBLE}{_JOINER}*]|~(?=~)|(?<=~)~")

Jump = tuple[int, str]
"""Where to go on, and what is seen instead of the stretch left out."""


class Surroundings:
    """The visible neighbours of each place of a text; underscores count as parts of the words around them."""

    def __init__(self, source: str, form: str, masks: Sequence[Mask]):
        """Take a text of one of markup.FORMATS and what is no text in it, in order."""
        self._source = source
        self._unseen = _UNSEEN_IN_MARKDOWN if form == "markdown" else _UNSEEN
        brackets = _link_brackets(source, masks) if form == "markdown" else ()
        self._to_the_right: dict[int, Jump] = {}
        self._to_the_left: dict[int, Jump] = {}
        for mask in [*masks, *(Mask(place, place + 1, seen="") for place in brackets)]:
            seen = mask.seen.replace(_JOINER, "")
            self._to_the_right[mask.start] = mask.end, seen
            self._to_the_left[mask.end - 1] = mask.start - 1, seen[::-1]

    def beside(self, place: int, step: int) -> Iterator[str]:
        """Yield the characters from a place on, in their usual width, to the right (1) or the left (-1)."""
        jumps = self._to_the_right if step > 0 else self._to_the_left
        while 0 <= place < len(self._source):
            if place in jumps:
                place, seen = jumps[place]
                yield from map(_width_folded, seen)
            else:
                if not self._unseen.match(self._source, place):
                    yield _width_folded(self._source[place])
                place += step


def _link_brackets(source: str, masks: Sequence[Mask]) -> Iterator[int]:
    """Yield the places of the brackets around the texts of links: their targets follow, and are masked."""
    waiting: list[int] = []
    place = 0
    for mask in masks:
        for match in _BRACKET.finditer(source, place, mask.start):
            if match[0] == "[":
                waiting.append(match.start())
            elif waiting:
                opening = waiting.pop()
                if match.end() == mask.start and source[mask.start] in "([":
                    yield from (opening, match.start())
        place = mask.end


@lru_cache(maxsize=4096)
def _width_folded(character: str) -> str:
    return unicodedata.normalize("NFKC", character)[:1]
