"""Read the plain text form of a page: one block a line, tables whose blank cells were dropped."""

from __future__ import annotations

import re

from compute_atlas.graph.reading.document import Block, Cell, Document, Prose, Table

_ITEM = re.compile(r"\s*[-*•]\s+(.*)$")
_DELIMITER = re.compile(r"\|?(\s*:?-+:?\s*\|)+\s*(:?-+:?)?\s*$")


def parse(name: str, lines: list[str]) -> Document:
    """Return the document in these lines of the text form."""
    blocks: list[Block] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        if _opens_table(lines, number):
            table, number = _table(lines, number)
            blocks.append(table)
            continue
        number += 1
        if item := _ITEM.match(line):
            blocks.append(Prose(item[1].strip(), ((0, number),), is_item=True))
        elif line.strip():
            blocks.append(Prose(line.strip(), ((0, number),)))
    title = next((block.text for block in blocks if isinstance(block, Prose)), name)
    return Document(name, tuple(blocks), tuple(lines), title)


def _opens_table(lines: list[str], number: int) -> bool:
    follows = lines[number + 1] if number + 1 < len(lines) else ""
    return lines[number].startswith("|") and bool(_DELIMITER.match(follows))


def _table(lines: list[str], start: int) -> tuple[Table, int]:
    """Return the table that starts here and the index of the first line after it.

    A row may go on on a next line that has no bar in front but one at its end.
    """
    header = _cells(lines[start], start + 1)
    rows: list[tuple[Cell, ...]] = []
    number = start + 2
    while number < len(lines):
        line = lines[number]
        goes_on = line.rstrip().endswith("|") and rows and not line.startswith(("-", "|"))
        if not goes_on and (not line.startswith("|") or _opens_table(lines, number)):
            break
        cells = _cells(line, number + 1)
        if goes_on:
            rows[-1] += cells
        else:
            rows.append(cells)
        number += 1
    return Table(header, tuple(rows), keeps_blanks=False), number


def _cells(line: str, number: int) -> tuple[Cell, ...]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") else inner
    return tuple(Cell(cell.strip(), number) for cell in inner.split("|"))
