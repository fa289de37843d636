"""Find where the lists of editions differ: in their members, or in what they are lists of."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from compute_atlas.graph.comparing.assertions import (
    Assertion,
    by_subject,
    disagreement,
    first_of_each,
    member,
)
from compute_atlas.graph.comparing.disagreements import MEMBERSHIPS, Disagreement, Side
from compute_atlas.graph.reading.names import kind_of

# What an edition states by a list or a table: who has the list without the thing disagrees.
_LISTED = (
    "isUnmanaged",
    "isIsolated",
    "supportedInAml",
    "retirementDate",
    "listedWith",
    "canCreateFrom",
    "gpuArchitecture",
)
# The user's own machine is neither managed nor attached: it belongs in no list.
_OWN_MACHINE = "target/local_computer"


def enumerations(certain: Sequence[Assertion]) -> Iterator[Disagreement]:
    """Yield where closed lists differ, and where open ones do so both ways."""
    closed = {a.edition for a in certain if (a.predicate, a.object) == ("listIsExhaustive", "true")}
    for predicate in ("isManaged", "isUnmanaged"):
        members: dict[str, list[Assertion]] = {}
        for assertion in certain:
            if assertion.predicate == predicate and (
                predicate == "isUnmanaged" or assertion.edition in closed
            ):
                members.setdefault(assertion.edition, []).append(assertion)
        sets = {edition: {a.subject for a in group} for edition, group in members.items()}
        differ = any(
            (one != other if predicate == "isManaged" else one - other and other - one)
            for one, other in itertools.combinations(sets.values(), 2)
        )
        if differ:
            places = [(group[0], ", ".join(sorted(sets[edition]))) for edition, group in members.items()]
            yield disagreement("list_differs", MEMBERSHIPS[predicate], predicate, places)


def missing(
    certain: Sequence[Assertion], stated: Sequence[Assertion], own: Sequence[Disagreement]
) -> Iterator[Disagreement]:
    """Yield what one edition lists and another, which has the list, does not; once for each thing."""
    reported: set[str] = set()
    for predicate in _LISTED:
        listed: dict[str, list[Assertion]] = {}
        for assertion in certain:
            if assertion.predicate == predicate and kind_of(assertion.subject) != "retirement":
                listed.setdefault(member(assertion), []).append(assertion)
        for thing, group in sorted(listed.items()):
            holders = {assertion.edition for assertion in group}
            absent = [
                Side(edition, line, "absent")
                for edition in sorted({assertion.edition for assertion in stated} - holders)
                if (line := _list_line(edition, group[0], stated, own)) is not None
                and not _is_doubted(edition, group[0], stated)
            ]
            if absent and thing not in reported:
                reported.add(thing)
                present = [Side(a.edition, a.line, a.object) for a in first_of_each(group)]
                yield Disagreement("missing_in", thing, predicate, tuple(sorted((*present, *absent))))


def _list_line(
    edition: str, wanted: Assertion, stated: Sequence[Assertion], own: Sequence[Disagreement]
) -> int | None:
    """Return the last line of an edition's list of the kind, or the line that announces one that is lost."""
    gaps = [
        side.line
        for item in own
        if item.kind == "list_missing" and item.predicate == wanted.predicate
        for side in item.sides
        if side.edition == edition and item.subject in (wanted.subject, f"retirement/{wanted.object}")
    ]
    lines = [
        assertion.line
        for assertion in stated
        if (assertion.edition, assertion.predicate) == (edition, wanted.predicate)
        and kind_of(assertion.subject) == kind_of(wanted.subject)
        and (wanted.predicate != "canCreateFrom" or assertion.subject == wanted.subject)
    ]
    return max(gaps or lines, default=None)


def scopes(certain: Sequence[Assertion], own: Sequence[Disagreement]) -> Iterator[Disagreement]:
    """Yield a list that one edition announces for certain kinds only, and another for all."""
    for subject, group in by_subject(certain, "listingScope").items():
        holders = {assertion.edition for assertion in group}
        announced = {
            side.edition: side
            for item in own
            if (item.kind, item.subject, item.predicate) == ("list_missing", subject, "listedWith")
            for side in item.sides
        }
        unlimited = [side for edition, side in sorted(announced.items()) if edition not in holders]
        if unlimited:
            sides = [Side(a.edition, a.line, a.object) for a in first_of_each(group)]
            sides += [Side(side.edition, side.line, "no limit named") for side in unlimited]
            yield Disagreement("scope_differs", subject, "listedWith", tuple(sorted(sides)))


def in_no_class(of_edition: Sequence[Assertion]) -> Iterator[Disagreement]:
    """Yield training targets that an edition has neither in its managed nor in its unmanaged list."""
    lists = [by_subject(of_edition, name) for name in ("isManaged", "isUnmanaged")]
    if not all(lists):
        return
    for subject, rows in by_subject(of_edition, "isTrainingTarget").items():
        if subject != _OWN_MACHINE and not any(subject in members for members in lists):
            yield disagreement("target_in_no_class", subject, "isUnmanaged", [(rows[0], "training target")])


def _is_doubted(edition: str, wanted: Assertion, stated: Sequence[Assertion]) -> bool:
    return any(
        (assertion.edition, assertion.subject, assertion.predicate)
        == (edition, wanted.subject, wanted.predicate)
        for assertion in stated
        if assertion.is_uncertain
    )
