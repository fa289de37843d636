"""Columns by class: each class a column of boxes; a link that passes a column has a lane of its own in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from compute_atlas.graph.layout.parts import (
    GAP,
    MARGIN,
    Bond,
    Box,
    Colours,
    Item,
    Link,
    Picture,
    Text,
    box_of,
    heading,
)
from compute_atlas.graph.layout.text import LINE_HEIGHT, natural_key

_MOST_BOX = 210.0
_MOST_HEAD = 200.0
_GUTTER = 90.0
_LONGEST_COLUMN = 40
_SWEEPS = 6
_LOOP, _BETWEEN_LOOPS, _MOST_LOOPS = 18.0, 7.0, 9
_BETWEEN_LINES, _MOST_SHIFT = 6.0, 18.0
_LANE = 6.0
_BETWEEN_LANES = 3.0


@dataclass(eq=False)
class _Slot:
    """A place in a column: a box, or a lane for a link; with the slots it is linked to next to it."""

    column: int
    height: float
    box: Box | None = None
    partners: list[_Slot] = field(default_factory=list)
    y: float = 0.0

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


def columns(items: Sequence[Item], bonds: Sequence[Bond], colours: Colours, line_colours: Colours) -> Picture:
    """Return the picture of all items and bonds; colours of lines stand for predicates."""
    picture = Picture()
    grouped = _grouped(items, bonds)
    slots = {
        item.number: _Slot(place, box.height, box)
        for place, column in enumerate(grouped)
        for item in column
        if (box := box_of(item, _MOST_BOX, colours))
    }
    table = [[slots[item.number] for item in column] for column in grouped]
    routes = [_route(slots[bond.source], slots[bond.target], table) for bond in bonds]
    heads = [heading(column[0].type_label, 0, MARGIN - GAP, _MOST_HEAD) for column in grouped]
    top = MARGIN + max((len(lines) for lines in heads), default=0) * LINE_HEIGHT + GAP
    _stack(table, top)
    sides = _place(picture, table, heads)
    loops: Counter[int] = Counter()
    for bond, route, shift in zip(bonds, routes, _shifts(bonds), strict=True):
        if route[0].column == route[-1].column:
            loops[route[0].column] += 1
            reach = sides[route[0].column][1] + _LOOP + loops[route[0].column] % _MOST_LOOPS * _BETWEEN_LOOPS
            points = _loop(route, shift, reach)
        else:
            points = _points(route, sides, shift)
        picture.links.append(Link(points, colour=line_colours.of(bond.kind), title=bond.label))
        picture.fit(max(x for x, _ in points), 0)
    return picture


def places(items: Sequence[Item], bonds: Sequence[Bond], colours: Colours) -> dict[int, Box]:
    """Return the box of each item, for tools that draw the links themselves."""
    picture = columns(items, bonds, colours, Colours(bond.kind for bond in bonds))
    return {box.item: box for box in picture.boxes if box.item is not None}


def _grouped(items: Sequence[Item], bonds: Sequence[Bond]) -> list[list[Item]]:
    """Return the columns: classes that link before classes that are linked."""
    by_type: dict[str, list[Item]] = {}
    for item in items:
        by_type.setdefault(item.type, []).append(item)
    type_of = {item.number: item.type for item in items}
    lead = Counter(type_of[bond.source] for bond in bonds)
    lead.subtract(type_of[bond.target] for bond in bonds)
    made: list[list[Item]] = []
    for name in sorted(by_type, key=lambda name: (-lead[name], name)):
        column = sorted(by_type[name], key=lambda item: (natural_key(item.label), item.number))
        made += [column[start : start + _LONGEST_COLUMN] for start in range(0, len(column), _LONGEST_COLUMN)]
    return made


def _route(source: _Slot, target: _Slot, table: list[list[_Slot]]) -> list[_Slot]:
    """Return the slots of a link from end to end, with new lanes in the columns between."""
    step = 1 if source.column < target.column else -1
    lanes = [_Slot(column, _LANE) for column in range(source.column + step, target.column, step)]
    if source.column == target.column:
        lanes = []
    for lane in lanes:
        table[lane.column].append(lane)
    route = [source, *lanes, target]
    for one, other in pairwise(route):
        one.partners.append(other)
        other.partners.append(one)
    return route


def _stack(table: list[list[_Slot]], top: float) -> None:
    """Give each slot its height in its column, near the mean of what it is linked to."""
    tallest = max(map(_height, table), default=0.0)
    for sweep in range(_SWEEPS + 1):
        for column in table:
            if sweep:
                column.sort(key=_mean)
            y = top + (tallest - _height(column)) / 2
            for slot in column:
                slot.y = y
                y += slot.height + _gap(slot)


def _mean(slot: _Slot) -> float:
    others = [partner.middle for partner in slot.partners if partner is not slot]
    return sum(others) / len(others) if others else slot.middle


def _height(column: Sequence[_Slot]) -> float:
    return sum(slot.height + _gap(slot) for slot in column)


def _gap(slot: _Slot) -> float:
    return GAP if slot.box else _BETWEEN_LANES


def _place(
    picture: Picture, table: Sequence[Sequence[_Slot]], heads: Sequence[Sequence[Text]]
) -> list[tuple[float, float]]:
    """Add the boxes and headings; return the left and right side of each column."""
    sides: list[tuple[float, float]] = []
    x = MARGIN
    for column, lines in zip(table, heads, strict=True):
        width = max(slot.box.width for slot in column if slot.box)
        picture.texts += [Text(x, line.y, line.text, style="head") for line in lines]
        for slot in column:
            if slot.box:
                slot.box = slot.box.at(x + (width - slot.box.width) / 2, slot.y)
                picture.boxes.append(slot.box)
            picture.fit(x + width, slot.y + slot.height)
        picture.fit(x + _MOST_HEAD, 0)
        sides.append((x, x + width))
        x += max(width + _GUTTER, _MOST_HEAD + GAP)
    return sides


def _shifts(bonds: Sequence[Bond]) -> list[float]:
    """Return how far beside the middle of its boxes each link runs: links of one pair lie side by side."""
    pairs = [frozenset((bond.source, bond.target)) for bond in bonds]
    total, seen = Counter(pairs), Counter[frozenset[int]]()
    shifts = []
    for pair in pairs:
        step = min(_BETWEEN_LINES, _MOST_SHIFT / total[pair])
        shifts.append((seen[pair] - (total[pair] - 1) / 2) * step)
        seen[pair] += 1
    return shifts


def _loop(route: Sequence[_Slot], shift: float, reach: float) -> tuple[tuple[float, float], ...]:
    """Return the points of a link inside a column, which turns at `reach`."""
    start, end = _boxes(route)
    apart = _MOST_SHIFT / 2 if start is end else 0.0
    y, end_y = start.middle + shift / 2 - apart, end.middle + shift / 2 + apart
    return (start.right, y), (reach, y), (reach, end_y), (end.right, end_y)


def _points(
    route: Sequence[_Slot], sides: Sequence[tuple[float, float]], shift: float
) -> tuple[tuple[float, float], ...]:
    """Return the points of a link from column to column."""
    source, *lanes, target = route
    start, end = _boxes(route)
    y, end_y = start.middle + shift, end.middle + shift
    leaving, arriving = (1, 0) if source.column < target.column else (0, 1)
    middle = [(sides[lane.column][side], lane.middle) for lane in lanes for side in (arriving, leaving)]
    return (
        ((start.x, start.right)[leaving], y),
        (sides[source.column][leaving], y),
        *middle,
        (sides[target.column][arriving], end_y),
        ((end.x, end.right)[arriving], end_y),
    )


def _boxes(route: Sequence[_Slot]) -> tuple[Box, Box]:
    start, end = route[0].box, route[-1].box
    assert start is not None
    assert end is not None
    return start, end
