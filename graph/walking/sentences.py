"""Read statements aloud: a sentence in the language asked for, from the template of the property."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compute_atlas.graph.languages import best
from compute_atlas.graph.lookup.labels import Thing
from compute_atlas.graph.walking.frontier import Ask, batches, terms
from compute_atlas.ontology.names import ONTOLOGY
from pyoxigraph import Literal, NamedNode

# For properties of other people, which have no sentence of their own.
_PLAIN = {"en": "“{s}”: {p} “{o}”.", "ja": "「{s}」の「{p}」は「{o}」です。", "it": "«{s}»: {p} «{o}»."}
_SENTENCES = "SELECT ?p ?text WHERE {{ VALUES ?p {{ {predicates} }} ?p {sentence} ?text }}"
_PLACEHOLDER = re.compile(r"\{([spo])\}")
# Between sentences of these languages stands no blank.
_WITHOUT_BLANKS = ("ja", "zh")


@dataclass(frozen=True)
class Reader:
    """Sentence templates by predicate and language, and the languages to read in, best first."""

    templates: dict[str, dict[str, str]]
    languages: Sequence[str]

    def sentence(self, subject: Thing, predicate: Thing, value: Thing) -> str:
        """Return the sentence that says a statement."""
        templates = self.templates.get(predicate.iri) or _PLAIN
        language = best(self.languages, templates) or min(templates)
        parts = {"s": subject, "p": predicate, "o": value}
        shown = {name: thing.shown([language, *self.languages]).value for name, thing in parts.items()}
        return _PLACEHOLDER.sub(lambda found: shown[found[1]], templates[language])

    def join(self, sentences: Iterable[str]) -> str:
        """Return sentences as one text."""
        language = best(self.languages, _PLAIN)
        return ("" if language in _WITHOUT_BLANKS else " ").join(sentences)


def make_reader(ask: Ask, predicates: Iterable[str], languages: Sequence[str]) -> Reader:
    """Return a reader for statements with these predicates."""
    templates: dict[str, dict[str, str]] = {}
    sentence = terms([f"{ONTOLOGY}sentence"])
    for batch in batches(sorted(set(predicates))):
        for predicate, text in ask(_SENTENCES.format(predicates=terms(batch), sentence=sentence)):
            if isinstance(predicate, NamedNode) and isinstance(text, Literal) and text.language:
                templates.setdefault(predicate.value, {})[text.language] = text.value
    return Reader(templates, languages)
