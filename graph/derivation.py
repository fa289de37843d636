"""Find out what a derived statement was derived from, by reading the rules backwards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from compute_atlas.ontology import files
from compute_atlas.ontology.names import PREFIXES
from pyoxigraph import Literal, NamedNode, Quad, QuerySolutions, Store, Triple, Variable

# A term of a pattern: fixed, or the name of a variable.
Part = NamedNode | Literal | str
Pattern = tuple[Part, Part, Part]

_HEAD = re.compile(r"\bCONSTRUCT\s*\{[^}]*\}")


@dataclass(frozen=True)
class Rule:
    """A rule: what it adds, the patterns it looks for, and its body as a query for everything in it.

    `computed` are the variables that get their value from a BIND.
    """

    heads: tuple[Pattern, ...]
    patterns: tuple[Pattern, ...]
    computed: frozenset[str]
    query: str


def premises(store: Store, statement: Triple) -> list[Triple]:
    """Return the statements in the store that a rule makes the given one from, all ways together, sorted."""
    found = {
        premise
        for rule in rules()
        for head in rule.heads
        if (known := _unified(head, statement)) is not None
        for premise in _instances(store, rule, known)
    }
    return sorted(found - {statement}, key=str)


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules of this vocabulary, read once."""
    return tuple(map(_read_rule, files.rules("graph")))


def _read_rule(path: Path) -> Rule:
    from rdflib.plugins.sparql import prepareQuery

    text = path.read_text(encoding="utf-8")
    algebra: Any = prepareQuery(text, initNs=PREFIXES).algebra
    groups = list(_groups(algebra.p))
    return Rule(
        tuple(pattern for triple in algebra.template for pattern in _patterns(triple)),
        tuple(
            pattern
            for group in groups
            for triple in group.get("triples", ())
            for pattern in _patterns(triple)
        ),
        frozenset(str(group["var"]) for group in groups if "var" in group),
        _HEAD.sub("SELECT *", text, count=1),
    )


def _groups(part: Any) -> Iterator[dict[str, Any]]:
    """Yield the parts of a parsed query, optional ones included."""
    if isinstance(part, dict):
        yield {name: part[name] for name in part}  # rdflib's own class has another get()
        for name in part:
            yield from _groups(part[name])


def _patterns(triple: Iterable[Any]) -> Iterator[Pattern]:
    """Yield a triple pattern for each of the predicates that its path allows."""
    from rdflib.paths import AlternativePath

    subject, predicate, value = triple
    for name in predicate.args if isinstance(predicate, AlternativePath) else [predicate]:
        yield _part(subject), _part(name), _part(value)


def _part(term: Any) -> Part:
    import rdflib

    if isinstance(term, rdflib.Literal):
        datatype = NamedNode(str(term.datatype)) if term.datatype else None
        return Literal(str(term), language=term.language, datatype=datatype)
    return NamedNode(str(term)) if isinstance(term, rdflib.URIRef) else str(term)


def _unified(head: Pattern, statement: Triple) -> dict[str, Any] | None:
    """Return what a rule's variables stand for if it makes the statement, None if it does not."""
    known: dict[str, Any] = {}
    for part, term in zip(head, statement, strict=True):
        if part != term and not isinstance(part, str):
            return None
        if isinstance(part, str) and known.setdefault(part, term) != term:
            return None
    return known


def _instances(store: Store, rule: Rule, known: dict[str, Any]) -> Iterator[Triple]:
    """Yield the statements that the patterns of a rule stand for wherever it makes the known one."""
    substitutions = {Variable(name): term for name, term in known.items() if name not in rule.computed}
    solutions = store.query(rule.query, prefixes=PREFIXES, substitutions=substitutions)
    assert isinstance(solutions, QuerySolutions)
    names = [variable.value for variable in solutions.variables]
    for solution in solutions:
        values = dict(zip(names, solution, strict=True))
        if any(values.get(name, term) != term for name, term in known.items()):
            continue
        values |= known
        for pattern in rule.patterns:
            terms = [values.get(part) if isinstance(part, str) else part for part in pattern]
            if None not in terms and Quad(*terms) in store:  # type: ignore[arg-type]
                yield Triple(*terms)  # type: ignore[arg-type]
