"""The triples of a part in a total order, a subject at a time, for the formats of RDF."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compute_atlas.graph.errors import AtlasError
from compute_atlas.graph.export.elements import Source
from compute_atlas.graph.export.things import TYPE, Resource
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple


class NotWritable(AtlasError):
    """The graph cannot be written in a format."""

    def __init__(self, format_name: str, reason: str):
        super().__init__(
            f"the graph cannot be written as {format_name}: {reason}; ask for turtle or ntriples"
        )


def subjects(source: Source) -> Iterator[Resource]:
    """Yield the subjects of a source, those with IRIs first, sorted."""
    names = {
        (isinstance(node, BlankNode), node.value)
        for quad in source.quads()
        if isinstance(node := quad.subject, NamedNode | BlankNode)
    }
    for is_blank, name in sorted(names):
        yield BlankNode(name) if is_blank else NamedNode(name)


def statements(source: Source, subject: Resource) -> list[Quad]:
    """Return the triples of a subject, each once, sorted by predicate (types first) and object."""
    return sorted(source.quads(subject), key=_order)


def require_plain(source: Source, format_name: str) -> None:
    """Raise NotWritable for what of RDF 1.2 only Turtle and its kin can write."""
    for quad in source.quads():
        if isinstance(quad.object, Triple):
            raise NotWritable(format_name, "it holds triple terms")
        if isinstance(quad.object, Literal) and quad.object.direction:
            raise NotWritable(format_name, "it holds texts with a direction of writing")


def named_graphs(source: Source) -> list[tuple[NamedNode | BlankNode | None, Source]]:
    """Return the graphs behind a source, by name; None is what stands in no named graph, if anything does.

    The default graph of a whole dataset is the union of all its graphs, so it is taken apart again.
    """
    if not isinstance(source.graph, DefaultGraph):
        return [(source.graph, source)]
    names = sorted(source.store.named_graphs(), key=lambda name: (isinstance(name, BlankNode), name.value))
    graphs = [(name, Source(source.store, name)) for name in names]
    return [(None, _Rest(source.store)), *graphs]


@dataclass(frozen=True)
class _Rest(Source):
    """The triples that are in the default graph alone."""

    def quads(self, subject: Resource | None = None) -> Iterator[Quad]:
        for quad in super().quads(subject):
            anywhere = self.store.quads_for_pattern(quad.subject, quad.predicate, quad.object, None)
            if next(anywhere, quad).graph_name == quad.graph_name and next(anywhere, None) is None:
                yield quad


def _order(quad: Quad) -> tuple[bool, str, str, bool, str, str]:
    value = quad.object.value if isinstance(quad.object, Literal | NamedNode) else str(quad.object)
    is_number = isinstance(quad.object, Literal) and value.isdigit()
    return (
        quad.predicate != TYPE,
        quad.predicate.value,
        type(quad.object).__name__,
        not is_number,
        value.zfill(20) if is_number else value,
        str(quad.object),
    )
