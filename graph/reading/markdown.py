"""Read the Markdown form of a page: front matter, monikers, includes, notes, lists, whole tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from compute_atlas.graph.errors import UnreadableFile
from compute_atlas.graph.reading.document import (
    MAX_CELLS,
    MAX_DEPTH,
    MAX_LINE,
    MAX_ROWS,
    Block,
    Cell,
    Finding,
    Heading,
    Page,
    Prose,
    Resolve,
    Table,
    decode,
)
from compute_atlas.graph.reading.inline import anchors, plain, read

_MARKS = re.compile(r"#{1,6} |:::moniker|\s{0,3}> *\[!|\[!INCLUDE|\*\*Applies to|.{0,1000}\]\(\S+\)")
_MONIKER = re.compile(r':::\s*moniker\s+range="([^"]*)"')
_MONIKER_END = re.compile(r":::\s*moniker-end")
_DIRECTIVE = re.compile(r":::|<!--|\[!\w+\]\s*$")
_ADMONITION = re.compile(r"\[!(?!INCLUDE)\w+\]\s*")
_INCLUDE = re.compile(r"\[!INCLUDE\s*\[[^\]]*\]\s*\(([^)\s]+)\)\]", re.IGNORECASE)
# "**Applies to:** … v2": bold words before a colon, whatever the language, and the API's versions after.
_APPLIES_TO = re.compile(r"\*\*[^*]{1,40}[:：]\s*(?:\*\*)?[^|]{0,400}\bv[12]\b")
_VERSION = re.compile(r"\bv([12])\b")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"(\s*)(?:[*+-]|\d+[.)])\s+(.*)$")
_DELIMITER_CELL = re.compile(r"\s*:?-+:?\s*$")
_METADATA = re.compile(r"([\w.]+):\s*(.+)$")
_MAX_INCLUDES = 20
# A table begins with its header and the line that sets it off.
_HEAD_ROWS = 2
_TOO_DEEP = f"lists nested deeper than {MAX_DEPTH} levels are read as if they were not"


def is_markdown(lines: list[str]) -> bool:
    """Tell whether the lines carry marks that the plain text form never has."""
    return lines[0].strip() == "---" or any(_MARKS.match(line) for line in lines)


def parse(lines: list[str], resolve: Resolve | None) -> Page:
    """Return what stands in these lines of Markdown; what a file included states stands on its line."""
    metadata, start = _front_matter(lines)
    reader = _Reader(resolve)
    for number, line in enumerate(lines[start:], start + 1):
        reader.take(line, number)
    reader.close()
    headings = [block.text for block in reader.blocks if isinstance(block, Heading)]
    title = headings[0] if headings else metadata.get("title")
    return Page(reader.blocks, title, metadata, tuple(reader.findings))


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

    def __init__(self, resolve: Resolve | None) -> None:
        self.blocks: list[Block] = []
        self.findings: list[Finding] = []
        self._resolve = resolve
        self._open: list[bytes] = []
        self._included = 0
        self._moniker: str | None = None
        self._applies: str | None = None
        self._table: list[tuple[Cell, ...]] = []
        self._is_cut = False
        self._prose: Prose | None = None
        self._indents: list[int] = []
        self._anchors: tuple[str, ...] = ()
        self._has_heading = False

    def take(self, line: str, number: int) -> None:
        """Add one line."""
        body = re.sub(r"^\s{0,3}>\s?", "", line)
        text = body.strip()
        if moniker := _MONIKER.match(text):
            self.close()
            self._moniker = _api(moniker[1])
        elif _MONIKER_END.match(text):
            self.close()
            self._moniker = None
        elif include := _INCLUDE.search(text):
            self.close()
            self._include(include[1], number)
        elif not text or _DIRECTIVE.match(text):
            self.close()
        elif _APPLIES_TO.match(text) and len(versions := set(_VERSION.findall(text))) > 0:
            self.close()
            self._applies = f"v{versions.pop()}" if len(versions) == 1 else None
        elif heading := _HEADING.match(body):
            self._add_heading(heading, number)
        elif not plain(text) and anchors(text):
            self.close()
            self._anchors += anchors(text)
        elif text.startswith("|"):
            self._close_prose()
            self._add_row(body, number)
        elif item := _ITEM.match(body):
            self._add_item(item, number)
        else:
            self._close_table()
            self._add_prose(_ADMONITION.sub("", text), number)

    def close(self) -> None:
        """End whatever is open."""
        self._close_prose()
        self._close_table()

    @property
    def _version(self) -> str | None:
        return self._moniker or self._applies

    def _include(self, name: str, number: int) -> None:
        """Read an included file in place, all of it on the line of the directive."""
        content = self._resolve(name) if self._resolve else None
        if content is None:
            self.findings.append(Finding(number, f'"{name}" is included and missing (--include DIR)'))
            return
        if content in self._open or self._included >= _MAX_INCLUDES:
            self.findings.append(Finding(number, f'"{name}" is included in itself, or too many files are'))
            return
        try:
            lines = decode(name, content)
        except UnreadableFile as error:
            self.findings.append(Finding(number, f'"{name}" is included: {error.reason}'))
            return
        self._open.append(content)
        self._included += 1
        _, start = _front_matter(lines)
        for line in lines[start:]:
            self.take(line[:MAX_LINE], number)
        self.close()
        self._open.pop()

    def _add_heading(self, match: re.Match[str], number: int) -> None:
        self.close()
        level = len(match[1])
        if self._has_heading and level <= 2:
            self._applies = None
        self._has_heading = True
        names = self._anchors + anchors(match[2])
        self.blocks.append(Heading(plain(match[2]), number, names, level))
        self._anchors = ()

    def _add_row(self, body: str, number: int) -> None:
        if len(self._table) == MAX_ROWS + _HEAD_ROWS:
            if not self._is_cut:
                what = f"only the first {MAX_ROWS:,} rows of the table were read"
                self.findings.append(Finding(number, what))
            self._is_cut = True
            return
        cells = _cells(body)
        if len(cells) > MAX_CELLS:
            self.findings.append(
                Finding(number, f"only the first {MAX_CELLS} of the row's {len(cells):,} cells were read")
            )
        read_cells = (read(cell) for cell in cells[:MAX_CELLS])
        self._table.append(tuple(Cell(text, number, links) for text, links in read_cells))

    def _add_item(self, match: re.Match[str], number: int) -> None:
        self.close()
        indent = len(match[1].expandtabs(4))
        if not (self.blocks and isinstance(self.blocks[-1], Prose) and self.blocks[-1].is_item):
            self._indents = []
        while self._indents and self._indents[-1] > indent - 2:
            self._indents.pop()
        self._indents.append(indent)
        if len(self._indents) > MAX_DEPTH + 1:
            if not any(finding.what == _TOO_DEEP for finding in self.findings):
                self.findings.append(Finding(number, _TOO_DEEP))
            self._indents.pop()
        text, links = read(match[2])
        depth = len(self._indents) - 1
        self._prose = Prose(text, ((0, number),), True, self._version, links, depth)

    def _add_prose(self, line: str, number: int) -> None:
        text, links = read(line)
        if self._prose is None:
            self._prose = Prose(text, ((0, number),), api=self._version, links=links)
            return
        before = self._prose
        start = len(before.text) + 1
        if start > MAX_LINE:
            self._close_prose()
            self._add_prose(line, number)
            return
        moved = tuple(replace(link, start=link.start + start) for link in links)
        starts = (*before.starts, (start, number))
        self._prose = replace(before, text=f"{before.text} {text}", starts=starts, links=before.links + moved)

    def _close_prose(self) -> None:
        if self._prose is not None:
            self.blocks.append(self._prose)
        self._prose = None

    def _close_table(self) -> None:
        rows, self._table, self._is_cut = self._table, [], False
        rows = [row for row in rows if not _is_delimiter(row)]
        if rows:
            self.blocks.append(Table(rows[0], tuple(rows[1:]), keeps_blanks=True, api=self._version))


def _is_delimiter(row: Iterable[Cell]) -> bool:
    return all(_DELIMITER_CELL.match(cell.text) for cell in row)


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def _api(monikers: str) -> str | None:
    """Return v1 or v2 where a moniker range names just one of them."""
    versions = set(re.findall(r"azureml-api-(\d+)", monikers))
    return f"v{versions.pop()}" if len(versions) == 1 else None
