"""Find what editions name differently: from each other, or from one table to the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compute_atlas.graph.comparing.assertions import (
    Assertion,
    Names,
    by_subject,
    disagreement,
    first_of_each,
    member,
)
from compute_atlas.graph.comparing.disagreements import Disagreement, Side
from compute_atlas.graph.reading.names import kind_of

_STOPS = (".", "。")


def name_mismatches(of_edition: Sequence[Assertion], names: Names) -> Iterator[Disagreement]:
    """Yield the series that the two tables of an edition write differently."""
    supported = by_subject(of_edition, "supportedInAml")
    for subject, listed in by_subject(of_edition, "gpuArchitecture").items():
        if subject in supported:
            places = [(row, names.written(row)) for row in (supported[subject][0], listed[0])]
            if places[0][1] != places[1][1]:
                yield disagreement("name_mismatch_between_tables", subject, "gpuArchitecture", places)


def uncovered_series(of_edition: Sequence[Assertion], names: Names) -> Iterator[Disagreement]:
    """Yield one gap an edition: GPU series that the CUDA table does not have under the same name."""
    rows = [assertion for assertion in of_edition if assertion.predicate == "gpuArchitecture"]
    supported = by_subject(of_edition, "supportedInAml")
    series = [
        assertion
        for assertion in of_edition
        if (assertion.predicate, assertion.object) == ("hasCategory", "category/gpu")
    ]
    covered = {(row.subject, names.written(row)) for row in rows}
    missing = [
        assertion
        for assertion in series
        if (assertion.subject, names.written(supported.get(assertion.subject, [assertion])[0])) not in covered
    ]
    if rows and missing:
        uncovered = ", ".join(names.written(assertion) for assertion in missing)
        places = [(missing[0], f"not in the CUDA table: {uncovered}"), (rows[0], f"{len(rows)} names")]
        yield disagreement("series_without_cuda_row", "category/gpu", "gpuArchitecture", places)


def kept_names(certain: Sequence[Assertion], names: Names) -> Iterator[Disagreement]:
    """Yield products whose English name one translation keeps and another translates."""
    targets = {a.subject for a in certain if kind_of(a.subject) == "target"}
    for thing in sorted(targets):
        english = names.preferred(thing, "en")
        if not english.startswith("Azure "):
            continue
        sides: dict[bool, list[Side]] = {True: [], False: []}
        for assertion in first_of_each([a for a in certain if a.subject == thing]):
            language = names.languages.get(assertion.edition, "en")
            written = names.preferred(thing, language)
            if language != "en" and (thing, language) in names.labels:
                side = Side(assertion.edition, assertion.line, written)
                sides[written == english].append(side)
        if all(sides.values()):
            found = (*sides[True], *sides[False])
            yield Disagreement("name_kept_vs_translated", thing, None, tuple(sorted(found)))


def full_stops(certain: Sequence[Assertion]) -> Iterator[Disagreement]:
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
            yield disagreement("trailing_punctuation", member(assertion), None, places)
