"""Places, sizes and colours of nodes for tools that take them, from our own layout; small graphs only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Node
from compute_atlas.graph.layout.columns import places
from compute_atlas.graph.layout.parts import Bond, Box, Colours, Item, size_of

# Above these a layout takes too long and says nothing; the tools have their own for large graphs.
MOST_NODES, MOST_EDGES = 1_000, 5_000

FILLS = [
    "#cfe3ff",
    "#d6f0cf",
    "#ffe2bd",
    "#f3d3ec",
    "#fff0ad",
    "#c8eded",
    "#e2dbff",
    "#ffd0d0",
    "#e1e8c4",
    "#d8dee7",
    "#f6dac8",
    "#c4ead6",
]
_SMALLEST = 10.0


@dataclass(frozen=True)
class Look:
    """How a node looks: the middle of its box (None in a large graph), the box, a radius, a colour."""

    x: float | None
    y: float | None
    width: float
    height: float
    size: float
    colour: str


@dataclass(frozen=True)
class Looks:
    """The boxes of all nodes by their place in the order, none in a large graph."""

    boxes: dict[int, Box]
    degrees: Counter[int]

    def of(self, node: Node) -> Look:
        """Return the look of a node."""
        box = self.boxes.get(node.number)
        if box is None:
            return Look(None, None, *size_of(node.label), _SMALLEST, FILLS[0])
        size = _SMALLEST + 2.0 * self.degrees[node.number] ** 0.5
        colour = FILLS[(box.colour or 0) % len(FILLS)]
        return Look(round(box.center, 1), round(box.middle, 1), box.width, box.height, size, colour)


def look(drawing: Drawing) -> Looks:
    """Return the looks of the nodes."""
    if len(drawing.keys) > MOST_NODES or drawing.edge_count > MOST_EDGES:
        return Looks({}, Counter())
    listed, links = items(drawing), bonds(drawing)
    degrees = Counter(end for bond in links for end in (bond.source, bond.target))
    return Looks(places(listed, links, Colours(item.type for item in listed)), degrees)


def items(drawing: Drawing) -> list[Item]:
    """Return the nodes as a layout takes them."""
    labels: dict[tuple[str, ...], str] = {}
    found: list[Item] = []
    for node in drawing.nodes():
        if node.types not in labels:
            labels[node.types] = " + ".join(sorted(map(drawing.label, node.types)))
        found.append(Item(node.number, node.label, node.type, labels[node.types]))
    return found


def bonds(drawing: Drawing) -> list[Bond]:
    """Return the edges as a layout takes them."""
    return [Bond(edge.source_number, edge.target_number, edge.label, edge.kind) for edge in drawing.edges()]
