"""Read what a request asks of paths, neighbours and evidence, from the values of its parameters as text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, get_args

from compute_atlas.graph.errors import AmbiguousTerm, InvalidValue, UnknownTerm
from compute_atlas.graph.languages import checked
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import Filter as NameFilter
from compute_atlas.graph.lookup.labels import last_part, short_type
from compute_atlas.graph.lookup.resolve import is_ordinary, is_property, resolve, resolve_class
from compute_atlas.graph.walking.links import Filter
from compute_atlas.graph.walking.paths import DEFAULT_LIMITS, Limits, Mode, Question
from compute_atlas.ontology.names import ONTOLOGY

_SETS = ("only", "without", "avoid", "types")
MODES: tuple[Mode, ...] = get_args(Mode)
DIRECTIONS = ("out", "any")
MOST_HOPS = 50
MOST_PATHS = 10_000
MOST_VIA = 4
MOST_NEIGHBOUR_HOPS = 2

_WHOLE = re.compile(r"[+-]?[0-9]+")
_MOST_DIGITS = 9


@dataclass(frozen=True)
class Names:
    """The names of things, and whether an IRI without a name is in the graph, or one of its predicates."""

    index: Index
    is_known: Callable[[str], bool]
    is_predicate: Callable[[str], bool]

    def thing(self, text: str | None, parameter: str, class_iri: str | None = None) -> str:
        """Return the IRI of the thing that a text names. Raises InvalidValue, UnknownTerm, AmbiguousTerm.

        With a class only its members are found by their labels, and by their ids without the kind.
        """
        if class_iri and (own := self._member(text, class_iri)):
            return own
        accepts: NameFilter = (lambda thing: class_iri in thing.classes) if class_iri else is_ordinary
        try:
            found = resolve(self.index, text, parameter, accepts=accepts, is_known=self.is_known)
        except UnknownTerm:
            if class_iri is None:
                raise
            found = resolve(self.index, text, parameter, is_known=self.is_known)
        if class_iri and not accepts(found):
            name = short_type(class_iri)
            reason, mend = f"{found.id} is no {name}", f"name a thing of the class {name}"
            raise InvalidValue(parameter, text or "", reason, mend)
        return found.iri

    def _member(self, text: str | None, class_iri: str) -> str | None:
        """Return the IRI of the one member of a class that ends so."""
        things = self.index.things.values()
        found = [thing.iri for thing in things if class_iri in thing.classes and last_part(thing.iri) == text]
        return found[0] if len(found) == 1 else None

    def predicate(self, text: str, parameter: str) -> str:
        """Return the IRI of the property that a text names, ours by its local name, too."""
        own = self.index.things.get(ONTOLOGY + text)
        if own and is_property(own):
            return own.iri
        return resolve(self.index, text, parameter, accepts=is_property, is_known=self.is_predicate).iri

    def type(self, text: str, parameter: str) -> str:
        """Return the IRI of the class that a text names. Raises the same."""
        return resolve_class(self.index, text, parameter)


@dataclass(frozen=True)
class Values:
    """The values of a request's parameters by name, in the order given."""

    values: Mapping[str, Sequence[str]]

    def all(self, name: str) -> Sequence[str]:
        """Return all values of a name."""
        return self.values.get(name, ())

    def one(self, name: str) -> str | None:
        """Return the value of a name, None if it is absent. Raises InvalidValue if it has several."""
        values = list(dict.fromkeys(self.all(name)))
        if len(values) > 1:
            raise InvalidValue(name, values[1], f'"{_shown(values[0])}" is given, too', "give one value")
        return values[0] if values else None

    def number(self, name: str, default: int, most: int) -> int:
        """Return a whole number from 1 to `most`. Raises InvalidValue."""
        text = self.one(name)
        if text is None:
            return default
        mend = f"give a whole number from 1 to {most}"
        if not _WHOLE.fullmatch(text):
            raise InvalidValue(name, text, "this is no whole number", mend)
        if len(text) > _MOST_DIGITS or not 1 <= int(text) <= most:
            raise InvalidValue(name, text, "this is out of range", mend)
        return int(text)

    def choice(self, name: str, choices: Sequence[str]) -> str:
        """Return one of the choices, the first by default. Raises InvalidValue."""
        text = self.one(name)
        if text is not None and text not in choices:
            mend = f"use one of: {', '.join(choices)}"
            raise InvalidValue(name, text, "this is none of its values", mend, list(choices))
        return text or choices[0]


