"""The bow-tie of a thing: what leads to it on its left, what it leads to on its right, by predicate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    flow,
    heading,
)
from compute_atlas.graph.layout.text import LINE_HEIGHT, natural_key, text_width

_MOST_BOX, _MOST_CENTER = 250.0, 220.0
_MOST_GROUP = 330.0
_INSET = 10.0
_GUTTER = 110.0
_BETWEEN = 16.0


def bow_tie(items: Mapping[int, Item], bonds: Sequence[Bond], center: int, colours: Colours) -> Picture:
    """Return the picture of the links from and to one item; links between the others are left out."""
    picture = Picture()
    left = [_group(*group, items, colours) for group in _grouped(bonds, center, incoming=True)]
    right = [_group(*group, items, colours) for group in _grouped(bonds, center, incoming=False)]
    middle_x = MARGIN + (max((group.width for group in left), default=0.0) + _GUTTER if left else 0.0)
    main = box_of(items[center], _MOST_CENTER, colours, is_main=True)
    height = max(_height(left), _height(right), main.height)
    main = main.at(middle_x, MARGIN + (height - main.height) / 2)
    picture.boxes.append(main)
    picture.fit(main.right, main.bottom)
    _place(picture, left, main, height, incoming=True)
    _place(picture, right, main, height, incoming=False)
    return picture


class _Group:
    """The items linked by one predicate, in a frame with the predicate's label; placed at the origin."""

    def __init__(self, texts: list[Text], boxes: list[Box]):
        self.texts, self.boxes = texts, boxes
        widest = max(text_width(text.text, bold=True) for text in texts)
        self.width = max(widest + _INSET, *(box.right for box in boxes)) + _INSET
        self.height = max(box.bottom for box in boxes) + _INSET


def _grouped(bonds: Sequence[Bond], center: int, *, incoming: bool) -> list[tuple[str, list[int]]]:
    groups: dict[tuple[str, str], list[int]] = {}
    for bond in bonds:
        here, there = (bond.target, bond.source) if incoming else (bond.source, bond.target)
        if here == center and not (incoming and there == center):
            groups.setdefault((bond.label, bond.kind), []).append(there)
    return [(label, numbers) for (label, _), numbers in sorted(groups.items())]


def _group(label: str, numbers: list[int], items: Mapping[int, Item], colours: Colours) -> _Group:
    ordered = sorted(
        (items[number] for number in numbers), key=lambda item: (natural_key(item.label), item.number)
    )
    inside = _MOST_GROUP - 2 * _INSET
    texts = heading(label, _INSET, GAP / 2, inside)
    top = GAP / 2 + len(texts) * LINE_HEIGHT + GAP / 2
    return _Group(texts, flow([box_of(item, _MOST_BOX, colours) for item in ordered], _INSET, top, inside))


def _height(groups: Sequence[_Group]) -> float:
    return sum(group.height for group in groups) + _BETWEEN * max(0, len(groups) - 1)


def _place(picture: Picture, groups: Sequence[_Group], main: Box, height: float, *, incoming: bool) -> None:
    width = max((group.width for group in groups), default=0.0)
    x = MARGIN if incoming else main.right + _GUTTER
    y = MARGIN + (height - _height(groups)) / 2
    for number, group in enumerate(groups):
        frame = Box(x, y, width, group.height)
        picture.boxes += [frame, *(box.at(box.x + x, box.y + y) for box in group.boxes)]
        picture.texts += [Text(text.x + x, text.y + y, text.text, style="head") for text in group.texts]
        picture.fit(frame.right, frame.bottom)
        # The ends at the main box are spread, so that arrows do not lie upon each other.
        knot = main.y + main.height * (number + 1) / (len(groups) + 1)
        side = (frame.right, frame.middle) if incoming else (frame.x, frame.middle)
        if incoming:
            picture.links.append(Link((side, (main.x, knot))))
        else:
            picture.links.append(Link(((main.right, knot), side)))
        y = frame.bottom + _BETWEEN
