"""Graphs as JSON: Cytoscape's elements, node-link data of networkx and D3, and CX2 of Cytoscape and NDEx."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Edge
from compute_atlas.graph.export.looks import Look, look

_SEPARATED = (",", ":")
_CX2_LABEL = {"type": "PASSTHROUGH", "definition": {"attribute": "label", "type": "string"}}
_CX2_LOOK = {
    "default": {},
    "nodeMapping": {"NODE_LABEL": _CX2_LABEL},
    "edgeMapping": {"EDGE_LABEL": _CX2_LABEL},
}


def write_cytoscape(drawing: Drawing) -> Iterator[str]:
    """Yield the drawing as Cytoscape JSON (`elements`); networkx wants `value` and `key` besides."""
    looks = look(drawing)
    yield '{"format_version":"1.0","generated_by":"Compute Atlas","data":{"name":"Compute Atlas"},'
    yield '"directed":true,"multigraph":true,"elements":{"nodes":[\n'
    yield from _listed(
        {"data": {"id": node.id, "value": node.id, **node.attributes}, **_position(looks.of(node))}
        for node in drawing.nodes()
    )
    yield '\n],"edges":[\n'
    yield from _listed(
        {"data": {"id": edge.id, "key": edge.id, **_ends(edge), **edge.attributes}}
        for edge in drawing.edges()
    )
    yield "\n]}}\n"


def write_node_link(drawing: Drawing) -> Iterator[str]:
    """Yield the drawing as node-link data with `links`; the key of an edge is its id."""
    yield '{"directed":true,"multigraph":true,"graph":{"name":"Compute Atlas"},"nodes":[\n'
    yield from _listed({"id": node.id, **node.attributes} for node in drawing.nodes())
    yield '\n],"links":[\n'
    yield from _listed(
        {**_ends(edge), "key": edge.id, "id": edge.id, **edge.attributes} for edge in drawing.edges()
    )
    yield "\n]}\n"


def write_cx2(drawing: Drawing) -> Iterator[str]:
    """Yield the drawing as CX2; its ids are whole numbers, ours stand in the column `id`."""
    counts = {"attributeDeclarations": 1, "networkAttributes": 1}
    counts |= {"nodes": len(drawing.keys), "edges": drawing.edge_count, "visualProperties": 1}
    yield '[{"CXVersion":"2.0","hasFragments":false},\n'
    yield (
        _dump({"metaData": [{"name": name, "elementCount": count} for name, count in counts.items()]}) + ",\n"
    )
    yield _dump({"attributeDeclarations": [_cx2_declarations(drawing)]}) + ",\n"
    yield '{"networkAttributes":[{"name":"Compute Atlas"}]},\n{"nodes":[\n'
    yield from _listed(_cx2_nodes(drawing))
    yield '\n]},\n{"edges":[\n'
    yield from _listed(
        {
            "id": number,
            "s": edge.source_number,
            "t": edge.target_number,
            "v": {"id": edge.id, **edge.attributes},
        }
        for number, edge in enumerate(drawing.edges())
    )
    yield f'\n]}},\n{{"visualProperties":[{_dump(_CX2_LOOK)}]}},\n{{"status":[{{"success":true}}]}}]\n'


def _cx2_declarations(drawing: Drawing) -> dict[str, Any]:
    declared = {
        what: {"id": {"d": "string"}, **{column.name: {"d": column.type} for column in columns}}
        for what, columns in (("nodes", drawing.node_columns), ("edges", drawing.edge_columns))
    }
    return {"networkAttributes": {"name": {"d": "string"}}, **declared}


def _cx2_nodes(drawing: Drawing) -> Iterator[dict[str, Any]]:
    looks = look(drawing)
    for node in drawing.nodes():
        seen = looks.of(node)
        place = {} if seen.x is None else {"x": seen.x, "y": seen.y}
        yield {"id": node.number, **place, "v": {"id": node.id, **node.attributes}}


def _ends(edge: Edge) -> dict[str, str]:
    return {"source": edge.source, "target": edge.target}


def _position(seen: Look) -> dict[str, Any]:
    return {} if seen.x is None else {"position": {"x": seen.x, "y": seen.y}}


def _listed(items: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the items as JSON, one a line."""
    between = ""
    for item in items:
        yield between + _dump(item)
        between = ",\n"


def _dump(item: object) -> str:
    return json.dumps(item, ensure_ascii=False, allow_nan=False, separators=_SEPARATED)
