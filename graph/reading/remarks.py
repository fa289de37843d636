"""What one document alone shows to be damaged, missing or named in two ways."""

from __future__ import annotations

from dataclasses import dataclass

Place = tuple[int, str]


@dataclass(frozen=True)
class Remark:
    """Something to report of one document, by its kind; `places` are lines with what stands there.

    Subject and predicate are written as in claims; `table/…` stands for a whole table.
    """

    kind: str
    subject: str
    predicate: str | None
    places: tuple[Place, ...]
