"""Find where editions disagree, and what each of them shows to be damaged or missing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from compute_atlas.graph.comparing import assertions, disagreements, lists, naming
from compute_atlas.graph.comparing.assertions import Assertion, Names, by_subject, disagreement, first_of_each
from compute_atlas.graph.comparing.disagreements import Disagreement, Side
from compute_atlas.graph.reading.names import kind_of
from pyoxigraph import Quad

# Properties of which a thing has one value: two are a contradiction.
_SINGLE_VALUED = {"minCudaVersion", "recommendedAction", "restriction"}
# Statements that cannot both hold, though they are about different properties.
_CONFLICTS = (
    ("autoscalesToNodesWhenIdle", "0", "avoidIdleChargesBy", "term/min_nodes_0"),
    ("alwaysOn", "true", "avoidIdleChargesBy", "term/idle_shutdown"),
)


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
        *lists.enumerations(certain),
        *lists.missing(certain, stated, own),
        *lists.scopes(certain, own),
        *_positions(certain, own),
        *naming.kept_names(certain, names),
        *naming.full_stops(certain),
    ]
    return disagreements.ordered(found)


def _within(certain: Sequence[Assertion], names: Names) -> Iterator[Disagreement]:
    for _, group in itertools.groupby(certain, key=lambda assertion: assertion.edition):
        of_edition = list(group)
        yield from naming.name_mismatches(of_edition, names)
        yield from naming.uncovered_series(of_edition, names)
        yield from _supported_yet_retired(of_edition)
        yield from lists.in_no_class(of_edition)


def _supported_yet_retired(of_edition: Sequence[Assertion]) -> Iterator[Disagreement]:
    supported = by_subject(of_edition, "supportedInAml")
    for subject, retired in by_subject(of_edition, "retirementDate").items():
        if subject in supported and retired[0].tense == "past":
            places = [(supported[subject][0], "supported"), (retired[0], f"retired {retired[0].object}")]
            yield disagreement("supported_yet_retired", subject, "supportedInAml", places)


def _tenses(certain: Sequence[Assertion]) -> Iterator[Disagreement]:
    for subject, group in by_subject(certain, "retirementDate").items():
        if kind_of(subject) == "retirement" and len({assertion.tense for assertion in group}) > 1:
            places = [(assertion, assertion.tense or "") for assertion in first_of_each(group)]
            yield disagreement("tense_differs", subject, "retirementDate", places)


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
            places = [(assertion, _value(assertion)) for assertion in first_of_each(group)]
            yield disagreement(kind, subject, predicate, places)


def _value(assertion: Assertion) -> str:
    return assertion.object if assertion.is_inclusive else f"above {assertion.object}"


def _conflicts(certain: Sequence[Assertion]) -> Iterator[Disagreement]:
    for predicate, value, other, other_value in _CONFLICTS:
        for subject, group in by_subject(certain, predicate).items():
            opposed = [
                assertion
                for assertion in by_subject(certain, other).get(subject, ())
                if assertion.object == other_value
            ]
            stating = [assertion for assertion in group if assertion.object == value]
            if stating and opposed:
                places = [
                    *((assertion, f"{predicate}: {value}") for assertion in first_of_each(stating)),
                    *((assertion, f"{other}: {other_value}") for assertion in first_of_each(opposed)),
                ]
                yield disagreement("value_differs", subject, predicate, places)


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
                for a in first_of_each(whole)
            ]
            yield Disagreement("position_differs", subject, predicate, tuple(sorted((*stating, *false))))
