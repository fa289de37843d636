"""Choose the layout that fits a drawing and make the picture: bow-tie, strips, columns or matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compute_atlas.graph.errors import AtlasError, InvalidValue
from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.looks import bonds, items
from compute_atlas.graph.export.svg import render
from compute_atlas.graph.languages import best
from compute_atlas.graph.layout.bowtie import bow_tie
from compute_atlas.graph.layout.columns import columns
from compute_atlas.graph.layout.matrix import matrix
from compute_atlas.graph.layout.parts import Bond, Colours, Item, Picture, add_legend, add_note
from compute_atlas.graph.layout.strip import strip

BOW_TIE, COLUMNS, MATRIX, STRIP = LAYOUTS = ("bow-tie", "columns", "matrix", "strip")
MOST_NODES, MOST_EDGES = 600, 4_000
# With more links the lines between columns cannot be told apart.
_MOST_LINES = 60

_LEFT_OUT = {
    "en": "Links among the neighbours themselves, not drawn: {n}",
    "ja": "図にない、周りのもの同士のリンク: {n}",
    "it": "Collegamenti tra gli elementi vicini, non disegnati: {n}",
}
_WITHOUT_LINKS = {"en": "Without links", "ja": "リンクのないもの", "it": "Senza collegamenti"}


class TooLargeToDraw(AtlasError):
    """A picture of so many nodes or edges could not be read."""

    def __init__(self, nodes: int, edges: int):
        super().__init__(
            f"a picture of {nodes} nodes and {edges} edges cannot be read; at most {MOST_NODES} nodes and"
            f" {MOST_EDGES} edges are drawn: ask for a part (of, class, from and to), or for another format"
        )


def write_svg(drawing: Drawing) -> Iterator[str]:
    """Yield the drawing as a picture in the layout it asks for, else in one that fits.

    Raises TooLargeToDraw, InvalidValue.
    """
    if len(drawing.keys) > MOST_NODES or drawing.edge_count > MOST_EDGES:
        raise TooLargeToDraw(len(drawing.keys), drawing.edge_count)
    listed, links = items(drawing), bonds(drawing)
    layout = drawing.choice.layout or _fitting(drawing, links)
    yield from render(_picture(layout, drawing, listed, links), _title(drawing))


def _fitting(drawing: Drawing, links: Sequence[Bond]) -> str:
    if drawing.center is not None:
        return BOW_TIE
    if drawing.paths:
        return STRIP
    return COLUMNS if len(links) <= _MOST_LINES else MATRIX


def _picture(layout: str, drawing: Drawing, listed: Sequence[Item], links: Sequence[Bond]) -> Picture:
    fills, lines = Colours(item.type for item in listed), Colours(bond.kind for bond in links)
    labels = {item.type: item.type_label for item in listed if item.type}
    classes = [(fills.of(name), label) for name, label in sorted(labels.items())]
    predicates = [(lines.of(kind), label) for kind, label in sorted({b.kind: b.label for b in links}.items())]
    by_number = {item.number: item for item in listed}
    if layout == MATRIX:
        picture = matrix(listed, links, fills, lines, _in_language(_WITHOUT_LINKS, drawing))
        add_legend(picture, [], predicates)
    elif layout == COLUMNS:
        picture = columns(listed, links, fills, lines)
        add_legend(picture, [], predicates)
    elif layout == STRIP:
        picture = strip(by_number, links, _numbers(drawing), fills)
        add_legend(picture, classes, [])
    else:
        center = _center(drawing)
        picture = bow_tie(by_number, links, center, fills)
        hidden = sum(center not in (bond.source, bond.target) for bond in links)
        if hidden:
            add_note(picture, _in_language(_LEFT_OUT, drawing).format(n=hidden))
        add_legend(picture, classes, [])
    return picture


def _center(drawing: Drawing) -> int:
    number = drawing.number(drawing.center) if drawing.center is not None else None
    if number is None:
        mend = "ask for it with `of` and one hop, or take columns or matrix"
        raise InvalidValue("layout", BOW_TIE, "a bow-tie shows one thing with its links", mend)
    return number


def _numbers(drawing: Drawing) -> list[list[int]]:
    """Return the paths by the places of their nodes."""
    if not drawing.paths:
        mend = "ask for paths with `from` and `to`, or take columns or matrix"
        raise InvalidValue("layout", STRIP, "a strip shows paths", mend)
    return [[number for key in path if (number := drawing.number(key)) is not None] for path in drawing.paths]


def _title(drawing: Drawing) -> str:
    if drawing.center is not None:
        return drawing.label(drawing.center)
    if drawing.paths:
        return " → ".join(drawing.label(drawing.paths[0][place]) for place in (0, -1))
    return "Compute Atlas"


def _in_language(texts: dict[str, str], drawing: Drawing) -> str:
    return texts[best(drawing.choice.languages, texts) or "en"]
