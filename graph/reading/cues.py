"""Cues: how a sentence of a kind is recognised, in words of its language.

A cue is words in order, with `…` for anything between them and placeholders:

* `{target}`: one name of that kind (any kind of thing); `{other:target}` the same under another name
* `{target*}`: a stretch of text with one or more names of that kind
* `{number}`, `{min:number}`: a number; `{date}`: a date in the language's form
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compute_atlas.graph.reading.names import normal

NUMBER = r"(?<![\d.,])\d+(?:[.,]\d+)?"
# A longer sentence is none; cues are not looked for in it.
MAX_SENTENCE = 2_000

_PLACEHOLDER = re.compile(r"\{(?:(\w+):)?(\w+)(\*?)\}")
_PIECES = re.compile(r"(…|\{[^{}]*\})")


@dataclass(frozen=True)
class Capture:
    """What a placeholder of a cue stands for: one thing of a kind, or a stretch of text with several."""

    group: str
    kind: str
    is_list: bool


@dataclass(frozen=True)
class Found:
    """Where a cue matches, and the text that each of its placeholders stands for."""

    start: int
    end: int
    captures: tuple[tuple[Capture, str], ...]


@dataclass(frozen=True)
class Cue:
    """A compiled cue: patterns that follow each other with anything between them.

    `gaps` holds what the text before each pattern, and after the last, stands for; None: just anything.
    `literal` is a word that a sentence must hold to match.
    """

    patterns: tuple[re.Pattern[str], ...]
    singles: tuple[tuple[Capture, ...], ...]
    gaps: tuple[Capture | None, ...]
    literal: str

    def search(self, text: str) -> Found | None:
        """Return the first match in a sentence.

        Each pattern is looked for after the one before, never again: the time grows with the text alone.
        """
        if self.literal not in text.casefold():
            return None
        captures: list[tuple[Capture, str]] = []
        start, end = None, 0
        for pattern, singles, gap in zip(self.patterns, self.singles, self.gaps, strict=False):
            match = pattern.search(text, end + 1 if gap else end)
            if match is None:
                return None
            if gap:
                captures.append((gap, text[end : match.start()]))
            if start is None:
                start = 0 if gap else match.start()
            captures += [(single, match[single.group]) for single in singles]
            end = match.end()
        if last := self.gaps[-1]:
            captures.append((last, text[end:]))
            end = len(text)
        return Found(start or 0, end, tuple(captures))


def compile_cue(text: str, pattern_of: Callable[[str], str]) -> Cue:
    """Return a cue ready to be looked for; `pattern_of` gives the regular expression of a kind's names."""
    patterns: list[re.Pattern[str]] = []
    singles: list[tuple[Capture, ...]] = []
    gaps: list[Capture | None] = [None]
    source, held = "", list[Capture]()
    for piece in [*_PIECES.split(text), "…"]:
        placeholder = _PLACEHOLDER.fullmatch(piece)
        capture = _capture(placeholder) if placeholder else None
        if piece == "…" or (capture and capture.is_list):
            if source:
                patterns.append(re.compile(source, re.IGNORECASE))
                singles.append(tuple(held))
                gaps.append(capture)
            elif capture:
                gaps[-1] = capture
            source, held = "", []
        elif capture:
            held.append(capture)
            source += rf"\s*(?P<{capture.group}>{pattern_of(capture.kind)})\s*"
        elif piece.strip():
            source += rf"\s*{literal(normal(piece))}\s*"
    return Cue(tuple(patterns), tuple(singles), tuple(gaps), _longest_word(text))


def placeholders(texts: Sequence[str]) -> list[Capture]:
    """Return the placeholders of the first of a statement's cues."""
    return [_capture(match) for text in texts[:1] for match in _PLACEHOLDER.finditer(text)]


def literal(text: str) -> str:
    """Return the regular expression of words, with any blanks between them, not inside a Latin word."""
    before = r"(?<![^\W\d_])" if text[:1].isascii() and text[:1].isalnum() else ""
    return f"{before}{gap(text)}"


def gap(text: str) -> str:
    """Return the regular expression of words with any blanks between them."""
    return r"\s*".join(re.escape(word) for word in re.split(r"\s+", text))


def _capture(placeholder: re.Match[str]) -> Capture:
    return Capture(placeholder[1] or placeholder[2], placeholder[2], bool(placeholder[3]))


def _longest_word(text: str) -> str:
    words = normal(_PIECES.sub(" ", text)).casefold().split()
    return max(words, key=len, default="")
