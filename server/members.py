"""The members of classes, listed once for each snapshot of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import short_type
from compute_atlas.graph.lookup.resolve import is_ordinary
from compute_atlas.server.context import current

Members = Mapping[str, Sequence[str]]


def members_of_classes(index: Index) -> Members:
    """Return the things with a name by each of their classes, those of its subclasses included.

    Classes of everybody's vocabularies (owl:Class …) are left out unless the graph names them.
    """
    return current().once("members", lambda: _list(index))


def _list(index: Index) -> Members:
    found: dict[str, list[str]] = {}
    for thing in index.things.values():
        if is_ordinary(thing):
            for name in thing.classes:
                found.setdefault(name, []).append(thing.iri)
    return {name: iris for name, iris in found.items() if name in index.things or "://" in short_type(name)}
