"""The shape of a page, whatever its form or language: headings, prose, list items and tables with lines."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field

from compute_atlas.graph.errors import UnreadableFile


@dataclass(frozen=True)
class Heading:
    """A heading, marked as one (Markdown); the text form has none that can be told by shape."""

    text: str
    line: int


@dataclass(frozen=True)
class Prose:
    """A paragraph or a list item. `starts` gives (offset in text, line) where each of its lines begins."""

    text: str
    starts: tuple[tuple[int, int], ...]
    is_item: bool = False
    api: str | None = None

    @property
    def line(self) -> int:
        """The line on which it begins."""
        return self.starts[0][1]

    def line_at(self, offset: int) -> int:
        """Return the line on which the character at this offset stands."""
        position = bisect.bisect_right(self.starts, offset, key=lambda start: start[0]) - 1
        return self.starts[max(position, 0)][1]


@dataclass(frozen=True)
class Cell:
    """One cell of a table, blank cells included."""

    text: str
    line: int


@dataclass(frozen=True)
class Table:
    """A table. `keeps_blanks` tells whether a cell's position can be trusted to be its column."""

    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    keeps_blanks: bool
    api: str | None = None

    @property
    def line(self) -> int:
        """The line of the header."""
        return self.header[0].line


Block = Heading | Prose | Table


@dataclass(frozen=True)
class Document:
    """A page: its blocks in order, its lines as written, and what its front matter says."""

    name: str
    blocks: tuple[Block, ...]
    lines: tuple[str, ...]
    title: str
    metadata: dict[str, str] = field(default_factory=dict)

    def quote(self, line: int) -> str:
        """Return a line (from 1) as written, without the blanks around it."""
        return self.lines[line - 1].strip()


def parse(name: str, content: bytes) -> Document:
    """Return the document in a file's bytes. Raises UnreadableFile if it is empty or no UTF-8 text."""
    from compute_atlas.graph.reading import markdown, plaintext

    lines = _decode(name, content).split("\n")
    read = markdown.parse if markdown.is_markdown(lines) else plaintext.parse
    return read(name, [line.rstrip("\r") for line in lines])


def _decode(name: str, content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        reason = f"byte 0x{content[error.start]:02x} is no UTF-8 text"
        raise UnreadableFile(name, reason, "save the document as UTF-8 text or Markdown", line) from error
    if "\x00" in text:
        line = text[: text.index("\x00")].count("\n") + 1
        raise UnreadableFile(name, "it holds a NUL byte and is no text", "give a text or Markdown file", line)
    if not text.strip():
        raise UnreadableFile(name, "the document is empty", "give the page as text or Markdown", 1)
    return text
