"""Turn the values that a request gives for a saved query into RDF terms, and say which would be allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.languages import checked, lookup
from compute_atlas.graph.lookup.labels import last_part
from compute_atlas.graph.walking.frontier import Ask, Term
from compute_atlas.ontology.names import BASE, PREFIXES, SKOS, XSD
from compute_atlas.queries.catalogue import Parameter, SavedQuery, expand
from pyoxigraph import Literal, NamedNode

Resolve = Callable[[str, str, str | None], str]
"""Returns the IRI of the thing that a text names: the text, the parameter's name, the IRI of its class."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_VERSION = re.compile(r"[0-9]+\.[0-9]+")
_MOST_LISTED = 100
_VERSIONS = "SELECT DISTINCT ?version ?number WHERE {{ ?version a {kind} ; {notation} ?number }}"
_LANGUAGES = "SELECT DISTINCT (LANG(?label) AS ?language) WHERE {{ ?thing {label} ?label }}"


def resolved(query: SavedQuery, values: Mapping[str, str], resolve: Resolve) -> dict[str, str]:
    """Return the values of a query's parameters, defaults included, with things as IRIs.

    Raises InvalidValue for an unknown or missing parameter, and what `resolve` raises.
    """
    known = [parameter.name for parameter in query.parameters]
    for name in values:
        if name not in known:
            raise InvalidValue(name, values[name], "the query has no such parameter", _one_of(known), known)
    found = {}
    for parameter in query.parameters:
        value = values.get(parameter.name)
        if value is None and parameter.default is not None:
            value = str(parameter.default)
        if value is None and parameter.is_required:
            mend = f"give it, for example {parameter.name}={parameter.example}"
            raise InvalidValue(parameter.name, "", "it is missing", mend)
        if value is not None and parameter.kind == "thing":
            value = resolve(value, parameter.name, parameter.class_iri)
        if value is not None:
            found[parameter.name] = value
    return found


def bind(query: SavedQuery, values: Mapping[str, str], ask: Ask) -> str:
    """Return the text of a query with values that were `resolved` as terms, any value where there is none.

    Raises InvalidValue that lists the allowed values.
    """
    terms = {p.name: _term(p, values[p.name], ask) if p.name in values else None for p in query.parameters}
    return query.with_terms(terms)


def allowed_values(parameter: Parameter, ask: Ask) -> list[str]:
    """Return the values that a choice or version may have, in order; empty for any other kind."""
    if parameter.kind == "version":
        return list(_versions(ask))
    if isinstance(parameter.values, tuple):
        return list(parameter.values)
    return sorted(_names(term)[0] for term in _listed(parameter.values, ask))


def _term(parameter: Parameter, value: str, ask: Ask) -> Term:
    if parameter.kind == "thing":
        return NamedNode(value)
    if parameter.kind == "choice":
        return _choice(parameter, value, ask)
    if parameter.kind == "version":
        return _version(parameter, value, ask)
    if parameter.kind == "language":
        return Literal(_language(checked(value, parameter.name), ask))
    return _LITERALS[parameter.kind](parameter, value)


def _string(_: Parameter, value: str) -> Literal:
    return Literal(value)


def _integer(parameter: Parameter, value: str) -> Literal:
    least = parameter.minimum
    mend = "give a whole number" if least is None else f"give a whole number of {least} or more"
    if not _INTEGER.fullmatch(value):
        raise InvalidValue(parameter.name, value, "this is no whole number", mend)
    if least is not None and int(value) < least:
        raise InvalidValue(parameter.name, value, "this is too small", mend)
    return Literal(str(int(value)), datatype=NamedNode(f"{XSD}integer"))


def _date(parameter: Parameter, value: str) -> Literal:
    try:
        day = date.fromisoformat(value)
    except ValueError:
        raise InvalidValue(
            parameter.name, value, "this is no date", "give a day such as 2023-08-31"
        ) from None
    return Literal(day.isoformat(), datatype=NamedNode(f"{XSD}date"))


_LITERALS: dict[str, Callable[[Parameter, str], Literal]] = {
    "string": _string,
    "integer": _integer,
    "date": _date,
}


def _choice(parameter: Parameter, value: str, ask: Ask) -> Term:
    if isinstance(parameter.values, tuple):
        found: Iterable[Term] = [Literal(value)] if value in parameter.values else []
    else:
        found = [term for term in _listed(parameter.values, ask) if value in _names(term)]
    for term in found:
        return term
    allowed = allowed_values(parameter, ask)
    raise InvalidValue(parameter.name, value, "this is none of its values", _one_of(allowed), allowed)


def _version(parameter: Parameter, value: str, ask: Ask) -> Term:
    versions = _versions(ask)
    number = re.sub(r"(CUDA |cuda/|cuda:)", "", value.removeprefix(BASE))
    if number in versions:
        return versions[number]
    allowed = list(versions)
    raise InvalidValue(parameter.name, value, "there is no such version", _one_of(allowed), allowed)


def _versions(ask: Ask) -> dict[str, Term]:
    """Return the versions by number, in order of their numbers: 11.10 is after 11.9."""
    text = _VERSIONS.format(kind=NamedNode(expand("ca:CUDAVersion")), notation=NamedNode(f"{SKOS}notation"))
    found = {
        number.value: version
        for version, number in ask(text)
        if isinstance(number, Literal) and version is not None and _VERSION.fullmatch(number.value)
    }
    return {number: found[number] for number in sorted(found, key=lambda n: [*map(int, n.split("."))])}


def _language(tag: str, ask: Ask) -> str:
    """Return the labels' language that fits a tag, the tag itself where none does."""
    rows = ask(_LANGUAGES.format(label=NamedNode(f"{SKOS}prefLabel")))
    available = [row[0].value for row in rows if isinstance(row[0], Literal)]
    return lookup(tag, available) or tag.lower()


def _listed(query: str, ask: Ask) -> list[Term]:
    prefixes = "".join(f"PREFIX {prefix}: <{iri}> " for prefix, iri in PREFIXES.items())
    return [row[0] for row in ask(prefixes + query) if row[0] is not None]


def _names(term: Term) -> Sequence[str]:
    """Return the ways to write a value, the one to list first."""
    if not isinstance(term, NamedNode):
        return [term.value] if isinstance(term, Literal) else [str(term)]
    iri = term.value
    short = [
        f"{prefix}:{iri.removeprefix(base)}" for prefix, base in PREFIXES.items() if iri.startswith(base)
    ]
    return [*short[:1], last_part(iri), iri.removeprefix(BASE), iri]


def _one_of(values: Sequence[str]) -> str:
    if not values:
        return "there are none"
    more = " …" if len(values) > _MOST_LISTED else ""
    return f"use one of: {', '.join(values[:_MOST_LISTED])}{more}"
