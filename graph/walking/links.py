"""Which statements count as links between resources, and which of them one search may use."""

from __future__ import annotations

from dataclasses import dataclass

from compute_atlas.ontology.names import BASE, ONTOLOGY, OWL, RDF, SKOS

# Stated of nearly everything: through these any two things would be two hops apart.
NEVER_LINKS = frozenset({f"{RDF}type", f"{SKOS}inScheme", f"{ONTOLOGY}nextVersion"})
# What says something about a statement is no resource of its own.
ANNOTATION_CLASSES = (
    f"{OWL}Annotation",
    f"{OWL}Axiom",
    f"{OWL}NegativePropertyAssertion",
    f"{RDF}Statement",
    f"{ONTOLOGY}Disagreement",
    f"{ONTOLOGY}UncertainClaim",
)
SIDE = f"{ONTOLOGY}side"
_OF_ANNOTATIONS = frozenset(
    {
        *(f"{OWL}{name}" for name in ("annotatedSource", "annotatedProperty", "annotatedTarget")),
        *(f"{RDF}{name}" for name in ("subject", "predicate", "object")),
        *(f"{ONTOLOGY}{name}" for name in ("claimSubject", "claimProperty", "claimObject")),
        *(f"{ONTOLOGY}{name}" for name in ("disagreementSubject", "disagreementProperty", "side")),
        *(f"{ONTOLOGY}{name}" for name in ("edition", "section", "condition")),
    }
)


@dataclass(frozen=True)
class Filter:
    """What a search may walk on, as IRIs: predicates, nodes to avoid, types of the nodes between the ends."""

    both_ways: bool = False
    only: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    avoid: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()

    def allows(self, predicate: str) -> bool:
        """Say whether the search may use a predicate."""
        return (not self.only or predicate in self.only) and predicate not in self.without

    @property
    def asks_for_annotations(self) -> bool:
        """Say whether the search names a predicate that by itself does not link resources."""
        return not self.only.isdisjoint(NEVER_LINKS | _OF_ANNOTATIONS)


def rank(iri: str) -> str:
    """Return what things are sorted by: the id, the whole IRI of other people's things."""
    return iri.removeprefix(BASE)
