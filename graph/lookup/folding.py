"""Fold texts to the keys under which labels are found: strict (typing aside), loose (spelling aside)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from compute_atlas.graph.lookup import words

# Default-ignorable characters: joiners, direction marks, the soft hyphen, the byte order mark, selectors.
INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
APOSTROPHES = "’‘ʼʹ′＇`´"
_KANA = "\u3041-\u3096\u30a1-\u30fa\u30fc"
_DASHES = "\u002d\u2010-\u2015\u2212"

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_APOSTROPHE = re.compile(f"[{APOSTROPHES}]")
_DASH_AFTER_KANA = re.compile(f"(?<=[{_KANA}])[{_DASHES}]")
_BLANKS = re.compile(r"\s+")
_LATIN_MARKS = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")
_HIRAGANA_TO_KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
# Blanks, connectors, dashes, brackets, quotes; besides these the long vowel, the middle dot and the slash.
_DROPPED_CATEGORIES = {"Zs", "Zl", "Zp", "Cc", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf"}
_DROPPED = set("ー・/\"'−")


def strict(text: str) -> str:
    """Return the text without differences of typing: width, Unicode form, case, blanks, apostrophes."""
    text = _APOSTROPHE.sub("'", _INVISIBLE.sub("", text))
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    text = _DASH_AFTER_KANA.sub("ー", _APOSTROPHE.sub("'", text))
    return _BLANKS.sub(" ", text).strip()


def loose(text: str) -> str:
    """Return the strict fold without differences of spelling: accents, long vowels, blanks, marks, kana.

    `+` stays, and so does the voicing of kana. May be empty.
    """
    text = strict(text)
    if text.isascii() and text.isalnum():
        return text
    text = words.elision().sub("", text)
    text = "".join(character for character in text if not _is_dropped(character))
    if text.isascii():
        return text
    unmarked = _LATIN_MARKS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", unmarked).translate(_HIRAGANA_TO_KATAKANA)


def is_blank(text: str) -> bool:
    """Tell whether nothing visible is in the text."""
    return not _INVISIBLE.sub("", text).strip()


@lru_cache(maxsize=4096)
def _is_dropped(character: str) -> bool:
    return character in _DROPPED or unicodedata.category(character) in _DROPPED_CATEGORIES
