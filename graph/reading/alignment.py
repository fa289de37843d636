"""Align two outlines of a page: which part of one stands for which part of the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from compute_atlas.graph.reading.outline import Part, Sentence

_Item = TypeVar("_Item")
# Larger pages are cut: the time grows with the product of both lengths.
MAX_PARTS = 600
_ANCHOR, _SECTION, _TABLE, _THING, _LINK, _NUMBER, _NAME, _WORD = 10.0, 6.0, 8.0, 4.0, 2.0, 1.5, 1.5, 1.0


def align(page: Sequence[Part], known: Sequence[Part]) -> list[tuple[int, int]]:
    """Return pairs of positions, in order, that belong together: same kind, section, links, names."""
    page, known = page[:MAX_PARTS], known[:MAX_PARTS]
    ratio = _total(page) / max(_total(known), 1)
    return best_pairs(page, known, lambda one, other: _similarity(one, other, ratio))


def align_sentences(page: Sequence[Sentence], known: Sequence[Sentence]) -> list[tuple[int, int]]:
    """Return pairs of sentences of two paragraphs that belong together.

    Sentences pair off in order where both have as many; else only those with a mark in common.
    """
    ratio = sum(one.length for one in page) / max(sum(other.length for other in known), 1)
    is_same = len(page) == len(known)
    pairs = best_pairs(page, known, lambda one, other: _likeness(one, other, ratio))
    return [
        (i, j)
        for i, j in pairs
        if _likeness(page[i], known[j], ratio) >= (0.4 if is_same else 1.5) and (not is_same or i == j)
    ]


def best_pairs(
    first: Sequence[_Item], second: Sequence[_Item], similarity: Callable[[_Item, _Item], float]
) -> list[tuple[int, int]]:
    """Return the pairs, in order in both sequences, with the largest sum of similarities; none below 0."""
    width = len(second) + 1
    best = [[0.0] * width for _ in range(len(first) + 1)]
    likes = [[similarity(one, other) for other in second] for one in first]
    for i in range(len(first) - 1, -1, -1):
        for j in range(len(second) - 1, -1, -1):
            like = likes[i][j]
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + like if like > 0 else 0.0)
    pairs = []
    i = j = 0
    while i < len(first) and j < len(second):
        if likes[i][j] > 0 and best[i][j] == best[i + 1][j + 1] + likes[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _total(parts: Sequence[Part]) -> int:
    return sum(sentence.length for part in parts for sentence in part.sentences)


def _similarity(one: Part, other: Part, ratio: float) -> float:
    if one.kind != other.kind or (one.section and other.section and one.section != other.section):
        return -1.0
    same_section = 0.5 if one.section == other.section else 0.0
    if one.kind == "heading":
        if set(one.anchors) & set(other.anchors):
            return _ANCHOR
        return _SECTION if one.section and one.section == other.section else same_section
    if one.kind == "table":
        return same_section + _table_similarity(one, other)
    if one.kind == "item" and one.depth != other.depth:
        return -1.0
    things = set(one.things), set(other.things)
    if all(things) and not things[0] & things[1]:
        return -1.0
    shared = _THING * len(things[0] & things[1]) + same_section
    marks = [{mark for sentence in part.sentences for mark in sentence.marks} for part in (one, other)]
    counts = 0.5 if len(one.sentences) == len(other.sentences) else 0.0
    lengths = [sum(sentence.length for sentence in part.sentences) for part in (one, other)]
    return shared + counts + _weight(marks[0] & marks[1]) + _closeness(lengths[0], lengths[1] * ratio)


def _table_similarity(one: Part, other: Part) -> float:
    if one.table and other.table:
        return _TABLE if one.table == other.table else -2.0
    if one.depth != other.depth or not one.rows or len(one.rows) != len(other.rows):
        return -2.0
    return 3 * blank_pattern(one, other)


def blank_pattern(one: Part, other: Part) -> float:
    """Return in which share of their cells two tables of one size are alike in being blank.

    Where a table has lost its blank cells: in which share of the rows as many cells are filled.
    """
    rows = list(zip(one.rows, other.rows, strict=True))
    if one.is_packed or other.is_packed:
        alike = [sum(map(bool, row)) == sum(map(bool, other_row)) for row, other_row in rows]
    else:
        alike = [
            bool(cell) == bool(other_cell)
            for row, other_row in rows
            for cell, other_cell in zip(row[1:], other_row[1:], strict=False)
        ]
    return sum(alike) / len(alike) if alike else 0.0


def _likeness(one: Sentence, other: Sentence, ratio: float) -> float:
    marks, known = set(one.marks), set(other.marks)
    for sign in "[#@":  # links, figures, things that both have and that are all different
        signed = [{mark for mark in found if mark.startswith(sign)} for found in (marks, known)]
        if all(signed) and not signed[0] & signed[1]:
            return -1.0
    return _weight(marks & known) + _closeness(one.length, other.length * ratio)


def _weight(marks: set[str]) -> float:
    return sum({"[": _LINK, "#": _NUMBER, "@": _NAME}.get(mark[0], _WORD) for mark in marks)


def _closeness(one: float, other: float) -> float:
    return min(one, other) / max(one, other, 1)
