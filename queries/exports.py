"""Read what a request wants exported, and do it: everything or a part, in one of the formats of the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.export import parts
from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Choice
from compute_atlas.graph.export.formats import ExportFormat, export, find_format
from compute_atlas.graph.export.pictures import LAYOUTS
from compute_atlas.graph.export.slugs import node_id
from compute_atlas.graph.walking.links import Filter
from compute_atlas.graph.walking.paths import Question
from compute_atlas.queries.analysis import analyse
from compute_atlas.queries.asked import DIRECTIONS, MOST_HOPS, Names, Values
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.evaluate import evaluate, query_of
from compute_atlas.queries.results import Output
from pyoxigraph import QueryTriples

Payload = dict[str, Any]

EXPORT_PARAMETERS = (
    *("lang", "literals", "include", "layout"),
    *("of", "hops", "class", "edition", "from", "to", "direction", "max_hops", "query"),
)
LITERALS = ("attributes", "nodes")
INCLUDED = ("classes", "annotations")
# What a request is about, and the parameters that mean something only beside it.
_PARTS = {
    "of": ("hops",),
    "class": (),
    "edition": (),
    "from": ("to", "direction", "max_hops"),
    "query": (),
}
MOST_EXPORT_HOPS = 6


def read_export(values: Values, names: Names, languages: list[str]) -> Payload:
    """Return what is asked for as JSON can carry it to a worker, things as IRIs.

    Raises InvalidValue, UnknownTerm, AmbiguousTerm.
    """
    included = values.all("include")
    for name in included:
        if name not in INCLUDED:
            mend = f"use one of: {', '.join(INCLUDED)}"
            raise InvalidValue("include", name, "this is none of its values", mend, list(INCLUDED))
    payload: Payload = {
        "languages": languages,
        "literals_as_nodes": values.choice("literals", LITERALS) == "nodes",
        "layout": values.choice("layout", LAYOUTS) if values.one("layout") is not None else None,
        **{name: name in included for name in INCLUDED},
    }
    return payload | {"part": _read_part(values, names)}


def file_name(payload: Payload, made: ExportFormat) -> str:
    """Return a name for the file, in plain ASCII: what it is about, and the format's ending."""
    part = payload["part"]
    iris = [*part.get("class", ()), *(part[name] for name in ("of", "from", "to") if name in part)]
    words = [node_id(iri) for iri in iris]
    if "edition" in part:
        words.append("".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in part["edition"]))
    if "query" in part:
        words.append("query")
    return "_".join(["compute-atlas", *words])[:120] + made.suffix


def run_export(dataset: Dataset, payload: Payload, output: Output) -> None:
    """Write the part asked for in the `format`. Raises what makes a part or a format impossible."""
    for chunk in make_export(dataset, payload):
        output.write(chunk)


def make_export(dataset: Dataset, payload: Payload) -> Iterator[bytes]:
    """Return the file of the part asked for, as it is made."""
    made = find_format(payload["format"])
    return export(_drawing(dataset, payload), made)


def _read_part(values: Values, names: Names) -> Payload:
    asked = [name for name in _PARTS if values.all(name)]
    if len(asked) > 1:
        mend = f'leave out "{asked[0]}" or "{asked[1]}"'
        raise InvalidValue(asked[1], values.all(asked[1])[0], f'"{asked[0]}" is given, too', mend)
    for part, companions in _PARTS.items():
        for name in companions:
            if part not in asked and values.all(name):
                reason = f'it has no meaning without "{part}"'
                raise InvalidValue(name, values.all(name)[0], reason, f'give "{part}", or leave it out')
    if not asked:
        return {}
    if asked == ["of"]:
        return {"of": names.thing(values.one("of"), "of"), "hops": values.number("hops", 1, MOST_EXPORT_HOPS)}
    if asked == ["class"]:
        return {"class": sorted({names.type(text, "class") for text in values.all("class")})}
    if asked == ["from"]:
        return {
            "from": names.thing(values.one("from"), "from"),
            "to": names.thing(values.one("to"), "to"),
            "any_direction": values.choice("direction", DIRECTIONS) == "any",
            "max_hops": values.number("max_hops", Question.max_hops, MOST_HOPS),
        }
    return {asked[0]: values.one(asked[0])}


def _drawing(dataset: Dataset, payload: Payload) -> Drawing:
    members = ("languages", "literals_as_nodes", "layout", *INCLUDED)
    choice, part, store = Choice(**{name: payload[name] for name in members}), payload["part"], dataset.store
    if "of" in part:
        return parts.neighbourhood(store, choice, part["of"], part["hops"])
    if "class" in part:
        return parts.of_classes(store, choice, part["class"])
    if "edition" in part:
        return parts.of_graph(store, choice, part["edition"])
    if "from" in part:
        links = Filter(both_ways=part["any_direction"])
        question = Question(part["from"], part["to"], max_hops=part["max_hops"], filter=links)
        return parts.between(store, choice, question, dataset.prepared.links(links))
    if "query" in part:
        results = evaluate(dataset, query_of(analyse(part["query"])))
        if not isinstance(results, QueryTriples):
            mend = "write a CONSTRUCT query"
            raise InvalidValue("query", part["query"], "only a graph can be exported", mend)
        return parts.composed(store, choice, results)
    return parts.whole(store, choice)
