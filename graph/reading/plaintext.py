"""Read the plain text form of a page: one block a line, tables whose blank cells were dropped."""

from __future__ import annotations

import html
import re

from compute_atlas.graph.reading.document import (
    MAX_CELLS,
    MAX_DEPTH,
    MAX_ROWS,
    Block,
    Cell,
    Finding,
    Page,
    Prose,
    Table,
)

_ITEM = re.compile(r"(\s*)[-*•]\s+(.*)$")
_DELIMITER = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?\s*$")


def parse(lines: list[str]) -> Page:
    """Return what stands in these lines of the text form."""
    blocks: list[Block] = []
    findings: list[Finding] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        if _opens_table(lines, number):
            table, number = _table(lines, number)
            blocks.append(_narrowed(table, findings))
            continue
        number += 1
        if item := _ITEM.match(line):
            depth = min(len(item[1].expandtabs(4)) // 2, MAX_DEPTH)
            blocks.append(Prose(item[2].strip(), ((0, number),), is_item=True, depth=depth))
        elif line.strip():
            blocks.append(Prose(line.strip(), ((0, number),)))
    title = next((block.text for block in blocks if isinstance(block, Prose)), None)
    return Page(blocks, title, findings=tuple(findings))


def _opens_table(lines: list[str], number: int) -> bool:
    follows = lines[number + 1] if number + 1 < len(lines) else ""
    return lines[number].startswith("|") and bool(_DELIMITER.match(follows))


def _table(lines: list[str], start: int) -> tuple[Table, int]:
    """Return the table that starts here and the index of the first line after it.

    A row may go on on a next line that has no bar in front but one at its end.
    """
    header = _cells(lines[start], start + 1)
    rows: list[list[Cell]] = []
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
            rows.append(list(cells))
        number += 1
    return Table(header, tuple(map(tuple, rows)), keeps_blanks=False), number


def _narrowed(table: Table, findings: list[Finding]) -> Table:
    """Return the table with no row too wide to be one, and report those that were."""
    for row in (table.header, *table.rows):
        if len(row) > MAX_CELLS:
            what = f"only the first {MAX_CELLS} of the row's {len(row):,} cells were read"
            findings.append(Finding(row[0].line, what))
    if len(table.rows) > MAX_ROWS:
        what = f"only the first {MAX_ROWS:,} rows of the table were read"
        findings.append(Finding(table.rows[MAX_ROWS][0].line, what))
    rows = tuple(row[:MAX_CELLS] for row in table.rows[:MAX_ROWS])
    return Table(table.header[:MAX_CELLS], rows, keeps_blanks=False)


def _cells(line: str, number: int) -> tuple[Cell, ...]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") else inner
    return tuple(Cell(html.unescape(cell).strip(), number) for cell in inner.split("|"))
