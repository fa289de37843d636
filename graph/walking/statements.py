"""Find the statements that link two resources, with the graphs that make them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compute_atlas.graph.walking.frontier import Ask, batches
from compute_atlas.graph.walking.links import NEVER_LINKS, Filter
from compute_atlas.ontology.names import GRAPH_INFERRED
from pyoxigraph import NamedNode, Triple

_STATEMENTS = (
    "SELECT DISTINCT ?s ?p ?o ?g WHERE {{ {{ VALUES (?s ?o) {{ {pairs} }} ?s ?p ?o }}"
    " UNION {{ VALUES (?s ?o) {{ {pairs} }} GRAPH ?g {{ ?s ?p ?o }} }} }}"
)


@dataclass(frozen=True)
class Statement:
    """A statement and the named graphs that make it; none if only the unnamed graph does."""

    subject: str
    predicate: str
    value: str
    graphs: tuple[str, ...]

    @property
    def is_inferred(self) -> bool:
        """Say whether rules have added it."""
        return self.graphs == (GRAPH_INFERRED,)

    @property
    def triple(self) -> Triple:
        """Return it as RDF."""
        return Triple(*(NamedNode(iri) for iri in (self.subject, self.predicate, self.value)))


def find_statements(
    ask: Ask, pairs: Iterable[tuple[str, str]], links: Filter
) -> dict[tuple[str, str], tuple[Statement, ...]]:
    """Return the statements from the first to the second of each pair that a search may use, by pair."""
    graphs: dict[tuple[str, str, str], set[str]] = {}
    texts = (f"({NamedNode(start)} {NamedNode(end)})" for start, end in sorted(set(pairs)))
    for batch in batches(texts):
        for row in ask(_STATEMENTS.format(pairs=" ".join(batch))):
            subject, predicate, value, graph = (
                term.value if isinstance(term, NamedNode) else "" for term in row
            )
            graphs.setdefault((subject, value, predicate), set()).update([graph] if graph else [])
    found: dict[tuple[str, str], list[Statement]] = {}
    for (subject, value, predicate), named in sorted(graphs.items()):
        if links.allows(predicate) and (links.asks_for_annotations or predicate not in NEVER_LINKS):
            statement = Statement(subject, predicate, value, tuple(sorted(named)))
            found.setdefault((subject, value), []).append(statement)
    return {pair: tuple(statements) for pair, statements in found.items()}
