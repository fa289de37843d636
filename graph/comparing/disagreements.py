"""Disagreements: what they are, how they stand in the graph, how they are read from it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compute_atlas.ontology.names import (
    BASE,
    GRAPH_DISAGREEMENTS,
    LANGUAGES,
    ONTOLOGY,
    RDF,
    SKOS,
    XSD,
    identifier,
)
from pyoxigraph import Literal, NamedNode, Quad, Triple

LEVELS = ("fact", "naming", "wording", "lossy", "gap")
# Each kind: its level, and what it means.
KINDS = {
    "action_differs": ("fact", "the editions recommend different actions"),
    "list_differs": ("fact", "the editions list different members"),
    "missing_in": ("fact", "one edition lists it, another has the list without it"),
    "position_differs": ("fact", "the row, read by position, contradicts an edition with all its cells"),
    "scope_differs": ("fact", "the same list is announced for different things"),
    "supported_yet_retired": ("fact", "one edition lists the series as supported and as retired"),
    "tense_differs": ("fact", "one edition speaks of the past, another of the future"),
    "value_differs": ("fact", "the editions state different values"),
    "header_space_lost": ("naming", "words of a header run together"),
    "name_kept_vs_translated": ("naming", "one edition keeps a product's name, another translates it"),
    "name_mismatch_between_tables": ("naming", "two tables of an edition write the name differently"),
    "name_translated": ("naming", "an identifier was translated"),
    "term_inconsistent": ("naming", "one edition uses two names for it"),
    "trailing_punctuation": ("naming", "a full stop stands inside a list item"),
    "ambiguous_row": ("lossy", "fewer values than columns: which columns they belong to is lost"),
    "blank_cell_dropped": ("lossy", "a blank cell is gone, the values after it moved to the left"),
    "row_broken": ("lossy", "a row of the table goes on on the next line"),
    "same_header_twice": ("lossy", "two tables have the same header, and nothing says what tells them apart"),
    "list_missing": ("gap", "a sentence announces a list, and none follows"),
    "series_without_cuda_row": ("gap", "GPU series that the CUDA table does not have by their names"),
    "target_in_no_class": ("gap", "a training target in neither the managed nor the unmanaged list"),
}  # fmt: skip

# Claims about membership have no property of their own: their predicate, and the class.
MEMBERSHIPS = {
    "isManaged": "ontology#ManagedCompute",
    "isUnmanaged": "ontology#UnmanagedCompute",
    "isIsolated": "ontology#IsolatedVMSize",
    "isTrainingTarget": "ontology#TrainingTarget",
}
_GRAPH = NamedNode(GRAPH_DISAGREEMENTS)
_TYPE = NamedNode(f"{RDF}type")
_LABELS = {"en": "{}: {} ({})", "ja": "{} の不一致: {} ({})", "it": "{} in discordanza: {} ({})"}


@dataclass(frozen=True, order=True)
class Side:
    """What one edition has on the point."""

    edition: str
    line: int
    value: str


@dataclass(frozen=True)
class Disagreement:
    """A point on which editions differ, or where one of them is damaged.

    The subject is an id, the predicate a property's local name (of a membership: isManaged …).
    """

    kind: str
    subject: str
    predicate: str | None
    sides: tuple[Side, ...]

    @property
    def level(self) -> str:
        """How much it weighs: one of LEVELS."""
        return KINDS[self.kind][0]

    @property
    def what(self) -> str:
        """What is wrong, as a sentence."""
        return KINDS[self.kind][1]

    @property
    def id(self) -> str:
        """An id made from the content: the same disagreement has the same one in every build."""
        about = re.split(r"[/#]", self.subject)[-1]
        places = (f"{side.edition}-{side.line}" for side in self.sides)
        return "-".join((self.kind, about, *([self.predicate] if self.predicate else ()), *places))

    def as_json(self) -> dict[str, object]:
        """Return it as an item of /differences."""
        return {
            "id": self.id,
            "kind": self.kind,
            "level": self.level,
            "subject": self.subject,
            "predicate": self.predicate,
            "sides": [vars(side) for side in self.sides],
            "what": self.what,
        }

    @property
    def editions(self) -> set[str]:
        """The editions that have a side."""
        return {side.edition for side in self.sides}


def ordered(disagreements: Iterable[Disagreement]) -> list[Disagreement]:
    """Return them once each: by level, kind, subject and first side."""
    return sorted(
        set(disagreements),
        key=lambda item: (
            LEVELS.index(item.level),
            item.kind,
            item.subject,
            item.predicate or "",
            item.sides,
        ),
    )


def select(
    found: Iterable[Disagreement], kind: str | None, level: str | None, edition: str | None
) -> list[Disagreement]:
    """Return those of a kind, of a level, with a side in an edition; None: any."""
    return [
        item
        for item in found
        if kind in (None, item.kind) and level in (None, item.level) and edition in (None, *item.editions)
    ]


def as_csv(found: Iterable[Disagreement]) -> str:
    """Return a table with a line for each side."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(("id", "kind", "level", "subject", "predicate", "edition", "line", "value", "what"))
    for item in found:
        for side in item.sides:
            about = (item.id, item.kind, item.level, item.subject, item.predicate or "")
            writer.writerow((*about, side.edition, side.line, side.value, item.what))
    return text.getvalue()


