"""Walk the links of any SPARQL engine without a copy of them: one query for many nodes at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice

from compute_atlas.graph.walking.links import ANNOTATION_CLASSES, NEVER_LINKS, SIDE, Filter, rank
from compute_atlas.graph.walking.search import Budget
from compute_atlas.ontology.names import RDF, RDFS
from pyoxigraph import BlankNode, Literal, NamedNode, QuerySolutions, Store, Triple

# So many nodes stand in one query: engines and proxies limit the length of a request.
BATCH = 500

Term = NamedNode | BlankNode | Literal | Triple
Ask = Callable[[str], Iterable[Sequence[Term | None]]]
"""Asks an engine a SELECT query; gives its rows, in the order of the selected variables."""


def asking(store: Store) -> Ask:
    """Return the way to ask a store."""

    def ask(text: str) -> Iterator[Sequence[Term | None]]:
        solutions = store.query(text)
        assert isinstance(solutions, QuerySolutions)
        return (list(solution) for solution in solutions)

    return ask


def batches(things: Iterable[str], size: int = BATCH) -> Iterator[list[str]]:
    """Yield the things in lists of at most `size`."""
    waiting = iter(things)
    while batch := list(islice(waiting, size)):
        yield batch


def terms(iris: Iterable[str]) -> str:
    """Return IRIs as they are written in a query. Raises ValueError for what is no IRI."""
    return " ".join(str(NamedNode(iri)) for iri in iris)


class Frontier:
    """The links between the resources of an engine whose default graph holds them all; nodes are IRIs."""

    def __init__(self, ask: Ask):
        self._ask = ask

    def node(self, iri: str) -> str:
        """Return the IRI itself: whether it has links turns out when they are asked for."""
        return iri

    def iri(self, node: str) -> str:
        """Return the node itself."""
        return node

    def walk(self, links: Filter, exempt: Iterable[str], budget: Budget) -> FrontierWalk:
        """Return the links that pass the filter; `exempt` nodes may be of any type."""
        return FrontierWalk(self._ask, links, frozenset(exempt), budget)


class FrontierWalk:
    """The links that one search may use; it charges each link received to the budget."""

    def __init__(self, ask: Ask, links: Filter, exempt: frozenset[str], budget: Budget):
        self._ask, self._links, self._budget = ask, links, budget
        self._conditions = _conditions(links, exempt)

    def cost(self, nodes: Collection[str], forward: bool) -> int:
        """Return the number of nodes: that of their links would be a query more."""
        return len(nodes)

    def reach(self, nodes: Collection[str], forward: bool) -> set[str]:
        """Return the nodes one link away from any of the nodes."""
        return {there for _, there in self._expand(nodes, forward)} - self._links.avoid

    def links(self, nodes: Collection[str], within: Collection[str]) -> dict[str, list[str]]:
        """Return for each of the nodes that has a link to one `within` these others, sorted."""
        found: dict[str, set[str]] = {}
        if len(within) < len(nodes):
            pairs: Iterable[tuple[str, str]] = ((there, here) for here, there in self._expand(within, False))
        else:
            pairs = self._expand(nodes, True)
        for here, there in pairs:
            if here in nodes and there in within:
                found.setdefault(here, set()).add(there)
        return {node: sorted(ends, key=rank) for node, ends in found.items()}

    def order(self, node: str) -> str:
        """Return what nodes are sorted by."""
        return rank(node)

    def _expand(self, nodes: Collection[str], forward: bool) -> Iterator[tuple[str, str]]:
        """Yield each node with each other that a link leads to (`forward`) or comes from."""
        ways = (True, False) if self._links.both_ways else (forward,)
        for batch in batches(sorted(nodes)):
            for way in ways:
                link = "?here ?p ?there" if way else "?there ?p ?here"
                where = f"VALUES ?here {{ {terms(batch)} }} {link} {self._conditions}"
                for here, there in self._ask(f"SELECT DISTINCT ?here ?there WHERE {{ {where} }}"):
                    self._budget.spend(1)
                    if isinstance(here, NamedNode) and isinstance(there, NamedNode):
                        yield here.value, there.value


def _conditions(links: Filter, exempt: frozenset[str]) -> str:
    """Return the part of a query that decides whether a link may be used."""
    parts = ["FILTER(ISIRI(?there) && ?there != ?here)"]
    without = set(links.without)
    if links.only:
        parts.append(f"VALUES ?p {{ {terms(sorted(links.only - without))} }}")
    if not links.asks_for_annotations:
        without |= NEVER_LINKS
        parts.append(f"FILTER NOT EXISTS {{ VALUES ?kind {{ {terms(ANNOTATION_CLASSES)} }} ?there a ?kind }}")
        parts.append(f"FILTER NOT EXISTS {{ ?whole <{SIDE}> ?there }}")
    if without and not links.only:
        parts.append(f"FILTER(?p NOT IN ({', '.join(terms([iri]) for iri in sorted(without))}))")
    if links.types:
        is_exempt = f"?there IN ({', '.join(terms([iri]) for iri in sorted(exempt))})"
        has_type = (
            f"?there <{RDF}type>/<{RDFS}subClassOf>* ?type VALUES ?type {{ {terms(sorted(links.types))} }}"
        )
        parts.append(f"FILTER({is_exempt} || EXISTS {{ {has_type} }})")
    return " ".join(parts)
