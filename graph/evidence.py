"""Say what a fact rests on: claims of editions line by line, claims in doubt, what rules made it from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from compute_atlas.graph.derivation import premises
from compute_atlas.graph.lookup.labels import last_part
from compute_atlas.graph.walking.links import rank
from compute_atlas.ontology.names import GRAPH_INFERRED, ONTOLOGY, OWL, RDFS, XSD
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Store, Triple

Term = NamedNode | BlankNode | Literal | Triple

_STATED = tuple(NamedNode(f"{OWL}annotated{name}") for name in ("Source", "Property", "Target"))
_IN_DOUBT = tuple(NamedNode(f"{ONTOLOGY}claim{name}") for name in ("Subject", "Property", "Object"))
_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_FORMS = {
    "boolean": re.compile("true|false|1|0"),
    "integer": _INTEGER,
    "decimal": re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)", re.ASCII),
    "double": re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?INF|NaN", re.ASCII),
    "date": re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", re.ASCII),
    "string": re.compile(".*", re.DOTALL),
}
_RANGE = NamedNode(f"{RDFS}range")
_INFERRED = NamedNode(GRAPH_INFERRED)
# What locates a claim; everything else on it is a qualifier.
_PLACES = ("edition", "line", "section", "claimSubject", "claimProperty", "claimObject")


@dataclass(frozen=True)
class Claim:
    """A statement that an edition makes on a line, or may make; qualifiers by name, as JSON values.

    One without an edition was made by rules from other claims.
    """

    statement: Triple
    edition: str | None = None
    line: int | None = None
    section: str | None = None
    is_uncertain: bool = False
    qualifiers: dict[str, Any] = field(default_factory=dict)
    derived_from: tuple[Claim, ...] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the claim as the service gives it: things by id, the predicate by its local name."""
        subject, predicate, value = self.statement
        told = {
            "subject": _name(subject),
            "predicate": last_part(predicate.value),
            "predicate_iri": predicate.value,
            "object": _value(value),
            "edition": self.edition,
            "line": self.line,
            "section": self.section,
            "uncertain": self.is_uncertain,
            **self.qualifiers,
        }
        if self.derived_from is not None:
            told |= {"inferred": True, "derived_from": [claim.as_json() for claim in self.derived_from]}
        return told


def find_evidence(
    store: Store, subject: str, predicate: str | None = None, value: Term | str | None = None
) -> list[Claim]:
    """Return the claims behind the facts about a subject, in order of edition and line, then derived facts.

    A `value` given as text stands for any literal of this form.
    """
    node = NamedNode(subject)

    def fits(statement: Triple) -> bool:
        thing = statement.object
        form = thing.value if isinstance(value, str) and isinstance(thing, Literal) else thing
        return predicate in (None, statement.predicate.value) and value in (None, form)

    claims = [claim for claim in _claims_about(store, node) if fits(claim.statement)]
    derived = [
        Claim(quad.triple, derived_from=tuple(_claims_behind(store, quad.triple)))
        for quad in store.quads_for_pattern(node, None, None, _INFERRED)
        if fits(quad.triple)
    ]
    return sorted(claims, key=_order) + sorted(derived, key=_order)


def is_value_of(store: Store, predicate: str, text: str) -> bool:
    """Tell whether a text is the form of a literal that a property may have, by its range or a value."""
    node = NamedNode(predicate)
    ranges = (quad.object for quad in store.quads_for_pattern(node, _RANGE, None, None))
    datatypes = {term.value for term in ranges if isinstance(term, NamedNode)}
    stated = next(store.quads_for_pattern(None, node, None, None), None)
    if stated is not None and isinstance(stated.object, Literal):
        datatypes.add(stated.object.datatype.value)
    forms = (_FORMS.get(datatype.removeprefix(XSD)) for datatype in datatypes)
    return any(form is not None and form.fullmatch(text) for form in forms)


def as_json(claims: Iterable[Claim]) -> dict[str, Any]:
    """Return the answer of the service: all claims, and together those that derived facts came from."""
    listed = list(claims)
    sources = {_order(claim): claim for derived in listed for claim in derived.derived_from or ()}
    answer: dict[str, Any] = {"claims": [claim.as_json() for claim in listed]}
    if any(claim.derived_from is not None for claim in listed):
        answer["derived_from"] = [sources[key].as_json() for key in sorted(sources)]
    return answer


def _claims_behind(store: Store, statement: Triple) -> list[Claim]:
    """Return the claims that state what the statement was made from, each once."""
    found: dict[Any, Claim] = {}
    seen = {statement}
    waiting = premises(store, statement)
    while waiting:
        premise = waiting.pop()
        if premise in seen:
            continue
        seen.add(premise)
        claims = [
            claim
            for claim in _claims_about(store, premise.subject)
            if claim.statement == premise and not claim.is_uncertain
        ]
        found |= {_order(claim): claim for claim in claims}
        if not claims:
            waiting += premises(store, premise)
    return [found[key] for key in sorted(found)]


def _claims_about(store: Store, subject: Any) -> Iterator[Claim]:
    """Yield the claims about a subject, certain or not, one for each line that makes them."""
    for is_uncertain, (about, property_, object_) in ((False, _STATED), (True, _IN_DOUBT)):
        for quad in store.quads_for_pattern(None, about, subject, DefaultGraph()):
            facts = _facts(store, quad.subject)
            for predicate, value in product(facts.get(property_.value, ()), facts.get(object_.value, ())):
                if isinstance(predicate, NamedNode):
                    yield from _by_line(Triple(subject, predicate, value), facts, is_uncertain)


def _facts(store: Store, node: Any) -> dict[str, list[Term]]:
    facts: dict[str, list[Term]] = {}
    for quad in store.quads_for_pattern(node, None, None, DefaultGraph()):
        facts.setdefault(quad.predicate.value, []).append(quad.object)
    return facts


def _by_line(statement: Triple, facts: dict[str, list[Term]], is_uncertain: bool) -> Iterator[Claim]:
    """Yield a claim for each line of an annotation's facts."""
    own = {
        name.removeprefix(ONTOLOGY): sorted(map(_qualifier, values), key=str)
        for name, values in sorted(facts.items())
        if name.startswith(ONTOLOGY)
    }
    qualifiers = {
        name: values[0] if len(values) == 1 else values for name, values in own.items() if name not in _PLACES
    }
    for edition in own.get("edition") or [None]:
        for line in own.get("line") or [None]:
            section = next(iter(own.get("section") or ()), None)
            yield Claim(statement, edition, line, section, is_uncertain, qualifiers)


def _order(claim: Claim) -> tuple[Any, ...]:
    is_number = isinstance(claim.line, int)  # other people's graphs may hold anything there
    place = (str(claim.edition or ""), claim.line if is_number else 0, "" if is_number else str(claim.line))
    return (*place, *map(str, claim.statement), claim.is_uncertain, str(claim.qualifiers))


def _name(term: Term) -> str:
    return rank(term.value) if isinstance(term, NamedNode) else str(term)


def _value(term: Term) -> Any:
    """Return a term as JSON: yes, no and whole numbers as such, things by their id."""
    if not isinstance(term, Literal):
        return _name(term)
    kind = term.datatype.value
    if kind == f"{XSD}boolean":
        return term.value in ("true", "1")
    return int(term.value) if kind == f"{XSD}integer" and _INTEGER.fullmatch(term.value) else term.value


def _qualifier(term: Term) -> Any:
    """Return the same, but the name alone of an edition or condition."""
    value = _value(term)
    return re.sub(r"^(edition|condition)/", "", value) if isinstance(term, NamedNode) else value
