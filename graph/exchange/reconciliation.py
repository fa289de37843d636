"""Match the cells of somebody's table with things: the queries of the Reconciliation API 0.2."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compute_atlas.graph.errors import AmbiguousTerm, AtlasError, InvalidValue, UnknownTerm
from compute_atlas.graph.exchange.facts import FactSource, Value, thing_of
from compute_atlas.graph.lookup.folding import loose
from compute_atlas.graph.lookup.hits import MATCH_SCORE, Found
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import Filter, Thing, last_part
from compute_atlas.graph.lookup.resolve import is_ordinary, is_property, resolve, resolve_class
from compute_atlas.graph.lookup.spoken import spoken_languages
from compute_atlas.graph.lookup.usertext import checked_query, checked_text
from pyoxigraph import Literal, NamedNode

DEFAULT_LIMIT, MOST_CANDIDATES = 10, 100
STRICTNESS = ("any", "all", "should")
_MEMBERS = ("query", "type", "type_strict", "limit", "properties")
# Beyond these a property cannot lift a candidate into an answer.
_MOST_COMPARED = 200

Json = dict[str, Any]
Wanted = str | float | bool


@dataclass(frozen=True)
class Property:
    """What a thing should have: a property, as the client names it and by IRI, with any of some values."""

    pid: str
    iri: str
    values: tuple[Wanted, ...]


@dataclass(frozen=True)
class Query:
    """One cell: its text (None: only properties count), classes, number of candidates, properties."""

    text: str | None
    types: tuple[str, ...]
    needs_all_types: bool
    limit: int
    properties: tuple[Property, ...]


def read_batch(index: Index, text: str) -> dict[str, Query | None]:
    """Return the queries of a batch by their keys, None for one that is wrong where others are not.

    Otherwise raises InvalidValue, UnknownTerm or AmbiguousTerm with the place of what is wrong, such as
    `queries.q0.limit`.
    """
    batch = read_object(text, "queries", '{"q0": {"query": "…"}}')
    queries: dict[str, Query | None] = {}
    faults: list[AtlasError] = []
    for key, query in batch.items():
        checked_text(key, "queries")
        try:
            queries[key] = read_query(index, query, f"queries.{key}")
        except (InvalidValue, UnknownTerm, AmbiguousTerm) as error:
            queries[key] = None
            faults.append(error)
    if faults and len(faults) == len(batch):
        raise faults[0]
    return queries


def read_query(index: Index, query: Any, place: str) -> Query:
    """Return one query from its JSON. Raises as read_batch."""
    members = _members(query, place)
    text, properties = members.get("query"), members.get("properties", [])
    if text is not None or not properties:
        text = checked_query(_text(text, f"{place}.query"), f"{place}.query")
    strictness = members.get("type_strict", STRICTNESS[0])
    if strictness not in STRICTNESS:
        raise InvalidValue(
            f"{place}.type_strict",
            _shown(strictness),
            "there is no such strictness",
            "use any, all or should",
            [*STRICTNESS],
        )
    types = members.get("type") or []
    names = types if isinstance(types, list) else [types]
    return Query(
        text,
        tuple(resolve_class(index, _type_id(name, f"{place}.type"), f"{place}.type") for name in names),
        strictness == "all",
        _limit(members.get("limit", DEFAULT_LIMIT), f"{place}.limit"),
        tuple(
            _property(index, item, f"{place}.properties") for item in _list(properties, f"{place}.properties")
        ),
    )


def read_object(text: str | None, parameter: str, example: str) -> Json:
    """Return the object that a parameter holds as JSON. Raises InvalidValue."""
    try:
        content = json.loads(text or "")
    except (ValueError, RecursionError):
        raise InvalidValue(
            parameter, text or "", "this is no JSON", f"send an object such as {example}"
        ) from None
    if not isinstance(content, dict):
        raise InvalidValue(parameter, text or "", "this is no JSON object", f"send one such as {example}")
    return content


def reconcile(index: Index, query: Query, lang: str, facts: FactSource) -> list[Json]:
    """Return the candidates, best first. Names are shown in a language, and may be given in any.

    The name's score is that of a lookup. Each property counts as much as the name: a candidate that has
    none of the values loses its share. A candidate is a match if it alone is in the best tier and has all
    property values; of several that are called so, properties can tell the one that is meant.
    """

    def accepts(thing: Thing) -> bool:
        if not query.types:
            return is_ordinary(thing)
        found = [iri in thing.classes for iri in query.types]
        return all(found) if query.needs_all_types else any(found)

    if query.text is None:
        scored = _by_properties(index, query, accepts, facts)
    else:
        spoken = spoken_languages(index.languages, lang)
        scored = _by_name(index, query, index.search(query.text, spoken, accepts), facts)
    return [candidate(index, thing, lang) | rest for thing, rest in scored[: query.limit]]


def candidate(index: Index, thing: Thing, lang: str) -> Json:
    """Return id, name, types and description (the names in other languages) of a thing."""
    name = thing.shown([lang]).value
    others = {label.value for label in thing.labels if label.kind in ("prefLabel", "label")} - {name}
    described = {"description": " · ".join(sorted(others))} if others else {}
    types = [type_of(index, iri, lang) for iri in thing.types]
    return {"id": thing.id, "name": name, **described, "type": types}


def type_of(index: Index, iri: str, lang: str) -> Json:
    """Return id and name of a class."""
    thing = thing_of(index, iri)
    return {"id": thing.id, "name": thing.shown([lang]).value}


def _by_name(index: Index, query: Query, found: Found, facts: FactSource) -> list[tuple[Thing, Json]]:
    hits = found.hits[: _MOST_COMPARED if query.properties else query.limit]
    verdicts = _compare(index, [hit.thing for hit in hits], query, facts)
    rivals = {hit.thing.iri for hit in found.ambiguous or ((found.match,) if found.match else ())}
    winners = [iri for iri in rivals if all(verdicts.get(iri, ()))]
    scored = []
    for hit in hits:
        verdict = verdicts[hit.thing.iri]
        score = hit.score * (1 + sum(verdict)) / (1 + len(verdict))
        features = [{"id": "name", "value": round(hit.score, 2)}, *_features(query, verdict)]
        is_match = winners == [hit.thing.iri]
        scored.append((hit.thing, {"score": round(score, 2), "match": is_match, "features": features}))
    return sorted(scored, key=lambda item: (not item[1]["match"], -item[1]["score"]))


def _by_properties(
    index: Index, query: Query, accepts: Filter, facts: FactSource
) -> list[tuple[Thing, Json]]:
    having = facts(None, [wanted.iri for wanted in query.properties])
    things = [
        index.things[iri] for iri in sorted(having) if iri in index.things and accepts(index.things[iri])
    ]
    scored = []
    for thing in things:
        verdict = _verdict(index, having[thing.iri], query)
        if any(verdict):
            score = round(MATCH_SCORE * sum(verdict) / len(verdict), 2)
            scored.append((thing, {"score": score, "match": False, "features": _features(query, verdict)}))
    complete = [rest for _, rest in scored if rest["score"] == MATCH_SCORE]
    if len(complete) == 1:
        complete[0]["match"] = True
    return sorted(scored, key=lambda item: -item[1]["score"])


def _compare(index: Index, things: Iterable[Thing], query: Query, facts: FactSource) -> dict[str, list[bool]]:
    """Return for each thing which of the query's properties it has with one of the values."""
    iris = [thing.iri for thing in things]
    stated = facts(iris, [wanted.iri for wanted in query.properties]) if query.properties and iris else {}
    return {iri: _verdict(index, stated.get(iri, {}), query) for iri in iris}


