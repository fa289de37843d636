"""The shape of a page, whatever its form or language: headings, prose, list items and tables with lines."""

from __future__ import annotations

import bisect
from collections.abc import Callable
from dataclasses import dataclass, field

from compute_atlas.graph.errors import UnreadableFile

# Far above any page: what is larger is no page, and reading it would take minutes.
MAX_BYTES = 2 * 1024 * 1024
# Of one line; the rest is left out and reported. The longest line of a real page has 2,000.
MAX_LINE = 20_000
# Of one row; the widest table of a real page has 6.
MAX_CELLS = 100

# Of one table; the longest of a real page has 27.
MAX_ROWS = 2_000
# How deep lists are told apart; the deepest of a real page is 1.
MAX_DEPTH = 20

# Returns the content of an included file, None where it cannot be found.
Resolve = Callable[[str], bytes | None]


@dataclass(frozen=True)
class Finding:
    """A place in a document that could not be read."""

    line: int
    what: str


@dataclass(frozen=True)
class Link:
    """A link of a text: what it shows, where it leads, where it starts in the text."""

    text: str
    target: str
    start: int = 0


@dataclass(frozen=True)
class Note:
    """The text of a footnote, without its mark, and the line where it stands."""

    text: str
    line: int


@dataclass(frozen=True)
class Heading:
    """A heading, marked as one (Markdown); the text form has none that can be told by shape."""

    text: str
    line: int
    anchors: tuple[str, ...] = ()
    level: int = 1


@dataclass(frozen=True)
class Prose:
    """A paragraph or a list item. `starts` gives (offset in text, line) where each of its lines begins.

    `depth` is how deep an item is nested, 0 for the outermost list.
    """

    text: str
    starts: tuple[tuple[int, int], ...]
    is_item: bool = False
    api: str | None = None
    links: tuple[Link, ...] = ()
    depth: int = 0
    note: Note | None = None

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
    links: tuple[Link, ...] = ()
    note: Note | None = None


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
    """A page: its blocks in order, its lines as written, and what its front matter says.

    `findings` are the places that its form left unread: missing includes, lines too long.
    """

    name: str
    blocks: tuple[Block, ...]
    lines: tuple[str, ...]
    title: str
    metadata: dict[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    def quote(self, line: int) -> str:
        """Return a line (from 1) as written, without the blanks around it."""
        return self.lines[line - 1].strip()


def parse(name: str, content: bytes, resolve: Resolve | None = None) -> Document:
    """Return the document in a file's bytes. Raises UnreadableFile if it is empty, huge or no UTF-8 text.

    `resolve` finds the files that a Markdown page includes.
    """
    from compute_atlas.graph.reading import footnotes, markdown, plaintext

    lines = decode(name, content)
    short = [line[:MAX_LINE] for line in lines]
    findings = [
        Finding(number, f"only the first {MAX_LINE:,} of {len(line):,} characters of the line were read")
        for number, line in enumerate(lines, 1)
        if len(line) > MAX_LINE
    ]
    is_markdown = markdown.is_markdown(short)
    page = markdown.parse(short, resolve) if is_markdown else plaintext.parse(short)
    blocks = footnotes.attach(page.blocks)
    title = page.title or name
    return Document(name, blocks, tuple(lines), title, page.metadata, (*findings, *page.findings))


@dataclass(frozen=True)
class Page:
    """What one form's parser finds; line numbers count from 1."""

    blocks: list[Block]
    title: str | None
    metadata: dict[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


def decode(name: str, content: bytes) -> list[str]:
    """Return the lines of a document. Raises UnreadableFile."""
    if len(content) > MAX_BYTES:
        limit = f"{MAX_BYTES // 1024 // 1024} MiB"
        raise UnreadableFile(name, f"it has more than {limit}, which is no page", "give one page")
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
    return [line.rstrip("\r") for line in text.split("\n")]
