"""Mermaid flowcharts, for Markdown pages; Mermaid itself refuses more than 500 edges."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice

from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Edge

MOST_EDGES = 500
MOST_NODES = 500
# Mermaid reads at most 50,000 characters.
_MOST_CHARACTERS = 48_000
_PLAIN = re.compile(r"[^\w ,.()/+:-]|^\s*(?:[-+]|\d+[.)])(?=\s)")


def write_mermaid(drawing: Drawing) -> Iterator[str]:
    """Yield the drawing as a flowchart; one that is too large is cut, and its title says so."""
    lines, edges, nodes = _lines(drawing)
    total_edges, total_nodes = drawing.edge_count, len(drawing.keys)
    if edges < total_edges or nodes < total_nodes:
        shown = f"{edges} of {total_edges} edges, {nodes} of {total_nodes} nodes: Mermaid shows no more"
        yield f"---\ntitle: {json.dumps(shown)}\n---\n"
    yield "flowchart LR\n"
    yield from lines


def _lines(drawing: Drawing) -> tuple[list[str], int, int]:
    """Return the lines that fit, the numbers of edges and of nodes in them."""
    edges = list(islice(drawing.edges(), MOST_EDGES))
    ends = [end for edge in edges for end in (edge.source_number, edge.target_number)]
    wanted = dict.fromkeys(ends) | dict.fromkeys(range(max(0, MOST_NODES - len(set(ends)))))
    labels = {node.number: node.label for node in drawing.nodes() if node.number in wanted}
    lines: list[str] = []
    written: set[int] = set()
    room = _MOST_CHARACTERS
    drawn = 0
    for edge in edges:
        new = [n for n in dict.fromkeys((edge.source_number, edge.target_number)) if n not in written]
        more = [*(_node(number, labels[number]) for number in new), _edge(edge)]
        room -= sum(map(len, more))
        if room < 0:
            return lines, drawn, len(written)
        lines += more
        written.update(new)
        drawn += 1
    for number in sorted(labels.keys() - written):
        line = _node(number, labels[number])
        room -= len(line)
        if room < 0:
            break
        lines.append(line)
        written.add(number)
    return lines, drawn, len(written)


def _node(number: int, label: str) -> str:
    return f'  n{number}["{_escaped(label)}"]\n'


def _edge(edge: Edge) -> str:
    return f'  n{edge.source_number} -->|"{_escaped(edge.label)}"| n{edge.target_number}\n'


def _escaped(label: str) -> str:
    """Return a label with every sign that Mermaid or Markdown may read as its own written as a number."""
    text = " ".join(label.split()) or " "
    return _PLAIN.sub(lambda found: "".join(_code(sign) for sign in found.group()), text)


def _code(sign: str) -> str:
    return sign if sign.isalnum() else f"#{ord(sign)};"
