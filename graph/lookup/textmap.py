"""Fold a text for finding names in it, and keep for each character where it came from."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.lookup.folding import APOSTROPHES, INVISIBLE

BREAK = "\n"
BAR = "|"
UNITS = ("codepoint", "utf-16", "utf-8")

_LINE_BREAKS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_PIECE = re.compile(
    rf"(?P<breaks>[{_LINE_BREAKS}])|(?P<blanks>[^\S{_LINE_BREAKS}]+)|(?P<nothing>[{INVISIBLE}]+)"
    rf"|(?P<apostrophe>[{APOSTROPHES}])|(?P<quote>[\"“”])|(?P<other>.[\u0300-\u036f\u3099\u309a\uff9e\uff9f]*)",
    re.DOTALL,
)
_WIDE = re.compile("[\uff00-\uffef]")
CJK = re.compile("[\u3005-\u3007\u3041-\u3096\u30a1-\u30fc\u3400-\u9fff]")


@dataclass(frozen=True)
class Mask:
    """A stretch of a text that stands for another text: a break, a bar between cells, a character.

    `seen` is what a reader sees there: nothing for a tag inside a line, where `text` is a break all the same.
    """

    start: int
    end: int
    text: str = BREAK
    seen: str = BREAK


@dataclass(frozen=True)
class FoldedText:
    """A folded text; `starts` and `ends` say for each of its characters where it stands in the source.

    Folded are width, composition (NFC), apostrophes and blanks. Beside Japanese characters blanks go, and
    so do the quotation marks that emphasise a part of a term there. Case and accents stay.
    Line breaks and whatever is masked are BREAK, or as the mask says.
    """

    text: str
    starts: list[int]
    ends: list[int]

    @cached_property
    def lower(self) -> str:
        """The text in lower case, character by character."""
        return "".join(low if len(low := character.lower()) == 1 else character for character in self.text)


def fold_text(source: str, masks: Iterable[Mask] = ()) -> FoldedText:
    """Return the folded text. Masks are in order and do not overlap."""
    builder = _Builder(source)
    place = 0
    for mask in masks:
        builder.add(place, mask.start)
        builder.put(mask.text, mask.start, mask.end)
        place = mask.end
    builder.add(place, len(source))
    return FoldedText("".join(builder.characters), builder.starts, builder.ends)


class Offsets:
    """Turns positions in a text, in code points, into another unit, lines and columns."""

    def __init__(self, text: str, unit: str = "codepoint"):
        """Raises InvalidValue for an unknown unit."""
        if unit not in UNITS:
            raise InvalidValue(
                "offsets", unit, "there is no such unit", f"use one of: {', '.join(UNITS)}", [*UNITS]
            )
        self._wide = [] if unit == "codepoint" else _wide_places(text, unit)
        self._totals = [0]
        for _, extra in self._wide:
            self._totals.append(self._totals[-1] + extra)
        self._places = [place for place, _ in self._wide]
        self._line_starts = [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", text))]

    def of(self, position: int) -> int:
        """Return a position in the unit."""
        return position + self._totals[bisect_left(self._places, position)]

    def line_and_column(self, position: int) -> tuple[int, int]:
        """Return line and column, both from 1; columns count code points."""
        line = bisect_right(self._line_starts, position)
        return line, position - self._line_starts[line - 1] + 1


def _wide_places(text: str, unit: str) -> list[tuple[int, int]]:
    """Return where a character takes more than one unit, and how many more."""
    if unit == "utf-16":
        return [(place, 1) for place, character in enumerate(text) if ord(character) > 0xFFFF]
    return [(place, len(c.encode()) - 1) for place, c in enumerate(text) if ord(c) > 0x7F]


def _composed(piece: str) -> str:
    if piece.isascii():
        return piece
    return unicodedata.normalize("NFKC" if _WIDE.search(piece) else "NFC", piece)


class _Builder:
    def __init__(self, source: str):
        self._source = source
        self.characters: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self._blank: tuple[int, int] | None = None

    def add(self, start: int, end: int) -> None:
        for match in _PIECE.finditer(self._source, start, end):
            kind, piece = match.lastgroup, match[0]
            if kind == "blanks":
                self._blank = self._blank or match.span()
            elif kind == "breaks":
                self.put(BREAK, *match.span())
            elif kind == "apostrophe":
                self.put("'", *match.span())
            elif kind == "other" or (kind == "quote" and not self._is_emphasis(match.start())):
                self.put(_composed(piece), *match.span())

    def _is_emphasis(self, place: int) -> bool:
        """Tell whether a quotation mark stands between a blank and a Japanese character."""
        before, after = self._source[max(0, place - 1) : place], self._source[place + 1 : place + 2]
        return bool((not before.strip() and CJK.match(after)) or (CJK.match(before) and not after.strip()))

    def put(self, text: str, start: int, end: int) -> None:
        if text == " ":
            self._blank = self._blank or (start, end)
            return
        if self._blank and self.characters and not CJK.match(text) and not CJK.match(self.characters[-1]):
            self._append(" ", *self._blank)
        self._blank = None
        for character in text:
            self._append(character, start, end)

    def _append(self, character: str, start: int, end: int) -> None:
        self.characters.append(character)
        self.starts.append(start)
        self.ends.append(end)
