"""A matrix: what links in rows, what is linked in columns, a mark where they meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from compute_atlas.graph.layout.parts import (
    GAP,
    MARGIN,
    Bond,
    Colours,
    Dot,
    Item,
    Link,
    Picture,
    Text,
    box_of,
    flow,
    heading,
)
from compute_atlas.graph.layout.text import FONT_SIZE, LINE_HEIGHT, natural_key, text_width

_CELL = 20.0
_MOST_HEAD, _MOST_BOX = 600.0, 250.0
_MARKS = ((0, 0),), ((-4, 0), (4, 0)), ((-4, -4), (4, -4), (0, 4)), ((-4, -4), (4, -4), (-4, 4), (4, 4))

_Line = tuple[Item | None, str]
"""A row or column: an item with its label, or the heading of a class."""


def matrix(
    items: Sequence[Item], bonds: Sequence[Bond], colours: Colours, line_colours: Colours, alone_heading: str
) -> Picture:
    """Return the picture; items without links stand below, under a heading of their own."""
    picture = Picture()
    by_number = {item.number: item for item in items}
    rows = _lines(by_number[n] for n in {bond.source for bond in bonds})
    columns = _lines(by_number[n] for n in {bond.target for bond in bonds})
    left = MARGIN + _widest(rows)
    top = MARGIN + _widest(columns)
    right, bottom = left + len(columns) * _CELL, top + len(rows) * _CELL
    _draw_heads(picture, rows, columns, left, top)
    row_of = {item.number: place for place, (item, _) in enumerate(rows) if item}
    column_of = {item.number: place for place, (item, _) in enumerate(columns) if item}
    cells: dict[tuple[int, int], list[Bond]] = {}
    for bond in bonds:
        cells.setdefault((row_of[bond.source], column_of[bond.target]), []).append(bond)
    for (row, column), found in sorted(cells.items()):
        x, y = left + (column + 0.5) * _CELL, top + (row + 0.5) * _CELL
        ordered = sorted(found, key=lambda bond: bond.kind)
        marks = _MARKS[min(len(ordered), len(_MARKS)) - 1]
        title = f"{by_number[found[0].source].label} → {by_number[found[0].target].label}: "
        title += ", ".join(bond.label for bond in ordered)
        for (dx, dy), bond in zip(marks, ordered, strict=False):
            radius = 6.0 if len(ordered) == 1 else 3.6
            picture.dots.append(Dot(x + dx, y + dy, radius, line_colours.of(bond.kind), title))
    picture.fit(right, bottom if bonds else MARGIN)
    linked = row_of.keys() | column_of.keys()
    alone = [item for item in _ordered(items) if item.number not in linked]
    if alone:
        width = max(picture.width - 2 * MARGIN, 700.0)
        start = picture.height if bonds else MARGIN
        picture.texts += heading(alone_heading, MARGIN, start - GAP, width)
        start += LINE_HEIGHT
        boxes = flow([box_of(item, _MOST_BOX, colours) for item in alone], MARGIN, start, width)
        picture.boxes += boxes
        picture.fit(max(box.right for box in boxes), max(box.bottom for box in boxes))
    return picture


def _ordered(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=lambda item: (item.type_label, natural_key(item.label), item.number))


def _lines(items: Iterable[Item]) -> list[_Line]:
    lines: list[_Line] = []
    for type_label, members in groupby(_ordered(items), key=lambda item: item.type_label):
        lines.append((None, type_label))
        lines += [(item, item.label) for item in members]
    return lines


def _widest(lines: Sequence[_Line]) -> float:
    return max((text_width(_cut(text)[0], bold=item is None) for item, text in lines), default=0.0) + GAP


def _cut(text: str) -> tuple[str, str]:
    """Return a text that fits a heading, and the whole text if it was cut."""
    shown = " ".join(text.split())
    if text_width(shown, bold=True) <= _MOST_HEAD:
        return shown, ""
    while text_width(f"{shown}…", bold=True) > _MOST_HEAD:
        shown = shown[:-1]
    return f"{shown}…", text


def _draw_heads(
    picture: Picture, rows: Sequence[_Line], columns: Sequence[_Line], left: float, top: float
) -> None:
    right, bottom = left + len(columns) * _CELL, top + len(rows) * _CELL
    for place, (item, text) in enumerate(rows):
        y = top + (place + 0.5) * _CELL
        shown, title = _cut(text)
        style = "plain" if item else "head"
        picture.texts.append(Text(left - GAP, y + FONT_SIZE * 0.35, shown, "end", style, title=title))
        if item:
            picture.links.append(Link(((left, y), (right, y)), has_arrow=False))
    for place, (item, text) in enumerate(columns):
        x = left + (place + 0.5) * _CELL
        shown, title = _cut(text)
        style = "plain" if item else "head"
        picture.texts.append(
            Text(x + FONT_SIZE * 0.35, top - GAP, shown, "start", style, is_upright=True, title=title)
        )
        if item:
            picture.links.append(Link(((x, top), (x, bottom)), has_arrow=False))
