"""Inline Markdown to the text that a reader sees, with the links that it holds."""

from __future__ import annotations

import html
import re

from compute_atlas.graph.reading.document import Link

# Each repetition is bounded: a line of 20,000 brackets must not take a second.
_LINK = re.compile(
    r"!?\[([^\[\]]{0,500})\]\(([^()\s]{0,500}(?:\([^)\s]{0,100}\)[^()\s]{0,300})?)(?:\s+\"[^\"]{0,300}\")?\s?\)"
)
_ANCHOR = re.compile(r"<a\s+(?:name|id)=\"([^\"]{0,200})\"\s*(?:/>|>\s*</a>)")
_BREAK = re.compile(r"\s*<br\s*/?>\s*")
# Neither goes beyond the next mark of its kind: no mark is tried twice.
_STRONG = re.compile(
    r"\*\*(?=\S)((?:[^*]|\*(?!\*)){1,1000})(?<=\S)\*\*|__(?=\S)((?:[^_]|_(?!_)){1,1000})(?<=\S)__"
)
# A star may stand inside a word, an underscore may not.
_EMPHASIS = re.compile(
    r"(?<!\*)\*(?=[^\s*])([^*\n]{1,1000})(?<=\S)\*(?!\*)|(?<![\w_])_(?=[^\s_])([^_\n]{1,1000})(?<=\S)_(?![\w_])"
)
_ESCAPE = re.compile(r"\\([\\*_\[\]|#<>`])")
# Private characters that stand around a link's text until offsets are known.
_OPEN, _CLOSE = "\ue000", "\ue001"
_MARKED = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")


def plain(text: str) -> str:
    """Return inline Markdown as the text that a reader sees."""
    return read(text)[0]


def anchors(text: str) -> tuple[str, ...]:
    """Return the names of the anchors that stand in a line."""
    return tuple(_ANCHOR.findall(text))


def read(text: str) -> tuple[str, tuple[Link, ...]]:
    """Return the text that a reader sees, and its links with their offsets in it."""
    targets: list[str] = []

    def mark(match: re.Match[str]) -> str:
        if not match[1].strip():
            return match[1]
        targets.append(match[2])
        return f"{_OPEN}{match[1]}{_CLOSE}"

    text = text.replace(_OPEN, "").replace(_CLOSE, "")
    text = _BREAK.sub(" ", _ANCHOR.sub("", _LINK.sub(mark, text)))
    for marked in (_STRONG, _EMPHASIS):
        text = marked.sub(lambda match: match[1] or match[2], text)
    text = _ESCAPE.sub(r"\1", html.unescape(text).replace("`", ""))
    text = re.sub(r"\s+", " ", text).strip()
    links, shown, end = [], "", 0
    for match, target in zip(_MARKED.finditer(text), targets, strict=False):
        shown += text[end : match.start()]
        links.append(Link(match[1], target, len(shown)))
        shown += match[1]
        end = match.end()
    return (shown + text[end:]).replace(_OPEN, "").replace(_CLOSE, "").strip(), tuple(links)