def as_text(found: Iterable[Disagreement]) -> str:
    """Return a paragraph for each: what disagrees, then a line for each side."""
    lines = []
    for item in found:
        about = " ".join(filter(None, (item.subject, item.predicate)))
        lines.append(f"{item.level}: {item.kind}: {about}: {item.what}")
        lines += [f"    {side.edition}:{side.line}: {side.value}" for side in item.sides]
    return "".join(f"{line}\n" for line in lines)


def quads(disagreements: Iterable[Disagreement], *, with_labels: bool = True) -> Iterator[Quad]:
    """Yield the disagreements as they stand in graph:disagreements."""
    for item in disagreements:
        node = NamedNode(f"{BASE}disagreement/{item.id}")
        yield Quad(node, _TYPE, _ca("Disagreement"), _GRAPH)
        yield Quad(node, _ca("disagreementKind"), Literal(item.kind), _GRAPH)
        yield Quad(node, _ca("disagreementLevel"), Literal(item.level), _GRAPH)
        yield Quad(node, _ca("disagreementSubject"), NamedNode(BASE + item.subject), _GRAPH)
        if item.predicate in MEMBERSHIPS:
            yield Quad(node, _ca("disagreementProperty"), _TYPE, _GRAPH)
            yield Quad(node, _ca("disagreementObject"), NamedNode(BASE + MEMBERSHIPS[item.predicate]), _GRAPH)
        elif item.predicate:
            yield Quad(node, _ca("disagreementProperty"), _ca(item.predicate), _GRAPH)
        for language in LANGUAGES if with_labels else ():
            places = ", ".join(f"{side.edition} {side.line}" for side in item.sides)
            text = _LABELS[language].format(item.subject, item.kind.replace("_", " "), places)
            yield Quad(node, NamedNode(f"{SKOS}prefLabel"), Literal(text, language=language), _GRAPH)
        for number, side in enumerate(item.sides, 1):
            place = NamedNode(f"{node.value}-{number}")
            yield Quad(node, _ca("side"), place, _GRAPH)
            yield Quad(place, _ca("edition"), NamedNode(f"{BASE}edition/{side.edition}"), _GRAPH)
            line = Literal(str(side.line), datatype=NamedNode(f"{XSD}integer"))
            yield Quad(place, _ca("line"), line, _GRAPH)
            yield Quad(place, _ca("value"), Literal(side.value), _GRAPH)


def read(statements: Iterable[Triple | Quad]) -> list[Disagreement]:
    """Return the disagreements that a graph's statements describe, ordered."""
    values: dict[str, dict[str, list[str]]] = {}
    for statement in statements:
        if isinstance(statement.subject, NamedNode):
            facts = values.setdefault(statement.subject.value, {})
            term = statement.object
            facts.setdefault(statement.predicate.value, []).append(getattr(term, "value", ""))
    kind = f"{ONTOLOGY}disagreementKind"
    return ordered(_item(facts, values) for facts in values.values() if facts.get(kind, [""])[0] in KINDS)


def in_graph(quads_: Iterable[Quad]) -> Iterator[Quad]:
    """Yield those of a dataset's quads that stand in graph:disagreements."""
    return (quad for quad in quads_ if quad.graph_name == _GRAPH)


def _item(facts: dict[str, list[str]], values: dict[str, dict[str, list[str]]]) -> Disagreement:
    def first(name: str) -> str | None:
        return next(iter(facts.get(ONTOLOGY + name, ())), None)

    sides = sorted(side for node in facts.get(f"{ONTOLOGY}side", ()) if (side := _side(values.get(node, {}))))
    predicate = first("disagreementProperty")
    member = first("disagreementObject")
    if predicate == f"{RDF}type":
        found = (name for name, of_class in MEMBERSHIPS.items() if BASE + of_class == member)
        predicate = next(found, "type")
    subject = first("disagreementSubject") or ""
    return Disagreement(
        first("disagreementKind") or "",
        identifier(subject) or subject,
        predicate.removeprefix(ONTOLOGY) if predicate else None,
        tuple(sides),
    )


def _side(facts: dict[str, list[str]]) -> Side | None:
    """Return what a node says of one side, None if other people's data leaves something out."""
    edition, line, value = (facts.get(ONTOLOGY + name, [""])[0] for name in ("edition", "line", "value"))
    if not edition or not re.fullmatch("[0-9]{1,9}", line):
        return None
    return Side(edition.removeprefix(f"{BASE}edition/"), int(line), value)


def _ca(name: str) -> NamedNode:
    return NamedNode(ONTOLOGY + name)
