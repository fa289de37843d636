"""A claim: one statement of an edition, with its qualifiers, its lines and its doubt.

Claims speak the language of the claims files: subjects and things are `kind/name` ids or `class/name`,
predicates are snake_case, values are JSON values or a bare word for a thing that has no kind of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from compute_atlas.graph.reading.document import Document

Value = str | int | bool

# What a fact may rest on, the strongest first: a table's cell before a list, a list before a sentence.
TIERS = ("table", "list", "sentence")


@dataclass(frozen=True)
class Claim:
    """`lines` holds each line that states it, the best first; an uncertain claim is one possible reading."""

    subject: str
    predicate: str
    object: Value
    lines: tuple[int, ...]
    tier: str
    qualifiers: tuple[tuple[str, Value], ...] = ()
    section: str | None = None
    source_name: str | None = None
    is_uncertain: bool = False

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes two claims the same statement; True and 1 differ."""
        return (self.subject, self.predicate, type(self.object).__name__, self.object, self.qualifiers)


def merge(claims: Iterable[Claim]) -> list[Claim]:
    """Return each statement once, with all its lines; a certain reading drops the doubt of another.

    Order: by first line, then subject, predicate and object.
    """
    merged: dict[tuple[Any, ...], Claim] = {}
    for claim in sorted(claims, key=lambda claim: (claim.is_uncertain, TIERS.index(claim.tier), claim.lines)):
        key = (*claim.key, claim.is_uncertain)
        if claim.is_uncertain and (*claim.key, False) in merged:
            continue
        known = merged.get(key)
        if known is None:
            merged[key] = claim
        else:
            lines = known.lines + tuple(line for line in claim.lines if line not in known.lines)
            merged[key] = replace(known, lines=lines, source_name=known.source_name or claim.source_name)
    return sorted(merged.values(), key=_order)


def _order(claim: Claim) -> tuple[Any, ...]:
    return (min(claim.lines), claim.subject, claim.predicate, str(claim.object), str(claim.qualifiers))


def as_json(claim: Claim, document: Document) -> dict[str, Any]:
    """Return the claim as a member of `facts` in the claims files, quoting the document's line."""
    line, *others = claim.lines
    evidence: dict[str, Any] = {"line": line, "quote": document.quote(line)}
    if others:
        evidence["alt_lines"] = others
    found: dict[str, Any] = {"s": claim.subject, "p": claim.predicate, "o": claim.object}
    if claim.qualifiers:
        found["q"] = dict(claim.qualifiers)
    found |= {"tier": claim.tier, "evidence": evidence}
    if claim.source_name:
        found["mention"] = claim.source_name
    if claim.is_uncertain:
        found["uncertain"] = True
    return found
