"""Read the Markdown form of a page: front matter, monikers, notes, lists, tables with blank cells kept."""

from __future__ import annotations

import html
import re
from dataclasses import replace

from compute_atlas.graph.reading.document import Block, Cell, Document, Heading, Prose, Table

_MARKS = re.compile(r"#{1,6} |:::moniker|> *\[!|\*\*Applies to|.*\]\(\S+\)")
_MONIKER = re.compile(r':::\s*moniker\s+range="([^"]*)"')
_MONIKER_END = re.compile(r":::\s*moniker-end")
_ADMONITION = re.compile(r"\[!\w+\]")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_ITEM = re.compile(r"\s*(?:[*+-]|\d+[.)])\s+(.*)$")
_DELIMITER = re.compile(r"\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_METADATA = re.compile(r"([\w.]+):\s*(.+)$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^()\s]*(?:\([^)]*\)[^()\s]*)?(?:\s+\"[^\"]*\")?\)")
_ANCHOR = re.compile(r"<a\s[^>]*>\s*</a>")
_BREAK = re.compile(r"\s*<br\s*/?>\s*")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*])")


def is_markdown(lines: list[str]) -> bool:
    """Tell whether the lines carry marks that the plain text form never has."""
    return lines[0].strip() == "---" or any(_MARKS.match(line) for line in lines)


def parse(name: str, lines: list[str]) -> Document:
    """Return the document in these lines of Markdown."""
    metadata, start = _front_matter(lines)
    reader = _Reader()
    for number, line in enumerate(lines[start:], start + 1):
        reader.take(line, number)
    reader.close()
    headings = [block.text for block in reader.blocks if isinstance(block, Heading)]
    title = headings[0] if headings else metadata.get("title", name)
    return Document(name, tuple(reader.blocks), tuple(lines), title, metadata)


def plain(text: str) -> str:
    """Return inline Markdown as the text that a reader sees."""
    text = _BREAK.sub(" ", _ANCHOR.sub("", _LINK.sub(r"\1", text)))
    text = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", text))
    return re.sub(r"\s+", " ", html.unescape(text).replace("`", "")).strip()


def _front_matter(lines: list[str]) -> tuple[dict[str, str], int]:
    if lines[0].strip() != "---":
        return {}, 0
    for end in range(1, len(lines)):
        if lines[end].strip() == "---":
            found = (_METADATA.match(line) for line in lines[1:end])
            return {match[1]: match[2].strip("'\" ") for match in found if match}, end + 1
    return {}, 0


class _Reader:
    """Collects blocks line by line; remembers the open paragraph or table and the API version in force."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._api: str | None = None
        self._table: list[tuple[Cell, ...]] = []
        self._prose: Prose | None = None

    def take(self, line: str, number: int) -> None:
        """Add one line."""
        body = re.sub(r"^\s{0,3}>\s?", "", line)
        if moniker := _MONIKER.match(body.strip()):
            self.close()
            self._api = _api(moniker[1])
        elif _MONIKER_END.match(body.strip()):
            self.close()
            self._api = None
        elif not body.strip() or _ADMONITION.match(body.strip()) or body.strip().startswith("<!--"):
            self.close()
        elif heading := _HEADING.match(body):
            self.close()
            self.blocks.append(Heading(plain(heading[1]), number))
        elif body.lstrip().startswith("|"):
            self._close_prose()
            self._table.append(tuple(Cell(plain(cell), number) for cell in _cells(body)))
        elif item := _ITEM.match(body):
            self.close()
            self._prose = Prose(plain(item[1]), ((0, number),), is_item=True, api=self._api)
        else:
            self._close_table()
            self._add_prose(plain(body), number)

    def close(self) -> None:
        """End whatever is open."""
        self._close_prose()
        self._close_table()

    def _add_prose(self, text: str, number: int) -> None:
        if self._prose is None:
            self._prose = Prose(text, ((0, number),), api=self._api)
        else:
            joined = f"{self._prose.text} {text}"
            starts = (*self._prose.starts, (len(self._prose.text) + 1, number))
            self._prose = replace(self._prose, text=joined, starts=starts)

    def _close_prose(self) -> None:
        if self._prose is not None:
            self.blocks.append(self._prose)
        self._prose = None

    def _close_table(self) -> None:
        rows, self._table = self._table, []
        rows = [row for row in rows if not _is_delimiter(row)]
        if rows:
            self.blocks.append(Table(rows[0], tuple(rows[1:]), keeps_blanks=True, api=self._api))


def _is_delimiter(row: tuple[Cell, ...]) -> bool:
    return bool(_DELIMITER.match("|".join(cell.text for cell in row)))


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def _api(monikers: str) -> str | None:
    """Return v1 or v2 where a moniker range names just one of them."""
    versions = set(re.findall(r"azureml-api-(\d+)", monikers))
    return f"v{versions.pop()}" if len(versions) == 1 else None
