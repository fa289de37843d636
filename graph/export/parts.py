"""Cut the part out of a dataset that an export is asked for, as triples with what they need around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from compute_atlas.graph.errors import AtlasError, UnknownTerm
from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Choice, Source
from compute_atlas.graph.export.things import TYPE, Resource, resource
from compute_atlas.graph.walking.frontier import asking
from compute_atlas.graph.walking.paths import Question, find_paths
from compute_atlas.graph.walking.projection import Projection
from compute_atlas.graph.walking.statements import find_statements
from compute_atlas.ontology.names import identifier
from compute_atlas.ontology.names import iri as iri_of
from pyoxigraph import (
    BlankNode,
    CanonicalizationAlgorithm,
    Dataset,
    DefaultGraph,
    Literal,
    NamedNode,
    Quad,
    Store,
    Triple,
)

# The bow-tie shows what is one link away.
_FEWEST_HOPS_FOR_COLUMNS = 2


class CutPaths(AtlasError):
    """There are more paths than one search lists, so that a file of them would not be complete."""

    def __init__(self, listed: int):
        super().__init__(
            f"there are more than the {listed} paths that one search finds;"
            " ask for things that are nearer to each other, or lower max_hops"
        )


def whole(store: Store, choice: Choice) -> Drawing:
    """Return all of the dataset."""
    return Drawing(Source(store), store, choice)


def of_graph(store: Store, choice: Choice, graph: str) -> Drawing:
    """Return what a named graph states, called by IRI, id or the edition's name. Raises UnknownTerm."""
    known = {name.value for name in store.named_graphs() if isinstance(name, NamedNode)}
    name = graph.removeprefix("edition:")
    found = next((iri for iri in (graph, iri_of(graph), iri_of(f"edition/{name}")) if iri in known), None)
    if found is None:
        raise UnknownTerm(graph, sorted(identifier(iri) or iri for iri in known), "edition")
    return Drawing(Source(store, NamedNode(found)), store, choice)


def neighbourhood(store: Store, choice: Choice, center: str, hops: int) -> Drawing:
    """Return everything up to so many links away from a thing in any direction, and all links within."""
    start = NamedNode(center)
    asked = frozenset[Resource]([start])
    everything = Drawing(Source(store), store, choice, asked)
    found: set[Resource] = {start}
    ring = found
    for _ in range(hops):
        ring = {end for node in ring for end in _neighbours(everything, node)} - found
        found |= ring
    links = [quad for node in found for quad in everything.links(node) if quad.object in found]
    drawing = _with_literals(store, choice, found, links, asked)
    drawing.center = center if hops < _FEWEST_HOPS_FOR_COLUMNS else None
    return drawing


def of_classes(store: Store, choice: Choice, classes: Iterable[str]) -> Drawing:
    """Return the things of some classes, what they link to, and the links from them."""
    everything = Drawing(Source(store), store, choice)
    members = {node for name in classes for node in everything.members(name)}
    links = [quad for node in members for quad in everything.links(node)]
    found: set[Resource] = {*members, *(resource(quad.object) for quad in links)}
    return _with_literals(store, choice, found, links)


def between(store: Store, choice: Choice, question: Question, ground: Projection) -> Drawing:
    """Return the things on the paths asked for, and the statements that link them. Raises CutPaths."""
    found = find_paths(ground, question)
    if not found.is_complete:
        raise CutPaths(len(found.paths))
    pairs = {pair for path in found.paths for pair in pairwise(path)}
    if question.filter.both_ways:
        pairs |= {(end, start) for start, end in pairs}
    statements = find_statements(asking(store), pairs, question.filter)
    triples = [statement.triple for listed in statements.values() for statement in listed]
    return of_paths(store, choice, triples, found.paths)


def of_paths(
    store: Store, choice: Choice, triples: Iterable[Triple], paths: Sequence[Sequence[str]]
) -> Drawing:
    """Return the given links, the things on the given paths, and what is said about these."""
    things = {NamedNode(iri) for path in paths for iri in path}
    links = [Quad(triple.subject, triple.predicate, triple.object) for triple in triples]
    drawing = _with_literals(store, choice, things, links, frozenset(things))
    drawing.paths = paths
    return drawing


def composed(store: Store, choice: Choice, triples: Iterable[Triple]) -> Drawing:
    """Return a graph that somebody composed with a query: all of it, with labels from the dataset."""
    quads = [Quad(triple.subject, triple.predicate, triple.object) for triple in triples]
    blanks = {term for quad in quads for term in (quad.subject, quad.object) if isinstance(term, BlankNode)}
    if any(next(store.quads_for_pattern(node, None, None), None) is None for node in blanks):
        # A query names new blank nodes as it likes, another way each time.
        dataset = Dataset(quads)
        dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
        quads = [*dataset]
    part = Store()
    part.extend(quads)
    return Drawing(Source(part), store, replace(choice, everything=True))


def _neighbours(drawing: Drawing, node: Resource) -> Iterator[Resource]:
    yield from (resource(quad.object) for quad in drawing.links(node))
    yield from (resource(quad.subject) for quad in drawing.links(node, incoming=True))


def _with_literals(
    store: Store,
    choice: Choice,
    nodes: Iterable[Resource],
    links: Iterable[Quad],
    asked: frozenset[Resource] = frozenset(),
) -> Drawing:
    """Return the links as a drawing, with the types and literals of the nodes."""
    part = Store()
    part.extend(links)
    for node in nodes:
        about = store.quads_for_pattern(node, None, None, DefaultGraph())
        part.extend(quad for quad in about if isinstance(quad.object, Literal) or quad.predicate == TYPE)
    return Drawing(Source(part), store, choice, asked)
