"""Write a picture as SVG with its own style, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, starmap

from compute_atlas.graph.export.looks import FILLS
from compute_atlas.graph.export.text import xml_text
from compute_atlas.graph.layout.parts import Box, Dot, Link, Picture, Text
from compute_atlas.graph.layout.text import LINE_HEIGHT

_DARK_FILLS = [
    "#1f3a5f",
    "#25472a",
    "#5a3d17",
    "#522a4b",
    "#544a12",
    "#164848",
    "#3b2f6b",
    "#5e2a2a",
    "#454a24",
    "#3a4250",
    "#57392a",
    "#1d4a37",
]
_LINES = [
    "#1f6fd6",
    "#2c8a36",
    "#c76a00",
    "#a83a96",
    "#8a7500",
    "#0b8585",
    "#6a4fd0",
    "#cc3b3b",
    "#6b7a1f",
    "#5b6775",
    "#a8562a",
    "#1a8a5f",
]
_DARK_LINES = [
    "#7db4ff",
    "#7fd18a",
    "#ffb45c",
    "#e58ad6",
    "#e0cc55",
    "#5fd6d6",
    "#b3a2ff",
    "#ff8f8f",
    "#c3d072",
    "#aab6c5",
    "#e5a27c",
    "#6fdcb0",
]
# What stands for the first twelve predicates is a circle, for the next ones a polygon.
_CORNERS = (
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    ((0, -1.1), (1.1, 0.9), (-1.1, 0.9)),
)
_RULES = """text{font-size:13px;font-family:"Noto Sans","Noto Sans CJK JP","Hiragino Sans","Yu Gothic UI",
Meiryo,"DejaVu Sans",sans-serif;fill:var(--ink);unicode-bidi:plaintext;white-space:pre}
.head,.main{font-weight:bold}.note{font-size:12px;fill:var(--soft)}.paper{fill:var(--paper)}.tip{fill:var(--soft)}
.box{stroke:var(--edge)}.first{stroke:var(--ink);stroke-width:2}.group{fill:var(--group);stroke:var(--edge)}
.link,.rule{fill:none;stroke:var(--soft);stroke-width:1.3}.rule{stroke:var(--edge);stroke-width:.5}
"""
_LIGHT = "--paper:#fff;--ink:#1b1f24;--soft:#57606a;--edge:#b4bcc6;--group:#f4f6f8"
_DARK = "--paper:#0d1117;--ink:#e6edf3;--soft:#9aa6b2;--edge:#4b5663;--group:#161c24"


def render(picture: Picture, title: str) -> Iterator[str]:
    """Yield the picture as an SVG document."""
    width, height = f"{picture.width:.0f}", f"{picture.height:.0f}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" role="img">\n<title>{xml_text(title)}</title>\n'
        f"<style>{_style(picture)}</style>\n"
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8"'
        ' markerUnits="userSpaceOnUse" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>\n'
        f'<rect class="paper" width="{width}" height="{height}"/>\n'
    )
    yield from (_box(box) for box in picture.boxes if box.colour is None)
    yield from map(_link, picture.links)
    yield from (_box(box) for box in picture.boxes if box.colour is not None)
    yield from map(_dot, picture.dots)
    yield from map(_text, picture.texts)
    yield "</svg>\n"


def _style(picture: Picture) -> str:
    """Return the rules that the picture uses, the colours in both tones."""
    fills = sorted({box.colour % len(FILLS) for box in picture.boxes if box.colour is not None})
    colours = {dot.colour for dot in picture.dots} | {link.colour for link in picture.links}
    lines = sorted({colour % len(_LINES) for colour in colours if colour is not None})

    def tones(base: str, fill: list[str], line: list[str]) -> str:
        colours = [f"--f{n}:{fill[n]}" for n in fills] + [f"--l{n}:{line[n]}" for n in lines]
        return ";".join([base, *colours])

    light, dark = tones(_LIGHT, FILLS, _LINES), tones(_DARK, _DARK_FILLS, _DARK_LINES)
    rules = [f".f{n}{{fill:var(--f{n})}}" for n in fills]
    rules += [f".l{n}{{stroke:var(--l{n})}}.d{n}{{fill:var(--l{n})}}" for n in lines]
    dark_rule = f"@media (prefers-color-scheme:dark){{svg{{{dark}}}}}"
    return f"\nsvg{{{light}}}\n{dark_rule}\n{_RULES}{''.join(rules)}\n"


def _box(box: Box) -> str:
    if box.colour is None:
        kind = "group"
    else:
        kind = f"box f{box.colour % len(FILLS)}" + (" first" if box.is_main else "")
    place = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    rect = f'<rect class="{kind}" {place} rx="{min(7.0, box.height / 4):.0f}"/>'
    top = box.middle - len(box.lines) * LINE_HEIGHT / 2
    style = "main" if box.is_main else "plain"
    lines = "".join(
        _text(Text(box.center, top + (number + 1) * LINE_HEIGHT - 5, line, "middle", style))
        for number, line in enumerate(box.lines)
    )
    return _with_title(f"{rect}{lines}", box.title)


def _text(text: Text) -> str:
    style = "" if text.style == "plain" else f' class="{text.style}"'
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    x, y = f"{text.x:.1f}", f"{text.y:.1f}"
    turn = f' transform="rotate(-90 {x} {y})"' if text.is_upright else ""
    element = f'<text{style} x="{x}" y="{y}"{anchor}{turn}>{xml_text(text.text)}</text>'
    return _with_title(element, text.title)


def _link(link: Link) -> str:
    way = "M{:.1f} {:.1f}".format(*link.points[0]) + "".join(starmap(_stretch, pairwise(link.points)))
    kind = "link" if link.has_arrow else "rule"
    colour = "" if link.colour is None else f" l{link.colour % len(_LINES)}"
    arrow = ' marker-end="url(#arrow)"' if link.has_arrow else ""
    return _with_title(f'<path class="{kind}{colour}" d="{way}"{arrow}/>', link.title)


def _stretch(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return a straight line to a point beside or below, else a curve that is level at both ends."""
    (x, y), (end_x, end_y) = start, end
    if y == end_y or x == end_x:
        return f"L{end_x:.1f} {end_y:.1f}"
    half = (x + end_x) / 2
    return f"C{half:.1f} {y:.1f} {half:.1f} {end_y:.1f} {end_x:.1f} {end_y:.1f}"


def _dot(dot: Dot) -> str:
    """Return a circle, and with more predicates than colours a square, a diamond or a triangle."""
    x, y, r = dot.x, dot.y, dot.radius
    shape, colour = divmod(dot.colour, len(_LINES))
    kind = f'class="d{colour}"'
    if shape == 0:
        element = f'<circle {kind} cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"/>'
    else:
        corners = _CORNERS[(shape - 1) % len(_CORNERS)]
        points = " ".join(f"{x + dx * r:.1f},{y + dy * r:.1f}" for dx, dy in corners)
        element = f'<polygon {kind} points="{points}"/>'
    return _with_title(element, dot.title)


def _with_title(elements: str, title: str) -> str:
    """Return elements with the text that a browser shows when one points at them."""
    return f"<g><title>{xml_text(title)}</title>{elements}</g>\n" if title else f"{elements}\n"
