"""What editions state, one by one with its evidence, read back from their graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compute_atlas.graph.comparing.disagreements import MEMBERSHIPS, Disagreement, Side
from compute_atlas.graph.reading.names import kind_of
from compute_atlas.ontology.names import BASE, DCT, ONTOLOGY, OWL, PAGE, RDF, SKOS, identifier
from pyoxigraph import BlankNode, Literal, NamedNode, Quad

_EDITION = f"{BASE}edition/"
_CLASSES = {of_class: name for name, of_class in MEMBERSHIPS.items()}


@dataclass(frozen=True)
class Assertion:
    """One statement of an edition: ids, the property's local name, its first line, its qualifiers.

    A membership has its predicate (isManaged …) and the object "true", as in claims.
    """

    edition: str
    subject: str
    predicate: str
    object: str
    line: int
    is_uncertain: bool = False
    source_name: str | None = None
    tense: str | None = None
    is_inclusive: bool = True


@dataclass(frozen=True)
class Names:
    """The language of each edition, and the names of things by language, the preferred one first."""

    languages: dict[str, str]
    labels: dict[tuple[str, str], list[str]]

    def preferred(self, thing: str, language: str) -> str:
        """Return the name of a thing in a language, its id where there is none."""
        return next(iter(self.labels.get((thing, language), ())), thing.rpartition("/")[2])

    def written(self, assertion: Assertion) -> str:
        """Return the name by which an edition calls the subject of an assertion."""
        language = self.languages.get(assertion.edition, "en")
        return assertion.source_name or self.preferred(assertion.subject, language)


def read(quads: Iterable[Quad]) -> tuple[list[Assertion], Names]:
    """Return what the editions of the page state, in order of edition and line, and the names of things."""
    nodes: dict[tuple[str, str], dict[str, list[str]]] = {}
    languages: dict[str, str] = {}
    versions: set[str] = set()
    preferred: dict[tuple[str, str], list[str]] = {}
    others: dict[tuple[str, str], list[str]] = {}
    for quad in quads:
        graph = quad.graph_name.value if isinstance(quad.graph_name, NamedNode) else ""
        predicate, value = quad.predicate.value, _text(quad.object)
        if graph.startswith(_EDITION):
            facts = nodes.setdefault((graph, str(quad.subject)), {})
            facts.setdefault(predicate, []).append(value)
        elif isinstance(quad.subject, NamedNode) and isinstance(quad.object, Literal):
            thing = identifier(quad.subject.value) or ""
            if predicate == f"{DCT}language":
                languages[thing.removeprefix("edition/")] = value
            if predicate.startswith(SKOS) and predicate.endswith("Label"):
                table = preferred if predicate.endswith("prefLabel") else others
                table.setdefault((thing, quad.object.language or ""), []).append(value)
        elif predicate == f"{DCT}isVersionOf" and value == PAGE and isinstance(quad.subject, NamedNode):
            versions.add(quad.subject.value)
    found = [
        assertion
        for (graph, _), facts in nodes.items()
        if graph in versions
        for assertion in _assertions(graph.removeprefix(_EDITION), facts)
    ]
    labels = {key: [*preferred.get(key, ()), *sorted(others.get(key, ()))] for key in preferred | others}
    return sorted(found, key=_order), Names(languages, labels)


def member(assertion: Assertion) -> str:
    """Return the thing that a list holds: of a list about a class, the member and not the class."""
    return assertion.object if kind_of(assertion.subject) == "class" else assertion.subject


def by_subject(group: Iterable[Assertion], predicate: str) -> dict[str, list[Assertion]]:
    """Return the assertions with a predicate by their subjects."""
    found: dict[str, list[Assertion]] = {}
    for assertion in group:
        if assertion.predicate == predicate:
            found.setdefault(assertion.subject, []).append(assertion)
    return found


def first_of_each(group: Iterable[Assertion]) -> list[Assertion]:
    """Return the first assertion of each edition."""
    found: dict[str, Assertion] = {}
    for assertion in group:
        found.setdefault(assertion.edition, assertion)
    return list(found.values())


def disagreement(
    kind: str, subject: str, predicate: str | None, places: Iterable[tuple[Assertion, str]]
) -> Disagreement:
    """Return the disagreement of assertions, each with what it has on the point."""
    sides = {Side(assertion.edition, assertion.line, value) for assertion, value in places}
    return Disagreement(kind, subject, predicate, tuple(sorted(sides)))


def _assertions(edition: str, facts: dict[str, list[str]]) -> Iterator[Assertion]:
    """Yield what an annotation, or a claim in doubt, says; nothing for any other node."""
    for names, is_uncertain in (
        (tuple(f"{OWL}annotated{name}" for name in ("Source", "Property", "Target")), False),
        (tuple(f"{ONTOLOGY}claim{name}" for name in ("Subject", "Property", "Object")), True),
    ):
        if not all(name in facts for name in names):
            continue
        subject, predicate = facts[names[0]][0], facts[names[1]][0]
        lines = [int(line) for line in facts.get(f"{ONTOLOGY}line", ())]
        for value in sorted(facts[names[2]]):
            thing = identifier(value) or value
            name = predicate.removeprefix(ONTOLOGY)
            if predicate == f"{RDF}type":
                name, thing = _CLASSES.get(thing, "type"), "true"
            yield Assertion(
                edition,
                identifier(subject) or subject,
                name,
                thing,
                min(lines),
                is_uncertain,
                next(iter(facts.get(f"{ONTOLOGY}sourceName", ())), None),
                next(iter(facts.get(f"{ONTOLOGY}tense", ())), None),
                "false" not in facts.get(f"{ONTOLOGY}inclusive", ()),
            )


def _order(assertion: Assertion) -> tuple[str, int, str, str, str]:
    return (
        assertion.edition,
        assertion.line,
        assertion.subject,
        assertion.predicate,
        assertion.object,
    )


def _text(term: object) -> str:
    return term.value if isinstance(term, NamedNode | Literal | BlankNode) else str(term)
