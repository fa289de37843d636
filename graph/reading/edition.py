"""Read one edition: all that a document states, and where it could not be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compute_atlas.graph.errors import AtlasError
from compute_atlas.graph.reading import lexicon as lexicons
from compute_atlas.graph.reading import sentences, statements, tables, wordings
from compute_atlas.graph.reading.claims import Claim, merge
from compute_atlas.graph.reading.cues import MAX_SENTENCE
from compute_atlas.graph.reading.document import Block, Document, Finding, Heading, Prose, Table
from compute_atlas.graph.reading.lexicon import Lexicon
from compute_atlas.graph.reading.remarks import Remark
from compute_atlas.graph.reading.statements import Statement
from compute_atlas.graph.reading.table_shapes import named_headers, recognise

# A block with the section that it stands in.
Placed = tuple[Block, str | None]


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
    """What a document states, in order of line, the places that could not be read, and what is damaged."""

    document: Document
    language: str
    claims: tuple[Claim, ...]
    findings: tuple[Finding, ...]
    remarks: tuple[Remark, ...] = ()


def read(document: Document, lexicon: Lexicon) -> Reading:
    """Return all claims of a document. Raises NothingRead where the language does not fit it."""
    better = None
    if lexicon.is_known and not _words_found(document, lexicon):
        better = _better_language(document, lexicon)
    if better or not _recognised(document, lexicon):
        raise NothingRead(document.name, lexicon, better)
    kinds = statements.load()
    blocks = list(with_sections(document, lexicon))
    claims, remarks = _read_prose(blocks, lexicon, kinds)
    findings = [*document.findings, *_too_long(blocks)]
    read_tables = [
        (block, tables.read_table(block, lexicon, kinds, section, claims))
        for block, section in blocks
        if isinstance(block, Table)
    ]
    for _, found in read_tables:
        claims = claims + found.claims
        findings += found.findings
        remarks += found.remarks
    remarks += _same_headers(read_tables, lexicon)
    remarks += wordings.inconsistent_names(blocks, lexicon)
    findings.sort(key=lambda finding: finding.line)
    return Reading(document, lexicon.language, tuple(merge(claims)), tuple(findings), tuple(remarks))


def with_sections(document: Document, lexicon: Lexicon) -> Iterator[Placed]:
    """Yield the blocks with their sections; a heading belongs to the section that it opens."""
    section: str | None = None
    for block in document.blocks:
        opened = _opened_section(block, lexicon)
        if opened or (isinstance(block, Heading) and block.level < 4):
            section = opened
        yield block, section


def _recognised(document: Document, lexicon: Lexicon) -> bool:
    """Tell whether a heading or a table is known, by the language's words, by its anchor or by its shape."""
    return any(
        recognise(block, lexicon) if isinstance(block, Table) else _opened_section(block, lexicon)
        for block in document.blocks
    )


def _words_found(document: Document, lexicon: Lexicon) -> int:
    """Return how many headings and header cells are words of the language."""
    headings = sum(
        bool(lexicon.section(block.text)) for block in document.blocks if isinstance(block, Heading | Prose)
    )
    return headings + sum(
        named_headers(block, lexicon) for block in document.blocks if isinstance(block, Table)
    )


def _better_language(document: Document, lexicon: Lexicon) -> Lexicon | None:
    others = [lexicons.load(language) for language in lexicons.available() if language != lexicon.language]
    counts = {other: _words_found(document, other) for other in others}
    best = max(counts, key=lambda other: counts[other])
    return best if counts[best] else None


def _opened_section(block: Block, lexicon: Lexicon) -> str | None:
    if isinstance(block, Heading):
        return lexicon.opened(block)
    return lexicon.section(block.text) if isinstance(block, Prose) and not block.is_item else None


def _read_prose(
    blocks: Sequence[Placed], lexicon: Lexicon, kinds: Sequence[Statement]
) -> tuple[list[Claim], list[Remark]]:
    claims: list[Claim] = []
    remarks: list[Remark] = []
    led: set[str] = set()
    for number, (block, section) in enumerate(blocks):
        if isinstance(block, Prose):
            items = items_after(blocks, number)
            found = sentences.read_prose(block, items, lexicon, kinds, section)
            claims += found.claims
            remarks += found.remarks
            led |= found.statements
    for statement in kinds:
        if statement.within and statement.name not in led:
            claims += _unled_list(statement, blocks, lexicon)
    return claims, remarks


def items_after(blocks: Sequence[Placed], number: int) -> list[Prose]:
    """Return the list items that follow a block and that it leads: of an item, only those nested in it."""
    items: list[Prose] = []
    lead = blocks[number][0]
    least = lead.depth + 1 if isinstance(lead, Prose) and lead.is_item else 0
    for following in range(number + 1, len(blocks)):
        block = blocks[following][0]
        if not isinstance(block, Prose) or not block.is_item or block.depth < least:
            break
        items.append(block)
    return items


def _unled_list(statement: Statement, blocks: Sequence[Placed], lexicon: Lexicon) -> list[Claim]:
    """Return what a section's list states where no sentence that leads it is known.

    Most of its items, two at least, have to name something that the statement is about.
    """
    has_sections = any(section for _, section in blocks)
    for number, (block, section) in enumerate(blocks):
        follows = isinstance(block, Prose) and not block.is_item
        is_place = section == statement.within if has_sections else statement.anywhere
        if not follows or not is_place or (not has_sections and lexicon.is_known):
            continue
        items = items_after(blocks, number)
        claims = [sentences.item_claims(statement, {}, item, lexicon, section) for item in items]
        if sum(map(bool, claims)) * 2 > len(items) >= 2:
            return [claim for of_item in claims for claim in of_item]
    return []


def _too_long(blocks: Sequence[Placed]) -> Iterator[Finding]:
    for block, _ in blocks:
        if isinstance(block, Prose) and len(block.text) > MAX_SENTENCE:
            for sentence, offset in sentences.split(block.text):
                if len(sentence) > MAX_SENTENCE:
                    what = f"a sentence of {len(sentence):,} characters was not read"
                    yield Finding(block.line_at(offset), what)


def _same_headers(read_tables: Sequence[tuple[Table, tables.Read]], lexicon: Lexicon) -> Iterator[Remark]:
    """Yield the tables with one header and a row about the same thing, where nothing tells them apart."""
    for number, (table, found) in enumerate(read_tables):
        for other, again in read_tables[number + 1 :]:
            same = [cell.text for cell in table.header] == [cell.text for cell in other.header]
            if same and table.api == other.api and set(found.keys) & set(again.keys):
                shape = recognise(table, lexicon)
                if shape:
                    places = ((table.line, "first table"), (other.line, "second table"))
                    predicate = next(iter(shape.kind.columns.values()))[0]
                    yield Remark("same_header_twice", f"table/{shape.kind.name}", predicate, places)
