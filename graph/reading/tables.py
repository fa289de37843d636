"""Read claims from tables, with doubt where a row has lost cells.

In the text form blank cells were dropped and the others packed to the left:
such a row is read in every way that its values allow. What all ways have in common is certain; the rest are
claims in doubt.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from compute_atlas.graph.reading.claims import Claim, Value
from compute_atlas.graph.reading.columns import Kind, Row
from compute_atlas.graph.reading.document import Cell, Finding, Table
from compute_atlas.graph.reading.lexicon import Lexicon
from compute_atlas.graph.reading.names import kind_of
from compute_atlas.graph.reading.remarks import Remark
from compute_atlas.graph.reading.statements import Statement
from compute_atlas.graph.reading.table_shapes import Shape, recognise, row_keys

MAX_READINGS = 2_000  # of one row; a row of 14 columns with half its cells lost has 3,432

# A row of the text form with its values as placed in one reading, and the columns left blank.
_Placed = tuple[list[Claim], tuple[int, ...]]


@dataclass
class Read:
    """What a table states, what in it could not be read, and what is damaged."""

    claims: list[Claim] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


def read_table(
    table: Table,
    lexicon: Lexicon,
    statements: Sequence[Statement],
    section: str | None,
    known: Collection[Claim],
) -> Read:
    """Return what a table states.

    `known` are claims that the document makes elsewhere; they settle a row where only one reading agrees.
    """
    found = Read()
    shape = recognise(table, lexicon)
    if shape is None:
        what = f"a table with the header {_show(table.header)} is not known"
        found.findings.append(Finding(table.line, what))
        return found
    kind = shape.kind
    stated = {(claim.subject, claim.predicate, claim.object) for claim in known if not claim.is_uncertain}
    for key, cells in zip(row_keys(table, kind, lexicon), table.rows, strict=True):
        if key is None:
            what = f'"{cells[0].text[:60]}" is not known as a name of this column'
            found.findings.append(Finding(cells[0].line, what))
            continue
        found.keys.append(key.id)
        is_named = lexicon.names.find(cells[0].text, [kind.key_kind]) is not None
        if kind.key_kind == "series" and key.source_name and not is_named:
            found.remarks.append(Remark("name_translated", key.id, None, ((key.line, key.source_name),)))
        row = Row(key, lexicon, statements, section, table.api)
        found.claims += _key_claims(row, kind, cells[0])
        if not table.keeps_blanks and len({cell.line for cell in cells}) > 1:
            places = ((key.line, "row continues on the next line"),)
            found.remarks.append(Remark("row_broken", f"table/{kind.name}", None, places))
        _read_row(row, shape, cells, table.keeps_blanks, stated, found)
    found.remarks += _garbled_headers(table, shape, lexicon)
    return found


def _key_claims(row: Row, kind: Kind, cell: Cell) -> Iterator[Claim]:
    if kind.row_property:
        yield row.claim(row.key.id, kind.row_property, True, row.key.line)
    for word in ("preview", "deprecated"):
        if row.lexicon.is_word(word, row.key.remark):
            yield row.claim(row.key.id, f"is_{word}", True, row.key.line)
        elif cell.note and row.lexicon.is_word(word, cell.note.text):
            yield row.claim(row.key.id, f"is_{word}", True, cell.note.line)


def _read_row(
    row: Row,
    shape: Shape,
    cells: Sequence[Cell],
    keeps_blanks: bool,
    stated: Collection[tuple[str, str, Value]],
    found: Read,
) -> None:
    columns = shape.header[1:]
    values = cells[1:]
    if keeps_blanks or _keeps_its_blanks(values, len(columns)):
        _read_in_place(row, shape, values, found)
        return
    values = [cell for cell in values if cell.text]
    if len(values) > len(columns) or math.comb(len(columns), len(values)) > MAX_READINGS:
        what = f"{len(values)} values for {len(columns)} columns cannot be placed"
        found.findings.append(Finding(row.key.line, what))
        return
    readings = list(_readings(row, shape, values, stated))
    if not readings:
        what = f"the values {_show(values)} fit no columns of the table"
        found.findings.append(Finding(row.key.line, what))
        return
    found.claims += _common([claims for claims, _ in readings])
    found.remarks += _lost_cells(row, shape, values, readings)


def _keeps_its_blanks(values: Sequence[Cell], columns: int) -> bool:
    """Tell whether a row of the text form is whole: no cell blank, or one before the last value."""
    texts = [bool(cell.text) for cell in values]
    return len(texts) == columns and (all(texts) or texts != sorted(texts, reverse=True))


def _read_in_place(row: Row, shape: Shape, values: Sequence[Cell], found: Read) -> None:
    columns = shape.header[1:]
    for number, cell in enumerate(values):
        if not cell.text:
            continue
        read = _read(row, shape, columns[number], cell) if number < len(columns) else None
        if read is None:
            found.findings.append(Finding(cell.line, f'"{cell.text[:60]}" cannot be read in its column'))
        found.claims += read or []


def _readings(
    row: Row, shape: Shape, values: Sequence[Cell], stated: Collection[tuple[str, str, Value]]
) -> Iterator[_Placed]:
    """Yield the claims of each way to place the values that no statement elsewhere contradicts."""
    columns = shape.header[1:]
    agreeing: list[_Placed] = []
    others: list[_Placed] = []
    for places in itertools.combinations(range(len(columns)), len(values)):
        read = [_read(row, shape, columns[place], cell) for place, cell in zip(places, values, strict=True)]
        if all(part is not None for part in read):
            claims = [claim for part in read for claim in part or []]
            blank = tuple(number for number in range(len(columns)) if number not in places)
            contradicted = any(_would_state(row, columns[number]) in stated for number in blank)
            (others if contradicted else agreeing).append((claims, blank))
    yield from agreeing or others


def _would_state(row: Row, column: str | None) -> tuple[str, str, Value] | None:
    """Return what a yes in this column would state of the row."""
    kind = kind_of(column or "")
    if column and kind == "use":
        return (row.key.id, "usable_for_training_in", column)
    if column and kind == "target":
        return (column, "has_capability", row.key.id)
    return None


def _lost_cells(
    row: Row, shape: Shape, values: Sequence[Cell], readings: Sequence[_Placed]
) -> Iterator[Remark]:
    """Yield what the row lost: a blank before a value, or which column its values belong to."""
    columns = shape.header[1:]
    line = row.key.line
    if len(readings) > 1:
        packed = [columns[number] or "" for number in range(len(values))]
        properties = {column[0] for thing in columns if (column := shape.kind.column(thing))}
        predicate = min(properties) if len(properties) == 1 else None
        yield Remark("ambiguous_row", row.key.id, predicate, ((line, " ".join(packed)),))
        return
    blank = readings[0][1]
    for number in blank:
        column = shape.kind.column(columns[number])
        if column and any(other not in blank for other in range(number + 1, len(columns))):
            yield Remark("blank_cell_dropped", row.key.id, column[0], ((line, "blank cell dropped"),))


def _common(readings: Sequence[list[Claim]]) -> list[Claim]:
    """Return the claims that all readings share as certain, the others as in doubt."""
    shared = set.intersection(*({claim.key for claim in reading} for reading in readings))
    seen: dict[object, Claim] = {}
    for claim in itertools.chain.from_iterable(readings):
        doubted = claim.is_uncertain or claim.key not in shared
        seen.setdefault(claim.key, replace(claim, is_uncertain=doubted))
    return list(seen.values())


def _read(row: Row, shape: Shape, thing: str | None, cell: Cell) -> list[Claim] | None:
    """Return what a cell states in a column; None if it cannot stand there."""
    column = shape.kind.column(thing)
    return column[1](row, thing or "", cell) if column else []


def _garbled_headers(table: Table, shape: Shape, lexicon: Lexicon) -> Iterator[Remark]:
    for cell, thing in zip(table.header, shape.header, strict=False):
        if thing and lexicon.names.is_garbled(cell.text, thing):
            places = ((cell.line, cell.text),)
            yield Remark("header_space_lost", f"table/{shape.kind.name}", None, places)


def _show(cells: Sequence[Cell]) -> str:
    return " | ".join(cell.text[:40] for cell in cells[:8])
