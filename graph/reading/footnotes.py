"""Attach footnotes: a mark such as * at the end of an item or cell, and the paragraph that explains it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from compute_atlas.graph.reading.document import Block, Cell, Note, Prose, Table

_MARK = re.compile(r"(?<=\S)\s*(\*{1,3}|[†‡§]|\[\d\])$")
# How many blocks after the mark its footnote may stand.
_REACH = 30


def attach(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks with the notes of marked items and cells, their marks taken off."""
    found: list[Block] = []
    for number, block in enumerate(blocks):
        following = blocks[number + 1 : number + 1 + _REACH]
        if isinstance(block, Prose) and block.is_item:
            text, note = _noted(block.text, block, following)
            block = replace(block, text=text, note=note)
        elif isinstance(block, Table):
            rows = tuple(tuple(_noted_cell(cell, block, following) for cell in row) for row in block.rows)
            block = replace(block, rows=rows)
        found.append(block)
    return tuple(found)


def _noted_cell(cell: Cell, table: Table, following: Sequence[Block]) -> Cell:
    text, note = _noted(cell.text, table, following)
    return replace(cell, text=text, note=note) if note else cell


def _noted(text: str, block: Block, following: Sequence[Block]) -> tuple[str, Note | None]:
    if match := _MARK.search(text):
        for other in _after_its_list(block, following):
            if other.text.startswith(match[1]) and not other.text.startswith(match[1] + "*"):
                return text[: match.start()], Note(other.text[len(match[1]) :].strip(), other.line)
    return text, None


def _after_its_list(block: Block, following: Sequence[Block]) -> Iterator[Prose]:
    """Yield the paragraphs up to the next heading, the next table, or a second list."""
    was_paragraph = isinstance(block, Table)
    for other in following:
        if not isinstance(other, Prose) or (other.is_item and was_paragraph):
            return
        if not other.is_item:
            was_paragraph = True
            yield other
