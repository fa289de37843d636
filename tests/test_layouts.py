"""Pictures: nothing overlaps, nothing is cut, and those of the README are what the command makes."""

from __future__ import annotations

import re
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from compute_atlas.graph.export import parts
from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Choice
from compute_atlas.graph.export.formats import FORMATS, export
from compute_atlas.graph.export.looks import bonds, items
from compute_atlas.graph.layout.bowtie import bow_tie
from compute_atlas.graph.layout.columns import columns
from compute_atlas.graph.layout.matrix import matrix
from compute_atlas.graph.layout.parts import Bond, Box, Colours, Item, Picture
from compute_atlas.graph.layout.strip import strip
from compute_atlas.graph.layout.text import natural_key, text_width, wrap
from compute_atlas.graph.walking.links import Filter
from compute_atlas.graph.walking.paths import Question
from compute_atlas.graph.walking.projection import project
from compute_atlas.ontology.names import iri
from pyoxigraph import Store

from tests.drawings import HOSTILE, hostile_store

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
# What the README shows, and how each picture is made.
PICTURES = {
    "ncv3-ja.svg": ("--of", "series/NCv3", "--lang", "ja"),
    "path-it.svg": ("--from", "size/Standard_NC24rs_v3", "--to", "use/designer", "--lang", "it"),
}
Cli = Callable[..., subprocess.CompletedProcess[str]]


def pictures_of(drawing: Drawing) -> dict[str, Picture]:
    """Return a drawing in every layout that it can have."""
    listed, links = items(drawing), bonds(drawing)
    fills, lines = Colours(item.type for item in listed), Colours(bond.kind for bond in links)
    by_number = {item.number: item for item in listed}
    center = max(by_number, key=lambda n: sum(n in (bond.source, bond.target) for bond in links))
    one_way = [[bond.source, bond.target] for bond in links[:5]]
    return {
        "columns": columns(listed, links, fills, lines),
        "matrix": matrix(listed, links, fills, lines, "Without links"),
        "bow-tie": bow_tie(by_number, links, center, fills),
        "strip": strip(by_number, links, one_way, fills),
    }


