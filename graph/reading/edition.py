"""Read one edition: all that a document states, and where it could not be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compute_atlas.graph.errors import AtlasError
from compute_atlas.graph.reading import lexicon as lexicons
from compute_atlas.graph.reading import sentences, tables
from compute_atlas.graph.reading.claims import Claim, merge
from compute_atlas.graph.reading.document import Block, Document, Heading, Prose, Table
from compute_atlas.graph.reading.lexicon import Lexicon
from compute_atlas.graph.reading.tables import Finding


class NothingRead(AtlasError):
    """No heading and no table of the document could be read in the language given."""

    def __init__(self, name: str, lexicon: Lexicon, better: Lexicon | None):
        mend = (
            f"it reads as {better.title['en']}: use --lang {better.language}" if better else "check the file"
        )
        super().__init__(
            f'{name}:1: nothing in it reads as {lexicon.title["en"]} ("{lexicon.language}"); {mend}'
        )


@dataclass(frozen=True)
class Reading:
    """What a document states, in order of line, and the places in it that could not be read."""

    document: Document
    language: str
    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]


def read(document: Document, lexicon: Lexicon) -> Reading:
    """Return all claims of a document. Raises NothingRead where the language does not fit it."""
    if not _recognised(document, lexicon):
        others = (
            lexicons.load(language) for language in lexicons.available() if language != lexicon.language
        )
        counts = {other: _recognised(document, other) for other in others}
        best = max(counts, key=lambda other: counts[other], default=None)
        raise NothingRead(document.name, lexicon, best if best and counts[best] else None)
    statements = lexicons.statements()
    blocks = list(_with_sections(document, lexicon))
    claims: list[Claim] = []
    findings: list[Finding] = []
    for number, (block, section) in enumerate(blocks):
        if isinstance(block, Prose):
            items = _items_after([block for block, _ in blocks[number:]])
            claims += sentences.read_prose(block, items, lexicon, statements, section)
    known = list(claims)
    for block, section in blocks:
        if isinstance(block, Table):
            found, missed = tables.read_table(block, lexicon, statements, section, known)
            claims += found
            findings += missed
    ordered = merge(claims)
    return Reading(document, lexicon.language, tuple(ordered), tuple(findings))


def _recognised(document: Document, lexicon: Lexicon) -> int:
    """Return how many headings and tables the language's words are found in."""
    headings = sum(bool(_opened_section(block, lexicon)) for block in document.blocks)
    known = sum(tables.is_known(block, lexicon) for block in document.blocks if isinstance(block, Table))
    return headings + known


def _with_sections(document: Document, lexicon: Lexicon) -> Iterator[tuple[Block, str | None]]:
    section: str | None = None
    for block in document.blocks:
        opened = _opened_section(block, lexicon)
        if opened or isinstance(block, Heading):
            section = opened
        yield block, section


def _opened_section(block: Block, lexicon: Lexicon) -> str | None:
    if isinstance(block, Heading) or (isinstance(block, Prose) and not block.is_item):
        return lexicon.section(block.text)
    return None


def _items_after(blocks: Sequence[Block]) -> list[Prose]:
    """Return the list items that follow the first block, which leads them."""
    items: list[Prose] = []
    for block in blocks[1:]:
        if not isinstance(block, Prose) or not block.is_item:
            break
        items.append(block)
    return items


def quoted(reading: Reading) -> dict[int, str]:
    """Return the text of each line that a claim rests on."""
    lines = {line for claim in reading.claims for line in claim.lines}
    return {line: reading.document.quote(line) for line in sorted(lines)}
