"""The parts of a picture of a graph, whatever its layout: boxes, links, texts, dots, a legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from compute_atlas.graph.layout.text import FONT_SIZE, LINE_HEIGHT, text_width, wrap

MARGIN = 24.0
GAP = 8.0
_PADDING_X, _PADDING_Y = 10.0, 6.0
_MOST_LINES = 8
_SWATCH = 12.0


@dataclass(frozen=True)
class Item:
    """A node to draw: its place in the order, its label, its classes by their short name and as a label."""

    number: int
    label: str
    type: str = ""
    type_label: str = ""


@dataclass(frozen=True)
class Bond:
    """An edge to draw, by the places of its ends; `kind` differs for each predicate."""

    source: int
    target: int
    label: str
    kind: str


@dataclass(frozen=True)
class Box:
    """A rectangle with lines of text; `colour` counts from 0 (None: that of groups). `item` is its node."""

    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...] = ()
    colour: int | None = None
    item: int | None = None
    title: str = ""
    is_main: bool = False

    def at(self, x: float, y: float) -> Box:
        """Return the box at another place."""
        return replace(self, x=x, y=y)

    @property
    def right(self) -> float:
        """Return the x of the right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Return the y of the lower side."""
        return self.y + self.height

    @property
    def middle(self) -> float:
        """Return the y of the middle."""
        return self.y + self.height / 2

    @property
    def center(self) -> float:
        """Return the x of the middle."""
        return self.x + self.width / 2


@dataclass(frozen=True)
class Text:
    """One line of text; `anchor` is start, middle or end, `style` head, note or plain."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    style: str = "plain"
    is_upright: bool = False
    title: str = ""


@dataclass(frozen=True)
class Link:
    """A line along points, level at each of them; `colour` as of dots, None: plain. A rule has no arrow."""

    points: tuple[tuple[float, float], ...]
    has_arrow: bool = True
    colour: int | None = None
    title: str = ""


@dataclass(frozen=True)
class Dot:
    """A mark whose colour and shape stand for a predicate."""

    x: float
    y: float
    radius: float
    colour: int
    title: str = ""


@dataclass
class Picture:
    """What is to be drawn, groups before their boxes, and how large it is."""

    width: float = 0.0
    height: float = 0.0
    boxes: list[Box] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)

    def fit(self, right: float, bottom: float) -> None:
        """Grow so that this point is inside, with a margin."""
        self.width = max(self.width, right + MARGIN)
        self.height = max(self.height, bottom + MARGIN)


class Colours:
    """A colour for each class or predicate, in order of name."""

    def __init__(self, names: Iterable[str]):
        self._places = {name: place for place, name in enumerate(sorted(set(names)))}

    def of(self, name: str) -> int:
        """Return the colour's number."""
        return self._places[name]


def box_of(item: Item, most: float, colours: Colours, *, is_main: bool = False) -> Box:
    """Return a box at the origin that holds the label of an item, its text no wider than `most`."""
    lines = wrap(item.label, most, bold=is_main)
    title = ""
    if len(lines) > _MOST_LINES:
        lines, title = [*lines[: _MOST_LINES - 1], "…"], item.label
    width = max(text_width(line, bold=is_main) for line in lines) + 2 * _PADDING_X
    height = len(lines) * LINE_HEIGHT + 2 * _PADDING_Y
    return Box(0, 0, width, height, tuple(lines), colours.of(item.type), item.number, title, is_main)


def flow(boxes: Sequence[Box], x: float, y: float, width: float) -> list[Box]:
    """Return the boxes in rows from a place on, as many in a row as its width holds."""
    placed: list[Box] = []
    left, top, row_height = x, y, 0.0
    for box in boxes:
        if left > x and left + box.width > x + width:
            left, top, row_height = x, top + row_height + GAP, 0.0
        placed.append(box.at(left, top))
        left += box.width + GAP
        row_height = max(row_height, box.height)
    return placed


def heading(
    text: str, x: float, y: float, most: float, style: str = "head", anchor: str = "start"
) -> list[Text]:
    """Return a text as lines below each other, the first with its base line one line below y."""
    lines = wrap(text, most, bold=style == "head")
    return [
        Text(x, y + (number + 1) * LINE_HEIGHT - 5, line, anchor, style) for number, line in enumerate(lines)
    ]


def add_note(picture: Picture, text: str) -> None:
    """Add a line of small text below a picture."""
    picture.texts.append(Text(MARGIN, picture.height, text, style="note"))
    picture.fit(MARGIN + text_width(text), picture.height)


def add_legend(picture: Picture, boxes: Iterable[tuple[int, str]], dots: Iterable[tuple[int, str]]) -> None:
    """Add below a picture what its colours mean: of boxes (classes), of dots and links (predicates)."""
    for entries, is_box in ((list(boxes), True), (list(dots), False)):
        if not entries:
            continue
        x, y = MARGIN, picture.height
        right = max(picture.width - MARGIN, 480.0)
        for colour, text in entries:
            width = _SWATCH + 6 + text_width(text) + 18
            if x > MARGIN and x + width > right:
                x, y = MARGIN, y + LINE_HEIGHT + 4
            if is_box:
                picture.boxes.append(Box(x, y, _SWATCH, _SWATCH, colour=colour))
            else:
                picture.dots.append(Dot(x + _SWATCH / 2, y + _SWATCH / 2, _SWATCH / 2, colour))
            picture.texts.append(Text(x + _SWATCH + 6, y + _SWATCH - 1, text, style="note"))
            picture.fit(x + width - 18, y + LINE_HEIGHT - MARGIN + GAP)
            x += width
        picture.height = y + LINE_HEIGHT + GAP
    picture.height += MARGIN - GAP


def size_of(label: str) -> tuple[float, float]:
    """Return width and height of a box for a label on one line, for tools that draw their own boxes."""
    return text_width(label, FONT_SIZE) + 2 * _PADDING_X, LINE_HEIGHT + 2 * _PADDING_Y
