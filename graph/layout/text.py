"""Measure and break text without any font at hand: widths of a wide Latin face, full width for East Asia."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

FONT_SIZE = 13.0
LINE_HEIGHT = 18.0
# Bold letters are wider by about this much.
BOLD = 1.12

# In hundredths of the font size, of DejaVu Sans: hardly any face that a browser may choose is wider.
_WIDTHS = {
    28: "ijl'",
    33: " ,./\\:;|",
    35: "ft-",
    40: "()[]!IJ",
    42: "r",
    50: "*_`",
    53: 'cszL?"',
    60: "kvxyaeghnobdpquEFTYPZS{}",
    64: "0123456789$",
    70: "ACKRXBV",
    79: "DGHNOQU&",
    84: "w+=<>#~^",
    99: "mMW%@",
}
_WIDTH_OF = {character: width for width, characters in _WIDTHS.items() for character in characters}
_OTHER, _WIDE, _EMOJI = 70, 100, 135
_FIRST_EMOJI = 0x1F000
# What must not begin a line in Japanese.
_CLINGS = frozenset(
    "、。，．・：；？！ー々゛゜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ）」』】〕〉》｝〟’”…‥"
)
# A blank; a word in letters or in katakana; any other East Asian sign.
_PIECE = re.compile(r"\s+|[^\s\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]+|[\u30a1-\u30ff]+|.", re.DOTALL)


def text_width(text: str, size: float = FONT_SIZE, *, bold: bool = False) -> float:
    """Return how wide a text is at most, in the unit of the font size."""
    return sum(map(_width, text)) / 100 * size * (BOLD if bold else 1)


def wrap(text: str, most: float, size: float = FONT_SIZE, *, bold: bool = False) -> list[str]:
    """Return the lines of a text, none wider than `most`: broken at blanks and between East Asian signs."""
    lines, line = [], ""
    for piece in _pieces(" ".join(text.split()), most, size, bold):
        if line and text_width(line + piece.rstrip(), size, bold=bold) > most:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def natural_key(text: str) -> list[tuple[int, int, str]]:
    """Return what texts are sorted by where 9.2 comes before 10.0."""
    parts = re.findall(r"[0-9]+|[^0-9]+", text.casefold())
    return [(0, int(part), "") if part.isdecimal() and len(part) < 18 else (1, 0, part) for part in parts]


def _pieces(text: str, most: float, size: float, bold: bool) -> Iterator[str]:
    """Yield what stays on one line: words, East Asian signs with what clings to them, parts of long words."""
    held = ""
    for piece in _PIECE.findall(text):
        if held and piece in _CLINGS:
            held += piece
            continue
        if held:
            yield held
        held = ""
        while text_width(piece, size, bold=bold) > most:
            end = next(
                n
                for n in range(len(piece), 0, -1)
                if n == 1 or text_width(piece[:n], size, bold=bold) <= most
            )
            if end == len(piece):
                break
            yield piece[:end]
            piece = piece[end:]
        held = piece
    if held:
        yield held


@lru_cache(1 << 12)
def _width(character: str) -> int:
    if character in _WIDTH_OF:
        return _WIDTH_OF[character]
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return 0
    if ord(character) >= _FIRST_EMOJI:
        return _EMOJI
    return _WIDE if unicodedata.east_asian_width(character) in "WFA" else _OTHER
