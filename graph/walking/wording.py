"""Word things and statements for a reader: labels in a language, types, sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from compute_atlas.graph.lookup.labels import Thing, short_type
from compute_atlas.graph.walking.frontier import Ask
from compute_atlas.graph.walking.naming import name_things
from compute_atlas.graph.walking.sentences import Reader, make_reader
from compute_atlas.graph.walking.statements import Statement


@dataclass(frozen=True)
class Wording:
    """Things by IRI and a reader; all answers are as the service gives them."""

    things: dict[str, Thing]
    reader: Reader

    def thing(self, iri: str) -> dict[str, Any]:
        """Return id, IRI and label of a thing."""
        return {"id": self.things[iri].id, "iri": iri, "label": self.label(iri)}

    def node(self, iri: str) -> dict[str, Any]:
        """Return the same with the thing's most special types."""
        return self.thing(iri) | {"types": [short_type(type_) for type_ in self.things[iri].types]}

    def label(self, iri: str) -> dict[str, Any]:
        """Return the label, marked if it is in another language than the first asked for."""
        shown = self.things[iri].shown(self.reader.languages)
        return {"value": shown.value, "lang": shown.lang, "fallback": shown.fallback}

    def statement(self, statement: Statement) -> dict[str, Any]:
        """Return the predicate of a statement, its sentence, and who states it."""
        return {
            "iri": statement.predicate,
            "label": self.label(statement.predicate),
            "sentence": self.sentence(statement),
            "graphs": list(statement.graphs),
            "inferred": statement.is_inferred,
        }

    def sentence(self, statement: Statement) -> str:
        """Return the sentence that says a statement."""
        parts = (statement.subject, statement.predicate, statement.value)
        return self.reader.sentence(*(self.things[iri] for iri in parts))

    def text(self, statements: Iterable[Statement]) -> str:
        """Return statements as one text."""
        return self.reader.join(map(self.sentence, statements))


def word(
    ask: Ask, nodes: Iterable[str], statements: Iterable[Statement], languages: Sequence[str]
) -> Wording:
    """Return the wording of some nodes and of statements between them, in the first language that has it."""
    predicates = {statement.predicate for statement in statements}
    return Wording(name_things(ask, predicates.union(nodes)), make_reader(ask, predicates, languages))
