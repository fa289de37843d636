"""Pictures in pages: a layout of links whose boxes lead to the pages of things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compute_atlas.graph.layout.bowtie import bow_tie
from compute_atlas.graph.layout.parts import Bond, Colours, Item, Picture
from compute_atlas.graph.layout.strip import strip
from compute_atlas.server.pages import View

SHOWN = 7


@dataclass(frozen=True)
class Relation:
    """The things that one predicate links to the thing of a page, by label; `anchor` is where all stand."""

    predicate: str
    things: tuple[str, ...]
    is_incoming: bool
    anchor: str
    label: str
    lang: str | None


@dataclass(frozen=True)
class Chip:
    """What a box stands for: where it leads, the language of its text, its own text if it is no thing."""

    href: str
    lang: str | None
    text: str | None = None


@dataclass(frozen=True)
class Drawn:
    """A picture, and what its boxes stand for by the number of their item."""

    picture: Picture
    chips: dict[int, Chip]


def draw_relations(view: View, center: str, relations: Sequence[Relation]) -> Drawn:
    """Return the bow-tie of a thing, with at most seven others a relation and the way to the rest."""
    items: dict[int, Item] = {}
    chips: dict[int, Chip] = {}
    bonds: list[Bond] = []

    def add(iri: str) -> int:
        number, shown = len(items), view.name(iri)
        items[number] = Item(number, shown.value, _kind(view, iri))
        chips[number] = Chip(view.link(iri), shown.lang)
        return number

    add(center)
    for relation in relations:
        head = relation.label
        for iri in relation.things[:SHOWN]:
            bonds.append(_bond(add(iri), head, relation))
        left = len(relation.things) - SHOWN
        if left > 0:
            number = len(items)
            # The full-width sign sorts behind the labels, where the way to the rest belongs.
            items[number] = Item(number, f"＋{left}")
            chips[number] = Chip(f"#{relation.anchor}", None, f"+{left}")
            bonds.append(_bond(number, head, relation))
    return Drawn(bow_tie(items, bonds, 0, Colours(item.type for item in items.values())), chips)


def draw_paths(view: View, paths: Sequence[Sequence[str]], links: Mapping[tuple[str, str], str]) -> Drawn:
    """Return paths as strips; `links` has the label for each pair of things that are linked in this order."""
    iris = list(dict.fromkeys(iri for path in paths for iri in path))
    numbers = {iri: number for number, iri in enumerate(iris)}
    shown = {iri: view.name(iri) for iri in iris}
    items = {n: Item(n, shown[iri].value, _kind(view, iri)) for iri, n in numbers.items()}
    bonds = [Bond(numbers[start], numbers[end], label, label) for (start, end), label in links.items()]
    walks = [[numbers[iri] for iri in path] for path in paths]
    chips = {numbers[iri]: Chip(view.link(iri), shown[iri].lang) for iri in iris}
    return Drawn(strip(items, bonds, walks, Colours(item.type for item in items.values())), chips)


def _bond(number: int, head: str, relation: Relation) -> Bond:
    ends = (number, 0) if relation.is_incoming else (0, number)
    return Bond(*ends, head, relation.predicate)


def _kind(view: View, iri: str) -> str:
    thing = view.index.things.get(iri)
    return thing.types[0] if thing and thing.types else ""
