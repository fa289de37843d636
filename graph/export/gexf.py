"""GEXF 1.3, for Gephi: columns, the kind of each edge, and colour, size and place of small graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from compute_atlas.graph.export.columns import Column, Value
from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Edge, Node
from compute_atlas.graph.export.looks import Looks, look
from compute_atlas.graph.export.text import xml_attribute

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xsi:schemaLocation="http://gexf.net/1.3 http://gexf.net/1.3/gexf.xsd" version="1.3">\n'
    "<meta><creator>Compute Atlas</creator></meta>\n"
    '<graph defaultedgetype="directed" mode="static">\n'
)
# Label and kind have places of their own.
_BUILT_IN = ("label", "kind")


def write_gexf(drawing: Drawing) -> Iterator[str]:
    """Yield the drawing as GEXF."""
    looks = look(drawing)
    node_ids, edge_ids = _ids(drawing.node_columns), _ids(drawing.edge_columns)
    yield _HEAD
    yield _declared("node", drawing.node_columns, node_ids)
    yield _declared("edge", drawing.edge_columns, edge_ids)
    yield f'<nodes count="{len(drawing.keys)}">\n'
    for node in drawing.nodes():
        yield f"<node id={xml_attribute(node.id)} label={xml_attribute(node.label)}>\n"
        yield f"{_values(node.attributes, node_ids)}{_appearance(node, looks)}</node>\n"
    yield f'</nodes>\n<edges count="{drawing.edge_count}">\n'
    values_of: dict[str, str] = {}
    for edge in drawing.edges():
        if edge.kind not in values_of:
            values_of[edge.kind] = _values(edge.attributes, edge_ids)
        yield f"<edge {_edge(edge)}>\n{values_of[edge.kind]}</edge>\n"
    yield "</edges>\n</graph>\n</gexf>\n"


def _ids(columns: Iterable[Column]) -> dict[str, str]:
    names = [column.name for column in columns if column.name not in _BUILT_IN]
    return {name: str(number) for number, name in enumerate(names)}


def _declared(what: str, columns: Iterable[Column], ids: Mapping[str, str]) -> str:
    lines = [
        f'<attribute id="{ids[name]}" title={xml_attribute(name)} type="{column.type}"/>\n'
        for column in columns
        if (name := column.name) in ids
    ]
    return f'<attributes class="{what}" mode="static">\n{"".join(lines)}</attributes>\n'


def _values(attributes: Mapping[str, Value], ids: Mapping[str, str]) -> str:
    lines = [
        f'<attvalue for="{ids[name]}" value={xml_attribute(value)}/>\n'
        for name, value in attributes.items()
        if name in ids
    ]
    return f"<attvalues>\n{''.join(lines)}</attvalues>\n"


def _edge(edge: Edge) -> str:
    values = {
        "id": edge.id,
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind,
        "label": edge.label,
    }
    return " ".join(f"{name}={xml_attribute(value)}" for name, value in values.items())


def _appearance(node: Node, looks: Looks) -> str:
    seen = looks.of(node)
    if seen.x is None or seen.y is None:
        return ""
    red, green, blue = (int(seen.colour[place : place + 2], 16) for place in (1, 3, 5))
    return (
        f'<viz:color r="{red}" g="{green}" b="{blue}"/>\n<viz:size value="{seen.size:.1f}"/>\n'
        f'<viz:position x="{seen.x:.1f}" y="{-seen.y:.1f}" z="0.0"/>\n'
    )
