"""Say which stretches of Markdown and HTML are no text: code, link targets, tags, entities."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterator

from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.lookup.textmap import BAR, BREAK, Mask

FORMATS = ("plain", "markdown", "html")

_ENTITY = r"(?P<entity>&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
_URL = r"(?P<url>(?:https?|ftp|mailto):[^\s<>()\[\]|、。]+)"
_ELEMENT = r"<(?P<element>script|style|code|pre|kbd|samp|var|textarea|template|head)\b[^<>]*>"
_TAG = r"</?[A-Za-z!?](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>"
# Tags that leave the text around them in one word. (A number in <sup> is a footnote's.)
_INLINE = re.compile(
    r"</?(?:a|abbr|acronym|b|bdi|bdo|big|cite|data|del|dfn|em|font|i|ins|mark|nobr|s|small|span|strike|strong"
    r"|time|tt|u|wbr)(?=[\s/>])",
    re.IGNORECASE,
)
# A line indented by four blanks is code after a blank line, unless it belongs to an item or a note.
_INDENTED = re.compile(r"(?: {4}| {0,3}\t)\s*\S")
_ITEM = re.compile(r" {0,3}(?:[-*+:]|\d{1,9}[.)]|\[\^[^\]\n]+\]:|!!!|\?\?\?\+?|===)(?:\s|\Z)")
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
    if form not in _PATTERNS:
        return []
    code = list(_indented_code(text)) if form == "markdown" else []
    return list(_masks(text, _PATTERNS[form], code))


def _masks(text: str, pattern: re.Pattern[str], code: list[Mask]) -> Iterator[Mask]:
    """Yield what a pattern matches, and the blocks of code that begin outside of that."""
    ends = _Ends(text)
    place, blocks, match = 0, deque(code), pattern.search(text)
    while match or blocks:
        if match and match.start() < place:
            match = pattern.search(text, place)
        elif blocks and blocks[0].start < place:
            blocks.popleft()
        else:
            is_text = match is not None and not (blocks and blocks[0].start <= match.start())
            mask = _mask(match, ends) if match and is_text else blocks.popleft()
            place = mask.end
            yield mask


def _mask(match: re.Match[str], ends: _Ends) -> Mask:
    start, end = match.span()
    kind = match.lastgroup
    if match.groupdict().get("ticks"):
        return Mask(start, ends.of_code(match) or end)
    if match["element"]:
        return Mask(start, ends.of_element(match) or end)
    if kind == "escape":
        return Mask(start, end, match[0][1], match[0][1])
    if kind == "entity":
        # Only the first character: an entity that stands for several is not part of any name.
        character = html.unescape(match[0]).replace("\u00a0", " ")
        return Mask(start, end, character[:1], character)
    if kind == "tag":
        return Mask(start, end, seen="" if _INLINE.match(match[0]) else BREAK)
    if kind in ("comment", "target"):
        return Mask(start, end, seen="")
    return Mask(start, end, BAR if kind == "cell" else BREAK)


def _indented_code(text: str) -> Iterator[Mask]:
    """Yield the blocks of code that only their indentation tells."""
    place, start, end = 0, None, 0
    is_after_blank, is_in_item = True, False
    for line in text.splitlines(keepends=True):
        is_blank = not line.strip()
        is_indented = _INDENTED.match(line) is not None
        if is_indented and not is_in_item and (start is not None or is_after_blank):
            start, end = place if start is None else start, place + len(line)
        elif not is_blank:
            if start is not None:
                yield Mask(start, end)
            start = None
            if _ITEM.match(line):
                is_in_item = True
            elif is_after_blank and not line[0].isspace():
                is_in_item = False
        is_after_blank = is_blank
        place += len(line)
    if start is not None:
        yield Mask(start, end)


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
