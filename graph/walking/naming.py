"""Ask an engine what some things are called and of what types they are: a query for many things at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compute_atlas.graph.lookup.labels import Thing, read_things
from compute_atlas.graph.walking.frontier import Ask, batches, terms
from compute_atlas.ontology.names import RDF, RDFS, SKOS
from pyoxigraph import Literal, NamedNode, Quad

_NAMES = (f"{SKOS}prefLabel", f"{RDFS}label", f"{SKOS}altLabel", f"{SKOS}notation", f"{RDF}type")
_FACTS = "SELECT ?s ?p ?o WHERE {{ VALUES ?s {{ {things} }} VALUES ?p {{ {predicates} }} ?s ?p ?o }}"
_CLASSES = (
    "SELECT DISTINCT ?s ?p ?o WHERE {{ VALUES ?thing {{ {things} }} VALUES ?p {{ {above} }}"
    " ?thing {type}/{above}* ?s . ?s ?p ?o }}"
)


def name_things(ask: Ask, iris: Iterable[str]) -> dict[str, Thing]:
    """Return a thing for each IRI, with the labels and types that the engine has."""
    wanted = sorted(set(iris))
    quads = list(_quads(ask, wanted))
    named = read_things(quads)
    types: dict[str, set[str]] = {}
    for quad in quads:
        if quad.predicate.value == f"{RDF}type" and isinstance(quad.object, NamedNode):
            types.setdefault(quad.subject.value, set()).add(quad.object.value)  # type: ignore[union-attr]
    return {iri: named.get(iri) or Thing(iri, (), tuple(sorted(types.get(iri, ())))) for iri in wanted}


def _quads(ask: Ask, iris: list[str]) -> Iterator[Quad]:
    for batch in batches(iris):
        things = terms(batch)
        texts = (
            _FACTS.format(things=things, predicates=terms(_NAMES)),
            _CLASSES.format(things=things, type=terms([f"{RDF}type"]), above=terms([f"{RDFS}subClassOf"])),
        )
        for text in texts:
            for subject, predicate, value in ask(text):
                if not isinstance(subject, NamedNode) or not isinstance(predicate, NamedNode):
                    continue
                if isinstance(value, NamedNode | Literal):
                    yield Quad(subject, predicate, value)
