"""What a fact rests on, as pages show it: places in documents, a rule, or nothing sure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Claim = Mapping[str, Any]
"""A claim as the service gives it."""


@dataclass(frozen=True)
class Place:
    """Where a document states something."""

    edition: str
    line: int | None


@dataclass(frozen=True)
class Grounds:
    """What a fact rests on: the places that state it, or those that it was inferred from."""

    places: tuple[Place, ...] = ()
    is_inferred: bool = False
    is_uncertain: bool = False


def read_places(claims: Iterable[Claim]) -> tuple[Place, ...]:
    """Return where claims stand that are certain, or where those stand that they were made from."""
    certain = [claim for claim in claims if not claim["uncertain"]]
    return list_places([source for claim in certain for source in (claim, *claim.get("derived_from", ()))])


def read_grounds(claims: Iterable[Claim]) -> Grounds:
    """Return what a fact rests on that some claims make; those in doubt say nothing about it."""
    certain = [claim for claim in claims if not claim["uncertain"]]
    is_stated = any(not claim.get("inferred") for claim in certain)
    return Grounds(read_places(certain), is_inferred=bool(certain) and not is_stated)


def list_places(claims: Iterable[Claim]) -> tuple[Place, ...]:
    """Return where claims stand, each place once."""
    return tuple(
        dict.fromkeys(Place(claim["edition"], claim["line"]) for claim in claims if claim["edition"])
    )
