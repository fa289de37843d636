"""Write the names of things as an inventory by which Sphinx documents link to them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator

from compute_atlas.graph.languages import fits
from compute_atlas.graph.lookup.labels import KINDS, Label, Thing

PROJECT = "Compute Atlas"
_BLANKS = re.compile(r"\s+")
# Readers look for "NAME TYPE NUMBER"; a name that itself holds "… word number" would be cut there.
_MISREAD = re.compile(r"\S \S+ -?\d+(?: |\Z)")


def write_inventory(things: Iterable[Thing], lang: str, version: str, address: Callable[[str], str]) -> bytes:
    """Return an objects.inv (version 2) with all names in a language, as entries of the type `std:term`.

    Names without a language count for any. `address` gives the address of an IRI's page, relative to where
    the inventory's links start. Of things with the same name the one that it is preferred for is linked.
    Names such as "31 August 2023", which no reader gets right, are left out.
    """
    lines = [f"{name} std:term 1 {address(thing.iri)} -\n" for name, thing in _entries(things, lang)]
    header = (
        f"# Sphinx inventory version 2\n# Project: {PROJECT}\n# Version: {version}\n"
        "# The remainder of this file is compressed using zlib.\n"
    )
    return header.encode() + zlib.compress("".join(lines).encode(), 9)


def _entries(things: Iterable[Thing], lang: str) -> Iterator[tuple[str, Thing]]:
    """Yield each name with the thing that it is best for, sorted; no form that differs in case only."""
    named: dict[str, list[tuple[int, str, Thing]]] = {}
    for thing in things:
        for label in thing.labels if not thing.is_apart else ():
            name = _BLANKS.sub(" ", label.value).strip()
            if _belongs(label, lang) and not _MISREAD.search(name):
                named.setdefault(name, []).append((KINDS.index(label.kind), thing.iri, thing))
    seen: set[tuple[str, str]] = set()
    for name in sorted(named):
        thing = min(named[name])[-1]
        if (name.lower(), thing.iri) not in seen:  # readers find terms in any case
            seen.add((name.lower(), thing.iri))
            yield name, thing


def _belongs(label: Label, lang: str) -> bool:
    return label.lang is None or fits(label.lang, lang)
