"""GraphML: for networkx, igraph, Gephi and Cytoscape; and with yEd's shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from compute_atlas.graph.export.columns import Column, Value
from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Edge, Node
from compute_atlas.graph.export.looks import Look, look
from compute_atlas.graph.export.text import xml_attribute, xml_text

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    "{more} xsi:schemaLocation="
    '"http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">\n'
)
_YED = ' xmlns:y="http://www.yworks.com/xml/graphml"'
_YED_KEYS = (
    '<key id="shape" for="node" yfiles.type="nodegraphics"/>\n'
    '<key id="line" for="edge" yfiles.type="edgegraphics"/>\n'
)


def write_graphml(drawing: Drawing) -> Iterator[str]:
    """Yield the drawing as GraphML with a key for each column."""
    return _written(drawing, "", "", lambda node: "", lambda edge: "")


def write_yed(drawing: Drawing) -> Iterator[str]:
    """Yield the drawing as GraphML with boxes, colours, labels and arrows as yEd shows them."""
    looks = look(drawing)
    return _written(drawing, _YED, _YED_KEYS, lambda node: _shape(node, looks.of(node)), _line)


def _written(
    drawing: Drawing,
    namespace: str,
    more_keys: str,
    of_node: Callable[[Node], str],
    of_edge: Callable[[Edge], str],
) -> Iterator[str]:
    """Yield a document; `of_node` and `of_edge` give what stands in an element after its data."""
    node_keys, edge_keys = _ids("n", drawing.node_columns), _ids("e", drawing.edge_columns)
    yield _HEAD.format(more=namespace)
    yield _declared("node", drawing.node_columns, node_keys)
    yield _declared("edge", drawing.edge_columns, edge_keys)
    yield f'{more_keys}<graph id="G" edgedefault="directed">\n'
    for node in drawing.nodes():
        inside = _data(node.attributes, node_keys) + of_node(node)
        yield f"<node id={xml_attribute(node.id)}>\n{inside}</node>\n"
    inside_of: dict[str, str] = {}
    for edge in drawing.edges():
        if edge.kind not in inside_of:
            inside_of[edge.kind] = _data(edge.attributes, edge_keys) + of_edge(edge)
        yield f"<edge {_ends(edge)}>\n{inside_of[edge.kind]}</edge>\n"
    yield "</graph>\n</graphml>\n"


def _declared(domain: str, columns: Iterable[Column], keys: Mapping[str, str]) -> str:
    return "".join(
        f'<key id="{keys[column.name]}" for="{domain}" attr.name={xml_attribute(column.name)}'
        f' attr.type="{column.type}"/>\n'
        for column in columns
    )


def _ids(letter: str, columns: Iterable[Column]) -> dict[str, str]:
    return {column.name: f"{letter}{number}" for number, column in enumerate(columns)}


def _data(attributes: Mapping[str, Value], keys: Mapping[str, str]) -> str:
    return "".join(
        f'<data key="{keys[name]}">{xml_text(value)}</data>\n' for name, value in attributes.items()
    )


def _ends(edge: Edge) -> str:
    return (
        f"id={xml_attribute(edge.id)} source={xml_attribute(edge.source)} target={xml_attribute(edge.target)}"
    )


def _shape(node: Node, seen: Look) -> str:
    place = ""
    if seen.x is not None and seen.y is not None:
        place = f' x="{seen.x - seen.width / 2:.1f}" y="{seen.y - seen.height / 2:.1f}"'
    return (
        '<data key="shape"><y:ShapeNode>'
        f'<y:Geometry height="{seen.height:.1f}" width="{seen.width:.1f}"{place}/>'
        f'<y:Fill color="{seen.colour}" transparent="false"/>'
        '<y:BorderStyle color="#444444" type="line" width="1.0"/>'
        f"<y:NodeLabel>{xml_text(node.label)}</y:NodeLabel>"
        '<y:Shape type="roundrectangle"/></y:ShapeNode></data>\n'
    )


def _line(edge: Edge) -> str:
    return (
        '<data key="line"><y:PolyLineEdge><y:LineStyle color="#444444" type="line" width="1.0"/>'
        '<y:Arrows source="none" target="standard"/>'
        f"<y:EdgeLabel>{xml_text(edge.label)}</y:EdgeLabel></y:PolyLineEdge></data>\n"
    )
