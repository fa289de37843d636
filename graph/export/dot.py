"""DOT, for Graphviz and Gephi: every name quoted, no default statements (Gephi stops at them)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from compute_atlas.graph.export.columns import Value
from compute_atlas.graph.export.drawing import Drawing

_FONT = "Noto Sans CJK JP"
_LABEL_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\n", "\r\n": "\\n"}
_ENTITY = re.compile(r"&(?=#?\w+;)")
# Attributes that mean nothing to Graphviz; any other name may be one of its own, such as `image`.
_HARMLESS = re.compile(r"(?:iri|type|interaction|predicate|kind|(?:label|alt)_\w+)\Z")
# In DOT the name of a node is its id.
_BUILT_IN = ("label", "name")


def write_dot(drawing: Drawing) -> Iterator[str]:
    """Yield the drawing as DOT; columns of data have `data_` before their names."""
    yield 'digraph "Compute Atlas" {\n'
    for node in drawing.nodes():
        attributes = _attributes(node.label, node.attributes)
        yield f'{_quoted(node.id)} [{attributes}, shape="box", style="rounded"];\n'
    attributes_of: dict[str, str] = {}
    for edge in drawing.edges():
        if edge.kind not in attributes_of:
            attributes_of[edge.kind] = _attributes(edge.label, edge.attributes)
        ends = f"{_quoted(edge.source)} -> {_quoted(edge.target)}"
        yield f"{ends} [id={_quoted(edge.id)}, {attributes_of[edge.kind]}];\n"
    yield "}\n"


def _attributes(label: str, attributes: Mapping[str, Value]) -> str:
    others = [
        f"{_quoted(name if _HARMLESS.match(name) else f'data_{name}')}={_quoted(str(value))}"
        for name, value in attributes.items()
        if name not in _BUILT_IN
    ]
    return ", ".join([f"label={_label(label)}", f'fontname="{_FONT}"', *others])


def _label(text: str) -> str:
    """Return a text where Graphviz interprets escapes and entities."""
    text = _ENTITY.sub("&amp;", text)
    return '"' + re.sub(r'\\|"|\r\n|\n|\r', lambda found: _LABEL_ESCAPES[found.group()], text) + '"'


def _quoted(text: str) -> str:
    """Return a text where Graphviz only looks for the end.

    There a backslash is itself, but not before a quote, a line's end or the end: these get an even number.
    """
    even = re.sub(r'(\\+)(?=["\r\n]|\Z)', lambda found: found[1] + "\\" * (len(found[1]) % 2), text)
    return '"' + even.replace('"', '\\"') + '"'
