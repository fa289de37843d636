"""What each kind of sentence states, in all languages: ontology/lexicon/statements.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

from compute_atlas.ontology import files


@dataclass(frozen=True)
class Statement:
    """What a kind of sentence states: `claims` by itself, `items` by each item of the list it leads.

    `scope` is `row` for the free text of a table's row (whose subject is `{row}`), `cell` for a cell that
    lists uses, `item` for a list item, else `page`. `unless` names a statement that says the same more
    precisely. `within` is the section whose list states the same where no cue leads it; `anywhere`: so
    does any list of a page whose sections are not known. `about` is what the list is about, for a report
    that it is missing.
    """

    name: str
    claims: tuple[dict[str, Any], ...] = ()
    items: tuple[dict[str, Any], ...] = ()
    scope: str = "page"
    unless: str | None = None
    within: str | None = None
    anywhere: bool = False
    about: str | None = None


def load() -> list[Statement]:
    """Return what the kinds of sentences state, in the file's order."""
    content = (files.LEXICONS / "statements.toml").read_text(encoding="utf-8")
    return [_statement(name, entry) for name, entry in tomllib.loads(content).items()]


def _statement(name: str, entry: dict[str, Any]) -> Statement:
    return Statement(
        name,
        claims=tuple(entry.get("claims", ())),
        items=tuple(entry.get("items", ())),
        scope=entry.get("scope", "page"),
        unless=entry.get("unless"),
        within=entry.get("within"),
        anywhere=entry.get("anywhere", False),
        about=entry.get("about"),
    )