def _verdict(index: Index, stated: Mapping[str, Sequence[Value]], query: Query) -> list[bool]:
    return [
        any(
            _is_same(index, value, wanted)
            for value in stated.get(property_.iri, ())
            for wanted in property_.values
        )
        for property_ in query.properties
    ]


def _features(query: Query, verdict: Iterable[bool]) -> list[Json]:
    pairs = zip(query.properties, verdict, strict=True)
    return [{"id": property_.pid, "value": found} for property_, found in pairs]


def _is_same(index: Index, value: Value, wanted: Wanted) -> bool:
    """Tell whether a value is the one wanted: a thing by IRI, id or any name, a literal by what it says."""
    text = str(wanted).lower() if isinstance(wanted, bool) else str(wanted)
    if isinstance(value, NamedNode):
        thing = thing_of(index, value.value)
        names = [thing.iri, thing.id, last_part(thing.iri), *(label.value for label in thing.labels)]
    elif isinstance(value, Literal):
        names = [value.value]
        if (number := _number(text)) is not None and number == _number(value.value):
            return True
    else:
        return False
    return text in names or (loose(text) != "" and loose(text) in map(loose, names))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _members(query: Any, place: str) -> Json:
    if not isinstance(query, dict):
        raise InvalidValue(place, _shown(query), "this is no JSON object", 'send one such as {"query": "…"}')
    for name in query:
        if name not in _MEMBERS:
            mend = f"use one of: {', '.join(_MEMBERS)}"
            raise InvalidValue(
                f"{place}.{name}", _shown(query[name]), "there is no such member", mend, [*_MEMBERS]
            )
    return query


def _property(index: Index, item: Any, place: str) -> Property:
    if not isinstance(item, dict) or not {"pid", "v"} <= item.keys():
        raise InvalidValue(place, _shown(item), "this is no property", 'send {"pid": "…", "v": "…"}')
    values = item["v"] if isinstance(item["v"], list) else [item["v"]]
    iri = property_iri(index, item["pid"], f"{place}.pid")
    return Property(item["pid"], iri, tuple(_wanted(value, f"{place}.v") for value in values))


def property_iri(index: Index, name: Any, place: str) -> str:
    """Return the IRI of the property with an id, IRI or name; an IRI may have no label in the graph."""
    return resolve(index, _text(name, place), place, accepts=is_property, is_known=_is_absolute).iri


def _is_absolute(iri: str) -> bool:
    try:
        return "://" in NamedNode(iri).value
    except ValueError:
        return False


def _wanted(value: Any, place: str) -> Wanted:
    if isinstance(value, dict) and isinstance(value.get("id"), str):
        return str(value["id"])
    if isinstance(value, str | int | float):
        return value
    raise InvalidValue(
        place, _shown(value), "this is no value", "send a text, a number, true, false or an id"
    )


def _type_id(name: Any, place: str) -> str:
    return _text(name.get("id") if isinstance(name, dict) else name, place)


def _limit(value: Any, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 1:
        raise InvalidValue(
            place, _shown(value), "this is no number of candidates", f"give 1 to {MOST_CANDIDATES}"
        )
    return int(min(value, MOST_CANDIDATES))


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidValue(place, _shown(value), "this is no list", "send a list, or leave it out")
    return value


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise InvalidValue(place, _shown(value), "this is no text", "send a text")
    return value


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
