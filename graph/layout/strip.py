"""Paths as strips: the things of each path in a row, between them arrows with the predicates' labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from compute_atlas.graph.layout.parts import MARGIN, Bond, Box, Colours, Item, Link, Picture, Text, box_of
from compute_atlas.graph.layout.text import LINE_HEIGHT, text_width, wrap

_MOST_BOX, _MOST_LABEL = 190.0, 170.0
_ARROW_MARGIN = 18.0
_BETWEEN = 22.0
_LABEL_SIZE = 12.0


def strip(
    items: Mapping[int, Item], bonds: Sequence[Bond], paths: Sequence[Sequence[int]], colours: Colours
) -> Picture:
    """Return the picture of the paths, one below the other; parallel links share an arrow."""
    picture = Picture()
    labels: dict[tuple[int, int], list[str]] = {}
    for bond in bonds:
        labels.setdefault((bond.source, bond.target), []).append(bond.label)
    boxes = {number: box_of(item, _MOST_BOX, colours) for number, item in items.items()}
    rows = [
        ([boxes[n] for n in path], [_Step.between(*pair, labels) for pair in pairwise(path)])
        for path in paths
    ]
    lefts = _lefts(rows)
    y = MARGIN
    for row, steps in rows:
        height = max([box.height for box in row] + [2 * step.above + _ARROW_MARGIN for step in steps])
        _draw(picture, row, steps, lefts, y + height / 2)
        y += height + _BETWEEN
        picture.fit(0, y - _BETWEEN)
    return picture


class _Step:
    """The arrows between two boxes: labels of forward links above the line, of backward ones below."""

    def __init__(self, forward: list[str], backward: list[str]):
        self.forward = [line for label in sorted(forward) for line in wrap(label, _MOST_LABEL, _LABEL_SIZE)]
        self.backward = [line for label in sorted(backward) for line in wrap(label, _MOST_LABEL, _LABEL_SIZE)]
        widest = max(text_width(line, _LABEL_SIZE) for line in self.forward + self.backward)
        self.width = widest + 2 * _ARROW_MARGIN
        self.above = max(len(self.forward), len(self.backward)) * LINE_HEIGHT

    @classmethod
    def between(cls, start: int, end: int, labels: Mapping[tuple[int, int], list[str]]) -> _Step:
        """Return the step between two nodes that follow each other."""
        return cls(labels.get((start, end), []), labels.get((end, start), []))


_Row = tuple[list[Box], list[_Step]]


def _lefts(rows: Sequence[_Row]) -> list[float]:
    """Return where the boxes of each place in the paths begin, below each other."""
    lefts = [MARGIN]
    for place in range(max((len(steps) for _, steps in rows), default=0)):
        longer = [(row, steps) for row, steps in rows if len(steps) > place]
        box = max(row[place].width for row, _ in longer)
        lefts.append(lefts[-1] + box + max(steps[place].width for _, steps in longer))
    return lefts


def _draw(
    picture: Picture, row: Sequence[Box], steps: Sequence[_Step], lefts: Sequence[float], middle: float
) -> None:
    placed = [box.at(left, middle - box.height / 2) for box, left in zip(row, lefts, strict=False)]
    picture.boxes += placed
    picture.fit(placed[-1].right, max(box.bottom for box in placed))
    for step, (start, end) in zip(steps, pairwise(placed), strict=True):
        _draw_step(picture, step, start.right, end.x, middle)


def _draw_step(picture: Picture, step: _Step, x: float, end: float, middle: float) -> None:
    both = bool(step.forward and step.backward)
    if step.forward:
        y = middle - 3 if both else middle
        picture.links.append(Link(((x, y), (end, y))))
        for number, line in enumerate(reversed(step.forward)):
            picture.texts.append(Text((x + end) / 2, y - 7 - number * LINE_HEIGHT, line, "middle", "note"))
    if step.backward:
        y = middle + 3 if both else middle
        picture.links.append(Link(((end, y), (x, y))))
        for number, line in enumerate(step.backward):
            picture.texts.append(Text((x + end) / 2, y + 16 + number * LINE_HEIGHT, line, "middle", "note"))
