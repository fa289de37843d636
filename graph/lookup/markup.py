"""Say which stretches of Markdown and HTML are no text: code, link targets, tags, entities."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.lookup.textmap import BAR, BREAK, Mask

FORMATS = ("plain", "markdown", "html")

_ENTITY = r"(?P<entity>&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
_URL = r"(?P<url>(?:https?|ftp|mailto):[^\s<>()\[\]|、。]+)"
_ELEMENT = r"<(?P<element>script|style|code|pre|kbd|samp|var|textarea|template|head)\b[^<>]*>"
_TAG = r"</?[A-Za-z!?](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>"
# Each stretch is matched from its beginning; what ends code and elements is looked for afterwards, so that
# a page full of beginnings without an end takes no longer than any other.
_HTML = re.compile(
    r"(?P<comment><!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z))"
    rf"|{_ELEMENT}|(?P<cell></?t[dh]\b[^<>]*>)|(?P<tag>{_TAG})|{_URL}|{_ENTITY}",
    re.DOTALL | re.IGNORECASE,
)
_MARKDOWN = re.compile(
    r"(?P<front>\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z))"
    r"|(?P<fence>^[ \t>]*(?P<mark>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t>]*(?P=mark)[`~]*[ \t]*$|\Z))"
    r"|(?P<ticks>`+)"
    r"|(?P<definition>^[ ]{0,3}\[[^\]\n]+\]:[^\n]*)"
    r"|(?P<target>(?<=\])\((?:[^()\n\\]|\\.|\([^()\n]*\))*\)|(?<=\])\[[^\[\]\n]*\])"
    r"|(?P<directive>^[ \t]*:::[^\n]*)"
    r"|(?P<comment><!--.*?(?:-->|\Z))|(?P<link><(?:https?|mailto):[^<>\s]*>)"
    rf"|{_ELEMENT}|(?P<tag>{_TAG})|{_URL}|(?P<escape>\\[!-/:-@\[-`{{-~])|{_ENTITY}",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_PATTERNS = {"markdown": _MARKDOWN, "html": _HTML}


def masks(text: str, form: str) -> list[Mask]:
    """Return what is no text in a text of one of FORMATS, in order. Raises InvalidValue for another form."""
    if form not in FORMATS:
        mend = f"use one of: {', '.join(FORMATS)}"
        raise InvalidValue("format", form, "there is no such format", mend, [*FORMATS])
    return list(_masks(text, _PATTERNS[form])) if form in _PATTERNS else []


def _masks(text: str, pattern: re.Pattern[str]) -> Iterator[Mask]:
    ends = _Ends(text)
    place = 0
    while match := pattern.search(text, place):
        start, end = match.span()
        kind = match.lastgroup
        if match.groupdict().get("ticks"):
            end = ends.of_code(match) or end
        elif match["element"]:
            end = ends.of_element(match) or end
        elif kind == "escape":
            yield Mask(start, end, match[0][1])
        elif kind == "entity":
            # Only the first character: an entity that stands for several is not part of any name.
            yield Mask(start, end, html.unescape(match[0]).replace("\u00a0", " ")[:1])
        if kind not in ("escape", "entity"):
            yield Mask(start, end, BAR if kind == "cell" else BREAK)
        place = end


class _Ends:
    """Finds where code and elements end; remembers what has no end further on."""

    def __init__(self, text: str):
        self._text = text
        self._endless: set[str] = set()
        self._runs: dict[int, list[int]] = defaultdict(list)
        for run in re.finditer("`+", text):
            self._runs[len(run[0])].append(run.start())

    def of_code(self, opening: re.Match[str]) -> int | None:
        """Return the end of the next run of as many backticks."""
        length = len(opening[0])
        runs = self._runs[length]
        place = bisect_left(runs, opening.end())
        return runs[place] + length if place < len(runs) else None

    def of_element(self, opening: re.Match[str]) -> int | None:
        """Return the end of the closing tag."""
        name = opening["element"].lower()
        if name in self._endless:
            return None
        closing = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(self._text, opening.end())
        if closing is None:
            self._endless.add(name)
            return None
        return closing.end()