def overlap(one: Box, other: Box) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def require_sound(picture: Picture) -> None:
    """Assert that boxes of things do not overlap, hold their text, and that all is on the page."""
    things = [box for box in picture.boxes if box.item is not None]
    assert [pair for pair in combinations(things, 2) if overlap(*pair)] == []
    for box in picture.boxes:
        assert min(box.x, box.y) >= 0
        assert box.right <= picture.width
        assert box.bottom <= picture.height
        assert all(text_width(line, bold=box.is_main) <= box.width for line in box.lines)
    for text in picture.texts:
        width = text_width(text.text, bold=text.style == "head")
        left = text.x - {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
        if not text.is_upright:
            assert left >= 0, text.text
            assert left + width <= picture.width, text.text
        else:
            assert text.y - width >= 0, text.text
        assert 0 <= text.y <= picture.height


@pytest.mark.parametrize("lang", ["ja", "it", "en"])
def test_pictures_of_our_graph_are_sound(store: Store, lang: str) -> None:
    for picture in pictures_of(
        parts.of_classes(store, Choice((lang,)), [iri("ontology#ComputeTarget")])
    ).values():
        require_sound(picture)


def test_pictures_of_hostile_labels_are_sound() -> None:
    for picture in pictures_of(parts.whole(hostile_store(), Choice())).values():
        require_sound(picture)


def test_frames_of_a_bow_tie_hold_their_boxes(store: Store) -> None:
    drawing = parts.neighbourhood(store, Choice(("ja",)), iri("series/NCv3"), 1)
    listed = {item.number: item for item in items(drawing)}
    center = drawing.number(iri("series/NCv3"))
    assert center is not None
    picture = bow_tie(listed, bonds(drawing), center, Colours(item.type for item in listed.values()))
    frames = [box for box in picture.boxes if box.item is None]
    members = [box for box in picture.boxes if box.item is not None and not box.is_main]
    assert len(frames) == 6
    for box in members:
        assert any(
            frame.x <= box.x and box.right <= frame.right and frame.y <= box.y and box.bottom <= frame.bottom
            for frame in frames
        )
    assert not any(overlap(*pair) for pair in combinations(frames, 2))


def test_links_pass_no_box_in_columns(store: Store) -> None:
    drawing = parts.of_classes(store, Choice(("it",)), [iri("ontology#ComputeTarget")])
    listed, links = items(drawing), bonds(drawing)
    picture = columns(listed, links, Colours(i.type for i in listed), Colours(b.kind for b in links))
    crossed = [
        (link.title, box.lines)
        for link in picture.links
        for (x, y), (end_x, end_y) in pairwise(link.points)
        for box in picture.boxes
        if y == end_y and min(x, end_x) < box.right and box.x < max(x, end_x) and box.y < y < box.bottom
    ]
    assert crossed == []


def test_a_long_label_is_broken_and_never_lost() -> None:
    text = "コンピューティング ターゲット、「マネージド」 and Supercalifragilisticexpialidocious-words"
    for most in (40.0, 90.0, 300.0):
        lines = wrap(text, most)
        assert "".join("".join(lines).split()) == "".join(text.split())
        assert not any(line.startswith(("、", "ー", "」")) for line in lines[1:])
    assert all(text_width(line) <= 90.0 for line in wrap(text, 90.0))


def test_wide_signs_are_wide() -> None:
    assert text_width("計算") == 2 * 13.0
    assert text_width("ｱ") < text_width("ア")
    assert text_width("é") == text_width("e\u0301") or text_width("e\u0301") <= text_width("é")


def test_numbers_are_ordered_by_value() -> None:
    assert sorted(["CUDA 10.0", "CUDA 9.2", "CUDA 9.10"], key=natural_key) == [
        "CUDA 9.2",
        "CUDA 9.10",
        "CUDA 10.0",
    ]


def test_a_label_of_a_thousand_words_is_cut_with_all_of_it_at_hand() -> None:
    item = Item(0, "word " * 1000)
    picture = columns([item], [Bond(0, 0, "p", "p")], Colours([""]), Colours(["p"]))
    box = picture.boxes[0]
    assert (len(box.lines), box.title) == (8, item.label)


def test_svg_is_well_formed_whatever_the_labels() -> None:
    for layout in ("columns", "matrix"):
        content = b"".join(export(parts.whole(hostile_store(), Choice(layout=layout)), FORMATS["svg"]))
        shown = " ".join(ElementTree.fromstring(content).itertext())
        flat = re.sub(r"\s+", "", shown)
        for label in HOSTILE[:4]:
            assert re.sub(r"\s+", "", label) in flat


def test_a_path_is_drawn_with_both_directions(store: Store) -> None:
    question = Question(iri("series/NCv3"), iri("size/Standard_NC24rs_v3"), filter=Filter(both_ways=True))
    drawing = parts.between(store, Choice(("it",)), question, project(store))
    text = b"".join(export(drawing, FORMATS["svg"])).decode()
    assert (text.count("marker-end"), "ha la dimensione" in text, "appartiene alla serie" in text) == (
        2,
        True,
        True,
    )


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_of_the_readme_are_fresh(name: str, cli: Cli, request: pytest.FixtureRequest) -> None:
    """Made by `compute-atlas export svg …`; --rewrite-golden writes them again."""
    made = cli("export", "svg", *PICTURES[name])
    assert made.returncode == 0, made.stderr
    if request.config.getoption("--rewrite-golden"):
        IMAGES.mkdir(parents=True, exist_ok=True)
        (IMAGES / name).write_text(made.stdout, encoding="utf-8")
    assert (IMAGES / name).read_text(encoding="utf-8") == made.stdout
