"""Fetch values of things for the columns of a table: data extension of the Reconciliation API 0.2."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.exchange.facts import FactSource, Value, thing_of
from compute_atlas.graph.exchange.reconciliation import Json, property_iri, read_object
from compute_atlas.graph.languages import fits
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.usertext import checked_text
from compute_atlas.ontology.names import INTEGERS, RDF, XSD
from pyoxigraph import Literal, NamedNode

MOST_CELLS = 100_000
_EXAMPLE = '{"ids": ["…"], "properties": [{"id": "…"}]}'
_DECIMALS = {f"{XSD}{name}" for name in ("decimal", "double", "float")}
_DATE = re.compile(r"(-?\d{4,}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d(?:\.\d+)?))?(Z|[+-]\d\d:\d\d)?")


@dataclass(frozen=True)
class Extension:
    """The ids of things, and the properties wanted of them: each as the client names it, with its IRI."""

    ids: tuple[str, ...]
    properties: tuple[tuple[str, str], ...]


def read_extension(index: Index, text: str) -> Extension:
    """Return what a client asks for. Raises InvalidValue, UnknownTerm, AmbiguousTerm."""
    content = read_object(text, "extend", _EXAMPLE)
    ids, properties = content.get("ids"), content.get("properties")
    if not isinstance(ids, list) or not all(isinstance(name, str) for name in ids):
        raise InvalidValue("extend.ids", text, "this is no list of ids", f"send {_EXAMPLE}")
    if not isinstance(properties, list) or not all(
        isinstance(item, dict) and "id" in item for item in properties
    ):
        raise InvalidValue("extend.properties", text, "this is no list of properties", f"send {_EXAMPLE}")
    for name in ids:
        checked_text(name, "extend.ids")
    if len(ids) * len(properties) > MOST_CELLS:
        reason = f"{len(ids)} things with {len(properties)} properties are too much"
        raise InvalidValue("extend", text, reason, f"ask for at most {MOST_CELLS} cells at once")
    names = [(item["id"], property_iri(index, item["id"], "extend.properties.id")) for item in properties]
    return Extension(tuple(ids), tuple(names))


def extend(index: Index, extension: Extension, lang: str, facts: FactSource) -> Json:
    """Return the values for each id and property; no values for an id that names nothing.

    Texts in several languages are given in the language asked for where there are any in it.
    """
    things = {name: _iri(index, name) for name in extension.ids}
    iris = sorted({iri for iri in things.values() if iri})
    stated = facts(iris, sorted({iri for _, iri in extension.properties})) if iris else {}
    meta = [{"id": name, "name": _name(index, iri, lang)} for name, iri in extension.properties]
    rows = {
        name: {
            property_name: _cells(index, stated.get(iri or "", {}).get(property_, ()), lang)
            for property_name, property_ in extension.properties
        }
        for name, iri in things.items()
    }
    return {"meta": meta, "rows": rows}


def propose(index: Index, counts: Mapping[str, int], lang: str, limit: int) -> list[Json]:
    """Return properties by id and name, the most used first. Types are known from the start."""
    ranked = sorted((iri for iri in counts if iri != f"{RDF}type"), key=lambda iri: (-counts[iri], iri))
    return [{"id": thing_of(index, iri).id, "name": _name(index, iri, lang)} for iri in ranked[:limit]]


def _iri(index: Index, name: str) -> str | None:
    thing = index.named(name)
    if thing:
        return thing.iri
    try:
        return NamedNode(name).value
    except ValueError:
        return None


def _name(index: Index, iri: str, lang: str) -> str:
    return thing_of(index, iri).shown([lang]).value


def _cells(index: Index, values: Sequence[Value], lang: str) -> list[Json]:
    return [cell for value in _in_language(values, lang) if (cell := _cell(index, value, lang))]


def _in_language(values: Sequence[Value], lang: str) -> Iterable[Value]:
    fitting = [
        value
        for value in values
        if isinstance(value, Literal) and value.language and fits(value.language, lang)
    ]
    if not fitting:
        return values
    return [
        value for value in values if value in fitting or not (isinstance(value, Literal) and value.language)
    ]


def _cell(index: Index, value: Value, lang: str) -> Json | None:
    """Return a value as the API writes it; it has no booleans, and no dates without a time."""
    if isinstance(value, NamedNode):
        return {"id": thing_of(index, value.value).id, "name": _name(index, value.value, lang)}
    if not isinstance(value, Literal):
        return None
    kind, text = value.datatype.value, value.value
    if kind in INTEGERS and re.fullmatch(r"[+-]?\d{1,18}", text):
        return {"int": int(text)}
    if kind in _DECIMALS and math.isfinite(number := _float(text)):
        return {"float": number}
    if kind in (f"{XSD}date", f"{XSD}dateTime") and (date := _DATE.fullmatch(text)):
        return {"date": f"{date[1]}T{date[2] or '00:00:00'}{date[3] or 'Z'}"}
    return {"str": text}


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