def read_question(values: Values, names: Names) -> tuple[Question, Limits]:
    """Return which paths are asked for. Raises InvalidValue, UnknownTerm, AmbiguousTerm."""
    mode = _mode(values)
    via = tuple(names.thing(text, "via") for text in values.all("via"))
    if len(set(via)) > MOST_VIA:
        raise InvalidValue(
            "via", values.all("via")[-1], "these are too many", f"give at most {MOST_VIA} things"
        )
    question = Question(
        names.thing(values.one("from"), "from"),
        names.thing(values.one("to"), "to"),
        mode,
        values.number("k", Question.k, MOST_PATHS),
        values.number("max_hops", Question.max_hops, MOST_HOPS),
        via,
        Filter(
            values.choice("direction", DIRECTIONS) == "any",
            frozenset(names.predicate(text, "only") for text in values.all("only")),
            frozenset(names.predicate(text, "without") for text in values.all("without")),
            frozenset(names.thing(text, "avoid") for text in values.all("avoid")),
            frozenset(names.type(text, "types") for text in values.all("types")),
        ),
    )
    most = question.k if mode == "k" else DEFAULT_LIMITS.paths
    return question, replace(DEFAULT_LIMITS, paths=values.number("limit", most, MOST_PATHS))


def _mode(values: Values) -> Mode:
    """Return the mode: `k` by itself asks for the mode of that name."""
    name = values.choice("mode", MODES)
    if values.one("k") is None:
        return next(mode for mode in MODES if mode == name)
    if values.one("mode") not in (None, "k"):
        raise InvalidValue("k", values.one("k") or "", f'it has no meaning with mode="{name}"', "use mode=k")
    return "k"


def find_evidence(values: Values, names: Names, find: Callable[[dict[str, Any]], bytes]) -> dict[str, Any]:
    """Return the evidence asked for; `find` does the job of that name.

    The object is the form of a literal if somebody claims one, else a thing, else a value that the predicate
    may have and nobody claims. Raises InvalidValue, UnknownTerm, AmbiguousTerm.
    """
    predicate, text = values.one("predicate"), values.one("object")
    facts: dict[str, Any] = {"subject": names.thing(values.one("subject"), "subject"), "object": text}
    facts["predicate"] = None if predicate is None else names.predicate(predicate, "predicate")
    facts["thing"], unresolved = None, None
    if text is not None:
        try:
            facts["thing"] = names.thing(text, "object")
        except (UnknownTerm, AmbiguousTerm, InvalidValue) as error:
            unresolved = error
    answer: dict[str, Any] = json.loads(find(facts))
    is_value = answer.pop("is_value")
    if unresolved and not answer["claims"] and not is_value:
        raise unresolved
    return answer


def read_center(values: Values, names: Names) -> tuple[str, int]:
    """Return the thing whose neighbours are asked for, and up to how many hops."""
    return names.thing(values.one("of"), "of"), values.number("hops", 1, MOST_NEIGHBOUR_HOPS)


def read_languages(values: Values, accepted: Sequence[str]) -> list[str]:
    """Return the languages to answer in, best first: `lang`, else what the client accepts."""
    asked = values.one("lang")
    return list(accepted) if asked is None else [checked(asked)]


def to_payload(question: Question) -> dict[str, Any]:
    """Return a question as JSON can carry it to a worker."""
    members = asdict(question)
    links = members["filter"]
    members["filter"] = links | {name: sorted(links[name]) for name in _SETS}
    return members


def from_payload(payload: dict[str, Any]) -> Question:
    """Return the question that `to_payload` was given."""
    links = payload["filter"]
    sets: dict[str, Any] = {name: frozenset(links[name]) for name in _SETS}
    members = payload | {"via": tuple(payload["via"]), "filter": Filter(links["both_ways"], **sets)}
    return Question(**members)


def _shown(value: str, longest: int = 40) -> str:
    return value if len(value) <= longest else value[:longest] + "…"
