"""Find where editions disagree, and what each of them shows to be damaged or missing."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from compute_atlas.graph.comparing import assertions, disagreements
from compute_atlas.graph.comparing.assertions import Assertion, Names
from compute_atlas.graph.comparing.disagreements import Disagreement, Side
from compute_atlas.graph.reading.names import kind_of
from pyoxigraph import Quad

# Properties of which a thing has one value: two are a contradiction.
_SINGLE_VALUED = {"minCudaVersion", "recommendedAction", "restriction"}
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
# Statements that cannot both hold, though they are about different properties.
_CONFLICTS = (
    ("autoscalesToNodesWhenIdle", "0", "avoidIdleChargesBy", "term/min_nodes_0"),
    ("alwaysOn", "true", "avoidIdleChargesBy", "term/idle_shutdown"),
)
# The user's own machine is neither managed nor attached: it belongs in no list.
_OWN_MACHINE = "target/local_computer"
_STOPS = (".", "。")


def find(quads: Sequence[Quad]) -> list[Disagreement]:
    """Return all disagreements of the editions in a dataset, ordered; the same quads give the same list.

    Those of one document alone stand in the dataset; those between documents, and those that several
    statements of one make, are found here.
    """
    own = disagreements.read(disagreements.in_graph(quads))
    stated, names = assertions.read(quads)
    certain = [assertion for assertion in stated if not assertion.is_uncertain]
    found = [
        *own,
        *_within(certain, names),
        *_tenses(certain),
        *_values(certain),
        *_conflicts(certain),
        *_enumerations(certain),
        *_missing(certain, stated, own),
        *_scopes(certain, own),
        *_positions(certain, own),
        *_kept_names(certain, names),
        *_full_stops(certain),
    ]
    return disagreements.ordered(found)


def _within(certain: Sequence[Assertion], names: Names) -> Iterator[Disagreement]:
    for _, group in itertools.groupby(certain, key=lambda assertion: assertion.edition):
        of_edition = list(group)
        yield from _name_mismatches(of_edition, names)
        yield from _uncovered_series(of_edition, names)
        yield from _supported_yet_retired(of_edition)
        yield from _in_no_class(of_edition)


def _name_mismatches(of_edition: Sequence[Assertion], names: Names) -> Iterator[Disagreement]:
    """Yield the series that the two tables of an edition write differently."""
    supported = _by_subject(of_edition, "supportedInAml")
    for subject, listed in _by_subject(of_edition, "gpuArchitecture").items():
        if subject in supported:
            places = [(row, _written(row, names)) for row in (supported[subject][0], listed[0])]
            if places[0][1] != places[1][1]:
                yield _disagreement("name_mismatch_between_tables", subject, "gpuArchitecture", places)


def _uncovered_series(of_edition: Sequence[Assertion], names: Names) -> Iterator[Disagreement]:
    """Yield one gap an edition: GPU series that the CUDA table does not have under the same name."""
    rows = [assertion for assertion in of_edition if assertion.predicate == "gpuArchitecture"]
    supported = _by_subject(of_edition, "supportedInAml")
    series = [
        assertion
        for assertion in of_edition
        if (assertion.predicate, assertion.object) == ("hasCategory", "category/gpu")
    ]
    covered = {(row.subject, _written(row, names)) for row in rows}
    missing = [
        assertion
        for assertion in series
        if (
            assertion.subject,
            _written(next(iter(supported.get(assertion.subject, [assertion]))), names),
        )
        not in covered
    ]
    if rows and missing:
        uncovered = ", ".join(_written(assertion, names) for assertion in missing)
        places = [(missing[0], f"not in the CUDA table: {uncovered}"), (rows[0], f"{len(rows)} names")]
        yield _disagreement("series_without_cuda_row", "category/gpu", "gpuArchitecture", places)


def _supported_yet_retired(of_edition: Sequence[Assertion]) -> Iterator[Disagreement]:
    supported = _by_subject(of_edition, "supportedInAml")
    for subject, retired in _by_subject(of_edition, "retirementDate").items():
        if subject in supported and retired[0].tense == "past":
            places = [(supported[subject][0], "supported"), (retired[0], f"retired {retired[0].object}")]
            yield _disagreement("supported_yet_retired", subject, "supportedInAml", places)


def _in_no_class(of_edition: Sequence[Assertion]) -> Iterator[Disagreement]:
    lists = [_by_subject(of_edition, name) for name in ("isManaged", "isUnmanaged")]
    if not all(lists):
        return
    for subject, rows in _by_subject(of_edition, "isTrainingTarget").items():
        if subject != _OWN_MACHINE and not any(subject in members for members in lists):
            yield _disagreement("target_in_no_class", subject, "isUnmanaged", [(rows[0], "training target")])


def _tenses(certain: Sequence[Assertion]) -> Iterator[Disagreement]:
    for subject, group in _by_subject(certain, "retirementDate").items():
        if kind_of(subject) == "retirement" and len({assertion.tense for assertion in group}) > 1:
            places = [(assertion, assertion.tense or "") for assertion in _first_of_each(group)]
            yield _disagreement("tense_differs", subject, "retirementDate", places)


def _values(certain: Sequence[Assertion]) -> Iterator[Disagreement]:
    """Yield where editions give one property of a thing different values; an edition may give several."""
    groups: dict[tuple[str, str], list[Assertion]] = {}
    for assertion in certain:
        if "/" not in assertion.object or assertion.predicate in _SINGLE_VALUED:
            groups.setdefault((assertion.subject, assertion.predicate), []).append(assertion)
    for (subject, predicate), group in groups.items():
        values: dict[str, set[tuple[str, bool]]] = {}
        for assertion in group:
            values.setdefault(assertion.edition, set()).add((assertion.object, assertion.is_inclusive))
        if len(set(map(frozenset, values.values()))) > 1:
            kind = "action_differs" if predicate == "recommendedAction" else "value_differs"
            places = [(assertion, _value(assertion)) for assertion in _first_of_each(group)]
            yield _disagreement(kind, subject, predicate, places)


def _value(assertion: Assertion) -> str:
    return assertion.object if assertion.is_inclusive else f"above {assertion.object}"


def _conflicts(certain: Sequence[Assertion]) -> Iterator[Disagreement]:
    for predicate, value, other, other_value in _CONFLICTS:
        for subject, group in _by_subject(certain, predicate).items():
            opposed = [
                assertion
                for assertion in _by_subject(certain, other).get(subject, ())
                if assertion.object == other_value
            ]
            stating = [assertion for assertion in group if assertion.object == value]
            if stating and opposed:
                places = [
                    *((assertion, f"{predicate}: {value}") for assertion in _first_of_each(stating)),
                    *((assertion, f"{other}: {other_value}") for assertion in _first_of_each(opposed)),
                ]
                yield _disagreement("value_differs", subject, predicate, places)


def _enumerations(certain: Sequence[Assertion]) -> Iterator[Disagreement]:
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
            yield _disagreement("list_differs", disagreements.MEMBERSHIPS[predicate], predicate, places)


def _missing(
    certain: Sequence[Assertion], stated: Sequence[Assertion], own: Sequence[Disagreement]
) -> Iterator[Disagreement]:
    """Yield what one edition lists and another, which has the list, does not; once for each thing."""
    reported: set[str] = set()
    for predicate in _LISTED:
        listed: dict[str, list[Assertion]] = {}
        for assertion in certain:
            if assertion.predicate == predicate and kind_of(assertion.subject) != "retirement":
                listed.setdefault(_member(assertion), []).append(assertion)
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
                present = [Side(a.edition, a.line, a.object) for a in _first_of_each(group)]
                yield Disagreement("missing_in", thing, predicate, tuple(sorted((*present, *absent))))


def _member(assertion: Assertion) -> str:
    """Return the thing that a list holds: of a list about a class, the member and not the class."""
    return assertion.object if kind_of(assertion.subject) == "class" else assertion.subject


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


def _is_doubted(edition: str, wanted: Assertion, stated: Sequence[Assertion]) -> bool:
    return any(
        (assertion.edition, assertion.subject, assertion.predicate)
        == (edition, wanted.subject, wanted.predicate)
        for assertion in stated
        if assertion.is_uncertain
    )


def _scopes(certain: Sequence[Assertion], own: Sequence[Disagreement]) -> Iterator[Disagreement]:
    """Yield a list that one edition announces for certain kinds only, and another for all."""
    for subject, group in _by_subject(certain, "listingScope").items():
        holders = {assertion.edition for assertion in group}
        announced = {
            side.edition: side
            for item in own
            if (item.kind, item.subject, item.predicate) == ("list_missing", subject, "listedWith")
            for side in item.sides
        }
        unlimited = [side for edition, side in sorted(announced.items()) if edition not in holders]
        if unlimited:
            sides = [Side(a.edition, a.line, a.object) for a in _first_of_each(group)]
            sides += [Side(side.edition, side.line, "no limit named") for side in unlimited]
            yield Disagreement("scope_differs", subject, "listedWith", tuple(sorted(sides)))


def _positions(certain: Sequence[Assertion], own: Sequence[Disagreement]) -> Iterator[Disagreement]:
    """Yield the damaged rows that would be false if their values were read by position."""
    damaged: dict[tuple[str, str], list[Side]] = {}
    for item in own:
        if item.kind == "ambiguous_row" and item.predicate:
            damaged.setdefault((item.subject, item.predicate), []).extend(item.sides)
    for (subject, predicate), sides in damaged.items():
        uses = [a for a in certain if (a.subject, a.predicate) == (subject, predicate)]
        whole = [a for a in uses if a.edition not in {side.edition for side in sides}]
        true = {assertion.object for assertion in whole}
        false = [side for side in sides if whole and not set(side.value.split()) <= true]
        if false:
            stating = [
                Side(a.edition, a.line, " ".join(b.object for b in whole if b.edition == a.edition))
                for a in _first_of_each(whole)
            ]
            yield Disagreement("position_differs", subject, predicate, tuple(sorted((*stating, *false))))


def _kept_names(certain: Sequence[Assertion], names: Names) -> Iterator[Disagreement]:
    """Yield products whose English name one translation keeps and another translates."""
    targets = {a.subject for a in certain if kind_of(a.subject) == "target"}
    for thing in sorted(targets):
        english = names.preferred(thing, "en")
        if not english.startswith("Azure "):
            continue
        sides: dict[bool, list[Side]] = {True: [], False: []}
        for assertion in _first_of_each([a for a in certain if a.subject == thing]):
            language = names.languages.get(assertion.edition, "en")
            written = names.preferred(thing, language)
            if language != "en" and (thing, language) in names.labels:
                side = Side(assertion.edition, assertion.line, written)
                sides[written == english].append(side)
        if all(sides.values()):
            found = (*sides[True], *sides[False])
            yield Disagreement("name_kept_vs_translated", thing, None, tuple(sorted(found)))


def _full_stops(certain: Sequence[Assertion]) -> Iterator[Disagreement]:
    """Yield list items that end with a full stop where other items of the list and other editions do not."""
    stopped = [a for a in certain if a.source_name and a.source_name.endswith(_STOPS)]
    for assertion in stopped:
        siblings = [
            a for a in certain if (a.edition, a.predicate) == (assertion.edition, assertion.predicate)
        ]
        others = [
            a
            for a in certain
            if (a.subject, a.predicate, a.object)
            == (assertion.subject, assertion.predicate, assertion.object)
            and a.edition != assertion.edition
            and a not in stopped
        ]
        if others and any(a not in stopped for a in siblings):
            places = [(assertion, assertion.source_name or ""), *((a, "no full stop") for a in others)]
            yield _disagreement("trailing_punctuation", _member(assertion), None, places)


def _written(assertion: Assertion, names: Names) -> str:
    language = names.languages.get(assertion.edition, "en")
    return assertion.source_name or names.preferred(assertion.subject, language)


def _by_subject(group: Iterable[Assertion], predicate: str) -> dict[str, list[Assertion]]:
    found: dict[str, list[Assertion]] = {}
    for assertion in group:
        if assertion.predicate == predicate:
            found.setdefault(assertion.subject, []).append(assertion)
    return found


def _first_of_each(group: Iterable[Assertion]) -> list[Assertion]:
    """Return the first assertion of each edition."""
    found: dict[str, Assertion] = {}
    for assertion in group:
        found.setdefault(assertion.edition, assertion)
    return list(found.values())


def _disagreement(
    kind: str, subject: str, predicate: str | None, places: Iterable[tuple[Assertion, str]]
) -> Disagreement:
    sides = {Side(assertion.edition, assertion.line, value) for assertion, value in places}
    return Disagreement(kind, subject, predicate, tuple(sorted(sides)))
