"""The editions that a graph holds: their entries in graph:terms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compute_atlas.ontology.names import BASE, DCT, ONTOLOGY
from pyoxigraph import Literal, NamedNode, Quad, Triple

_PREFIX = f"{BASE}edition/"
_FIELDS = {
    f"{DCT}language": "language",
    f"{DCT}title": "title",
    f"{DCT}isVersionOf": "page",
    f"{DCT}issued": "issued",
    f"{ONTOLOGY}fileName": "file",
    f"{ONTOLOGY}sha256": "sha256",
}


@dataclass(frozen=True)
class Entry:
    """One document: its id, its language, title and page, and what else is known of it."""

    id: str
    facts: dict[str, str]

    def as_json(self) -> dict[str, object]:
        """Return it as an item of /editions; what is not known is null."""
        return {"id": self.id, "iri": _PREFIX + self.id} | {
            name: self.facts.get(name) for name in _FIELDS.values()
        }


def read(statements: Iterable[Triple | Quad]) -> list[Entry]:
    """Return the documents that a graph's statements describe, in order of id."""
    found: dict[str, dict[str, str]] = {}
    for statement in statements:
        name = _FIELDS.get(statement.predicate.value)
        subject = statement.subject
        if name and isinstance(subject, NamedNode) and subject.value.startswith(_PREFIX):
            facts = found.setdefault(subject.value.removeprefix(_PREFIX), {})
            if isinstance(statement.object, Literal | NamedNode):
                facts[name] = statement.object.value
    return [Entry(name, facts) for name, facts in sorted(found.items())]
