"""Learn words from a table that is aligned with one whose cells are known."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from compute_atlas.graph.reading.alignment import blank_pattern
from compute_atlas.graph.reading.columns import PARENTHESES
from compute_atlas.graph.reading.document import Cell, Table
from compute_atlas.graph.reading.names import fold, kind_of, normal
from compute_atlas.graph.reading.outline import SHORT, Part
from compute_atlas.graph.reading.proposal import Proposal

# Of the rows of two columns, the share in which texts and meanings go together.
_FIT = 0.8
_VERSION = re.compile(r"(?:CUDA\s*)?\d{1,3}\.\d{1,3}\s*")

# The cells of a row, and the marks of the known row that it stands for.
_Pair = tuple[Sequence[Cell], Sequence[str]]


def learn_table(table: Table, part: Part, known: Part, proposal: Proposal, weight: int) -> None:
    """Count what the header cells, the rows' names and the other cells of a table seem to mean."""
    rows = _paired_rows(table, part, known)
    if not rows or known.table is None:
        return
    header, things = table.header, known.things
    columns = dict(_paired_columns(table, part, known, rows))
    if header[0].text and things[0]:
        proposal.vote("names", things[0], header[0].text, weight)
    for number, other in columns.items():
        if number < len(header) and things[other] and header[number].text:
            proposal.vote("names", things[other], header[number].text, weight)
    for cells, marks in rows:
        _learn_key(cells[0], marks[0], proposal, weight)
        for number, other in columns.items():
            if number < len(cells) and other < len(marks):
                _learn_cell(cells[number], marks[other], proposal, weight)


def _paired_rows(table: Table, part: Part, known: Part) -> list[_Pair]:
    """Return rows about the same thing; where no key is known, rows in order if the blanks agree."""
    by_key = {row[0].partition("+")[0]: row for row in known.rows if row[0]}
    if part.table == known.table and any(row[0].partition("+")[0] in by_key for row in part.rows):
        return [
            (cells, by_key[row[0].partition("+")[0]])
            for cells, row in zip(table.rows, part.rows, strict=True)
            if row[0].partition("+")[0] in by_key
        ]
    same_size = len(table.rows) == len(known.rows) and len(table.header) == len(known.things)
    if part.table is None and same_size and blank_pattern(part, known) > _FIT:
        if not part.is_packed:
            return list(zip(table.rows, known.rows, strict=True))
        packed = [tuple(cell for cell in row if cell.text) for row in table.rows]
        filled = [tuple(filter(None, row)) for row in known.rows]
        return [(row, marks) for row, marks in zip(packed, filled, strict=True) if len(row) == len(marks)]
    return []


def _paired_columns(
    table: Table, part: Part, known: Part, rows: Sequence[_Pair]
) -> Iterator[tuple[int, int]]:
    """Yield columns that hold the same: those of one header, else those whose texts tell the meanings."""
    if part.table is None:
        yield from ((number, number) for number in range(1, len(table.header)))
        return
    named = {thing: number for number, thing in enumerate(part.things) if number and thing}
    taken: set[int] = set()
    left = []
    for other, thing in enumerate(known.things):
        if other and thing in named:
            taken.add(named[thing])
            yield named[thing], other
        elif other and thing:
            left.append(other)
    width = max(len(cells) for cells, _ in rows)
    fits = sorted(
        (
            (-_fit(rows, number, other), number, other)
            for number, other in itertools.product(range(1, width), left)
            if number not in taken and not (number < len(part.things) and part.things[number])
        ),
    )
    used: set[int] = set()
    for fit, number, other in fits:
        if -fit >= _FIT and number not in taken and other not in used:
            taken.add(number)
            used.add(other)
            yield number, other


def _fit(rows: Sequence[_Pair], number: int, other: int) -> float:
    """Return how well the texts of a column tell the meanings of another, and the other way round.

    A column that always says the same tells nothing: it fits only one that does so, too, and less.
    """
    pairs = Counter(
        (fold(cells[number].text), marks[other])
        for cells, marks in rows
        if number < len(cells) and other < len(marks) and (cells[number].text or marks[other])
    )
    if pairs.total() < 2:
        return 0.0
    texts: dict[str, Counter[str]] = {}
    meanings: dict[str, Counter[str]] = {}
    for (text, meaning), count in pairs.items():
        texts.setdefault(text, Counter())[meaning] += count
        meanings.setdefault(meaning, Counter())[text] += count
    fit = min(
        sum(max(counts.values()) for counts in table.values()) / pairs.total() for table in (texts, meanings)
    )
    if "" in texts and any(meaning for meaning in texts[""]):
        fit -= 0.1
    return (
        fit
        if len(texts) > 1 and len(meanings) > 1
        else min(fit, _FIT)
        if len(texts) == len(meanings)
        else 0.0
    )


def _learn_key(cell: Cell, mark: str, proposal: Proposal, weight: int) -> None:
    thing, _, word = mark.partition("+")
    bare = PARENTHESES.sub("", normal(cell.text))
    if kind_of(thing) in ("target", "capability"):
        proposal.vote("names", thing, bare, weight)
    if word and (remark := PARENTHESES.search(normal(cell.text))):
        proposal.vote("words", word.removeprefix("word:"), remark[1], weight)


def _learn_cell(cell: Cell, mark: str, proposal: Proposal, weight: int) -> None:
    text = normal(cell.text)
    if not text or mark in ("", "?"):
        return
    if mark == "floor":
        proposal.vote("words", "floor", _VERSION.sub("", text, count=1), weight)
    elif mark.startswith("word:"):
        word, _, condition = mark.removeprefix("word:").partition("+")
        remark = PARENTHESES.search(text)
        if remark is None or condition:
            proposal.vote("words", word, PARENTHESES.sub("", text), weight)
        if remark and condition:
            proposal.vote("names", condition, remark[1], weight)
    elif len(text) <= SHORT:
        proposal.vote("names", mark, text, weight)
