"""Turtle and TriG with prefixes, the statements of a subject together, sorted; and N-Triples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, groupby, islice

from compute_atlas.graph.export.drawing import Drawing
from compute_atlas.graph.export.elements import Source
from compute_atlas.graph.export.things import TYPE, Resource, Term
from compute_atlas.graph.export.triples import named_graphs, statements, subjects
from compute_atlas.graph.trig import FILE_PREFIXES, predicate_text, term_text
from compute_atlas.ontology.names import RDF
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, Triple

_FIRST, _REST, _NIL = NamedNode(f"{RDF}first"), NamedNode(f"{RDF}rest"), NamedNode(f"{RDF}nil")
_DEEPEST = 30
_INDENT = "    "
_short = lru_cache(1 << 14)(term_text)


def write_ntriples(drawing: Drawing) -> Iterator[str]:
    """Yield a line for each triple, sorted."""
    for subject in subjects(drawing.source):
        for quad in statements(drawing.source, subject):
            yield f"{Triple(quad.subject, quad.predicate, quad.object)} .\n"


def write_turtle(drawing: Drawing) -> Iterator[str]:
    """Yield the triples as Turtle."""
    yield _prefixes([drawing.source])
    yield from _statements(drawing.source, "", is_alone=True)


def write_trig(drawing: Drawing) -> Iterator[str]:
    """Yield the triples as TriG, each graph with its name."""
    graphs = named_graphs(drawing.source)
    yield _prefixes([source for _, source in graphs], [name for name, _ in graphs])
    for name, source in graphs:
        if name is None:
            yield from _statements(source, "", is_alone=False)
        else:
            yield f"\n{_short(name)} {{\n"
            yield from _statements(source, _INDENT, is_alone=False)
            yield "}\n"


def _prefixes(sources: Iterable[Source], names: Iterable[NamedNode | BlankNode | None] = ()) -> str:
    """Return the declarations of the prefixes that will be used."""
    used = {prefix for name in names if name is not None for prefix in _prefixes_of(name)}
    for source in sources:
        for quad in source.quads():
            terms = (quad.subject, quad.object, *([] if quad.predicate == TYPE else [quad.predicate]))
            used.update(prefix for term in terms for prefix in _prefixes_of(term))
    lines = [
        f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in sorted(FILE_PREFIXES.items()) if prefix in used
    ]
    return "".join(lines)


def _prefixes_of(term: Term) -> Iterator[str]:
    """Yield the prefixes of the names in a term."""
    if isinstance(term, Triple):
        for part in term:
            yield from _prefixes_of(part)
    elif not isinstance(term, BlankNode):
        text = _short(term.datatype if isinstance(term, Literal) else term)
        if not text.startswith("<"):
            yield text.partition(":")[0]


def _statements(source: Source, indent: str, *, is_alone: bool) -> Iterator[str]:
    nodes = _Nodes(source, is_alone)
    for subject in subjects(source):
        text = nodes.statement(subject)
        if text:
            yield f"\n{indent}" + text.replace("\n", f"\n{indent}") + "\n"


class _Nodes:
    """Writes the subjects of one graph; a blank node that is used once stands where it is used.

    Unless the graph `is_alone`, a blank node that another graph knows keeps its label.
    """

    def __init__(self, source: Source, is_alone: bool):
        self._source, self._is_alone = source, is_alone
        self._depths: dict[BlankNode, int] = {}
        self._cells: dict[BlankNode, bool] = {}

    def statement(self, subject: Resource) -> str:
        """Return all that is said about a subject, empty where it is written elsewhere."""
        name = _short(subject)
        if isinstance(subject, BlankNode):
            if self._depth(subject):
                return ""
            if not self._users(subject) and self._is_local(subject):
                name = "[]"
        return f"{name} " + f" ;\n{_INDENT}".join(self._predicates(subject)) + " ."

    def _predicates(self, subject: Resource) -> Iterator[str]:
        for predicate, quads in groupby(statements(self._source, subject), key=lambda quad: quad.predicate):
            yield f"{predicate_text(predicate)} " + " , ".join(self._object(quad.object) for quad in quads)

    def _object(self, term: Term) -> str:
        if not isinstance(term, BlankNode) or not self._depth(term):
            return _short(term)
        cells = self._list(term)
        if cells and all(map(self._depth, cells)):
            members = (
                quad.object for cell in cells for quad in self._source.quads(cell) if quad.predicate == _FIRST
            )
            return f"( {' '.join(map(self._object, members))} )"
        return f"[ {' ; '.join(self._predicates(term))} ]"

    def _depth(self, node: BlankNode) -> int:
        """Return how deep a node stands in brackets, 0 for one that needs a label instead."""
        nested: dict[BlankNode, bool] = {}
        place: Resource = node
        while isinstance(place, BlankNode) and place not in self._depths:
            users = self._users(place)
            if len(users) != 1 or not self._is_local(place):
                break
            if place in nested:
                self._depths |= dict.fromkeys(nested, 0)
                return 0
            nested[place] = users[0].predicate == _REST and self._is_in_list(place)
            place = users[0].subject  # type: ignore[assignment]
        depth = self._depths.get(place, 0) if isinstance(place, BlankNode) else 0
        for walked, is_next_cell in reversed(nested.items()):
            depth = max(depth, 1) if is_next_cell else (depth + 1) % _DEEPEST
            self._depths[walked] = depth
        return self._depths.get(node, 0)

    def _users(self, node: BlankNode) -> list[Quad]:
        """Return the statements that have the node as their object, at most two."""
        source = self._source
        return list(islice(source.store.quads_for_pattern(None, None, node, source.graph), 2))

    def _is_local(self, node: BlankNode) -> bool:
        """Tell whether only this graph speaks of a node; the default graph repeats what named ones state."""
        if self._is_alone:
            return True
        store, graph = self._source.store, self._source.graph
        mentions = chain(
            store.quads_for_pattern(node, None, None, None), store.quads_for_pattern(None, None, node, None)
        )
        return {quad.graph_name for quad in mentions} <= {
            graph,
            DefaultGraph(),
        } and node not in store.named_graphs()

    def _is_in_list(self, node: BlankNode) -> bool:
        """Tell whether a cell belongs to a list that is whole."""
        if node not in self._cells:
            walked = {node: None}
            users = self._users(node)
            while len(users) == 1 and users[0].predicate == _REST and users[0].subject not in walked:
                walked[users[0].subject] = None  # type: ignore[index]
                users = self._users(users[0].subject)  # type: ignore[arg-type]
            cells = self._list([*walked][-1])
            self._cells |= {cell: cell in cells for cell in walked} | dict.fromkeys(cells, True)
        return self._cells[node]

    def _list(self, head: BlankNode) -> list[BlankNode]:
        """Return the cells of the list that starts at a node, none if it is not a whole list."""
        cells: dict[BlankNode, None] = {}
        place: Term = head
        while isinstance(place, BlankNode) and place not in cells:
            parts = [(quad.predicate, quad.object) for quad in self._source.quads(place)]
            if sorted(str(predicate) for predicate, _ in parts) != [str(_FIRST), str(_REST)]:
                return []
            cells[place] = None
            place = dict(parts)[_REST]
        return [*cells] if place == _NIL else []
