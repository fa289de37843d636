"""What the dataset says about one resource: as RDF, or as rows for a page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from compute_atlas.ontology.names import GRAPH_ONTOLOGY, ONTOLOGY
from compute_atlas.queries.dataset import Dataset
from compute_atlas.queries.errors import InvalidIri, UnknownThing
from compute_atlas.queries.jsonld import document
from compute_atlas.queries.results import Output, without_triple_terms, write_graph
from compute_atlas.queries.tables import find_label
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Store, Triple

MOST_ROWS = 500


def describe_resource(dataset: Dataset, iri: str, format_name: str, output: Output) -> None:
    """Write the triples about a resource, in JSON-LD with a context of language maps.

    Raises UnknownThing if nothing is said about it, InvalidIri.
    """
    triples = _triples_about(dataset, iri)
    if format_name == "jsonld":
        said = document(without_triple_terms(triples))
        output.write(json.dumps(said, ensure_ascii=False, indent=1).encode())
    else:
        write_graph(triples, format_name, output)


def resource_facts(dataset: Dataset, iri: str, languages: list[str]) -> dict[str, Any]:
    """Return the label of a resource and rows of (property, value) from and to it, all with labels.

    A term is {"iri", "label"} or {"text", "lang"}. Each direction has at most 500 rows; `more` says by how
    many it was cut.
    """
    thing = _node(iri)
    store = dataset.store
    outgoing = sorted(_facts(store, thing), key=str)
    incoming = [
        (quad.predicate, quad.subject)
        for quad in store.quads_for_pattern(None, None, thing, DefaultGraph())
        if isinstance(quad.subject, NamedNode)
    ]
    if not outgoing and not incoming:
        raise _unknown(iri)

    def shown(term: object) -> dict[str, str | None]:
        if isinstance(term, NamedNode):
            return {"iri": term.value, "label": _label(store, term, languages)}
        if isinstance(term, Literal):
            return {"text": term.value, "lang": term.language}
        return {"text": str(term), "lang": None}

    return {
        **shown(thing),
        "facts": [[shown(predicate), shown(value)] for predicate, value in outgoing[:MOST_ROWS]],
        "mentions": [
            [shown(predicate), shown(value)] for predicate, value in sorted(incoming, key=str)[:MOST_ROWS]
        ],
        "more": max(0, len(outgoing) - MOST_ROWS) + max(0, len(incoming) - MOST_ROWS),
    }


def _triples_about(dataset: Dataset, iri: str) -> list[Triple]:
    """Return the triples with the resource as subject, and those of the blank nodes they lead to."""
    if iri == ONTOLOGY.rstrip("#"):
        return _ontology(dataset)
    found: list[Triple] = []
    open_nodes: list[NamedNode | BlankNode] = [_node(iri)]
    seen = set(open_nodes)
    while open_nodes:
        node = open_nodes.pop()
        for quad in dataset.store.quads_for_pattern(node, None, None, DefaultGraph()):
            found.append(Triple(quad.subject, quad.predicate, quad.object))
            if isinstance(quad.object, BlankNode) and quad.object not in seen:
                seen.add(quad.object)
                open_nodes.append(quad.object)
    if not found:
        raise _unknown(iri)
    return sorted(found, key=str)


def _ontology(dataset: Dataset) -> list[Triple]:
    quads = dataset.store.quads_for_pattern(None, None, None, NamedNode(GRAPH_ONTOLOGY))
    triples = sorted((Triple(quad.subject, quad.predicate, quad.object) for quad in quads), key=str)
    if not triples:
        raise _unknown(ONTOLOGY.rstrip("#"))
    return triples


def _facts(store: Store, thing: NamedNode) -> Iterator[tuple[NamedNode, object]]:
    for quad in store.quads_for_pattern(thing, None, None, DefaultGraph()):
        yield quad.predicate, quad.object


def _label(store: Store, term: NamedNode, languages: Iterable[str]) -> str | None:
    return next((label for language in languages if (label := find_label(store, term, language))), None)


def _node(iri: str) -> NamedNode:
    try:
        return NamedNode(iri)
    except ValueError:
        raise InvalidIri(iri, "iri") from None


def _unknown(iri: str) -> UnknownThing:
    return UnknownThing(f"nothing is known about <{iri}>; check the spelling, or look it up by its name")
