"""Tell paths: the statements behind each step, their names, and the sentences that read them aloud."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from compute_atlas.graph.walking.frontier import Ask
from compute_atlas.graph.walking.links import Filter
from compute_atlas.graph.walking.paths import Found, Question
from compute_atlas.graph.walking.statements import Statement, find_statements
from compute_atlas.graph.walking.wording import Wording, word
from pyoxigraph import Triple

Path = tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """The statements between two nodes that follow each other, all of one direction, sorted by predicate.

    Where there are statements of both directions, these are the forward ones; `opposite` has the others.
    """

    is_forward: bool
    statements: tuple[Statement, ...]
    opposite: tuple[Statement, ...] = ()

    @property
    def all_statements(self) -> tuple[Statement, ...]:
        """Return the statements of both directions."""
        return self.statements + self.opposite

    @property
    def main(self) -> Statement:
        """Return the statement to read aloud: the first that somebody states, else the first."""
        return next((s for s in self.statements if not s.is_inferred), self.statements[0])


@dataclass(frozen=True)
class Told:
    """Paths with the steps of each, and the wording of what they name."""

    question: Question
    paths: list[Path]
    is_complete: bool
    steps: list[list[Step]]
    wording: Wording

    def as_json(self) -> dict[str, Any]:
        """Return the answer of the service."""
        return {
            "from": self.wording.thing(self.question.source),
            "to": self.wording.thing(self.question.target),
            "mode": self.question.mode,
            "complete": self.is_complete,
            "paths": [self._path(*told) for told in zip(self.paths, self.steps, strict=True)],
        }

    def triples(self) -> list[Triple]:
        """Return the statements of all paths, each once, in order of appearance."""
        return list(dict.fromkeys(statement.triple for _, _, statement in self.rows()))

    def rows(self) -> Iterator[tuple[int, int, Statement]]:
        """Yield each statement with the number of its path and of its step, from 1."""
        for path_number, steps in enumerate(self.steps, 1):
            for step_number, step in enumerate(steps, 1):
                for statement in step.all_statements:
                    yield path_number, step_number, statement

    def _path(self, path: Path, steps: Sequence[Step]) -> dict[str, Any]:
        return {
            "hops": len(steps),
            "nodes": [self.wording.node(iri) for iri in path],
            "steps": [self._step(step) for step in steps],
            "text": self.wording.text(step.main for step in steps),
        }

    def _step(self, step: Step) -> dict[str, Any]:
        told = {"forward": step.is_forward, "predicates": list(map(self.wording.statement, step.statements))}
        if step.opposite:
            told["opposite"] = list(map(self.wording.statement, step.opposite))
        return told


def tell(ask: Ask, question: Question, found: Found, languages: Sequence[str]) -> Told:
    """Return the paths found with their statements and the wording of both."""
    statements = find_statements(ask, _pairs(found.paths, question.filter), question.filter)
    steps = [[_step(statements, *pair) for pair in pairwise(path)] for path in found.paths]
    nodes = {question.source, question.target, *(iri for path in found.paths for iri in path)}
    told = [statement for path in steps for step in path for statement in step.all_statements]
    return Told(question, found.paths, found.is_complete, steps, word(ask, nodes, told, languages))


def _pairs(paths: Iterable[Path], links: Filter) -> Iterator[tuple[str, str]]:
    for path in paths:
        for start, end in pairwise(path):
            yield start, end
            if links.both_ways:
                yield end, start


def _step(statements: dict[tuple[str, str], tuple[Statement, ...]], start: str, end: str) -> Step:
    forward, backward = statements.get((start, end), ()), statements.get((end, start), ())
    return Step(True, forward, backward) if forward else Step(False, backward)
