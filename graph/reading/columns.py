"""What the cells of each kind of column state; None where a cell's value cannot stand in the column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from compute_atlas.graph.reading import sentences
from compute_atlas.graph.reading.claims import Claim, Value
from compute_atlas.graph.reading.document import Cell
from compute_atlas.graph.reading.lexicon import Lexicon
from compute_atlas.graph.reading.names import kind_of, normal
from compute_atlas.graph.reading.statements import Statement

PARENTHESES = re.compile(r"\s*\(([^()]*)\)\s*$")
_SEPARATORS = re.compile(r"\s*[,、;/]\s*")
_VERSION = re.compile(r"(?<![\d.])\d{1,3}\.\d{1,3}(?![\d.])")


@dataclass(frozen=True)
class Key:
    """The thing a row is about, and what its name said in parentheses.

    A key in doubt was resolved by a guess: the whole row is in doubt then.
    """

    id: str
    source_name: str | None
    line: int
    remark: str = ""
    is_uncertain: bool = False


@dataclass(frozen=True)
class Row:
    """What a column's reader needs to know of the row."""

    key: Key
    lexicon: Lexicon
    statements: Sequence[Statement]
    section: str | None
    api: str | None

    def claim(self, subject: str, name: str, thing: Value, line: int, **qualifiers: Value) -> Claim:
        """Return a claim that a cell of the row makes."""
        if self.api:
            qualifiers["api"] = self.api
        return Claim(
            subject,
            name,
            thing,
            (line,),
            "table",
            tuple(sorted(qualifiers.items())),
            self.section,
            self.key.source_name if subject == self.key.id else None,
            self.key.is_uncertain,
        )


Reader = Callable[[Row, str, Cell], list[Claim] | None]


@dataclass(frozen=True)
class Kind:
    """A kind of table: what its rows are about, what a row states by itself, how its columns are read.

    `columns` maps what a header cell names, a thing or the kind of one, to its property and reader.
    """

    name: str
    key_kind: str
    columns: dict[str, tuple[str, Reader]]
    row_property: str | None = None

    def column(self, thing: str | None) -> tuple[str, Reader] | None:
        """Return the property and the reader of the column whose header names a thing."""
        return (self.columns.get(thing) or self.columns.get(kind_of(thing))) if thing else None


def series_in(cell: Cell, lexicon: Lexicon) -> tuple[list[Key], list[str]]:
    """Return the series that a cell lists, and the names in it that nobody knows."""
    keys, unknown = [], []
    for name in _SEPARATORS.split(normal(cell.text)):
        if thing := lexicon.names.find(name, ["series"]) or lexicon.new_series(name):
            written = None if lexicon.names.is_preferred(name, thing) else name
            keys.append(Key(thing, written, cell.line))
        elif guess := lexicon.names.find_longer(name):
            keys.append(Key(guess, name, cell.line, is_uncertain=True))
        else:
            unknown.append(name)
    return keys, unknown


def has_version(text: str) -> bool:
    """Tell whether a text holds a version such as 11.0."""
    return _VERSION.search(text) is not None


def _use(row: Row, column: str, cell: Cell) -> list[Claim] | None:
    return _answered(row, row.key.id, "usable_for_training_in", column, cell)


def _tool(row: Row, column: str, cell: Cell) -> list[Claim] | None:
    return _answered(row, row.key.id, "can_create_from", column, cell)


def _answered(row: Row, subject: str, name: str, thing: Value, cell: Cell) -> list[Claim] | None:
    """Return what a yes, a no or a yes under a condition states."""
    text = normal(cell.text)
    remark = PARENTHESES.search(text)
    answer = PARENTHESES.sub("", text)
    if row.lexicon.is_word("no", answer):
        return [row.claim(subject, name, False, cell.line)] if thing is True else []
    if not row.lexicon.is_word("yes", answer):
        return None
    if remark is None:
        return [row.claim(subject, name, thing, cell.line)]
    condition = row.lexicon.names.find(remark[1], ["condition"])
    if condition is None:  # a condition nobody knows: the fact is not unconditional
        return [replace(row.claim(subject, name, thing, cell.line), is_uncertain=True)]
    return [row.claim(subject, name, thing, cell.line, condition=condition.removeprefix("condition/"))]


def _capability(row: Row, column: str, cell: Cell) -> list[Claim] | None:
    other = row.lexicon.names.find(cell.text, ["capability"])
    if other:
        return [row.claim(column, "has_capability", other, cell.line)]
    if row.lexicon.is_word("no", cell.text):
        return []
    if row.lexicon.is_word("yes", cell.text):
        return [row.claim(column, "has_capability", row.key.id, cell.line)]
    return None


def _used_for(row: Row, _: str, cell: Cell) -> list[Claim] | None:
    text = normal(cell.text)
    claims: list[Claim] = []
    for match in sentences.find(text, "cell", row.lexicon, row.statements):
        claims += _filled(row, match, cell)
        text = text[: match.start] + "|" * (match.end - match.start) + text[match.end :]
    uses = dict.fromkeys(mention.id for mention in row.lexicon.names.mentions(text, ["use"]))
    claims += [row.claim(row.key.id, "inference_use", use, cell.line) for use in uses]
    return claims or None


def _gpu_support(row: Row, _: str, cell: Cell) -> list[Claim] | None:
    return _answered(row, row.key.id, "gpu_support", True, cell)


def _fpga_support(row: Row, _: str, cell: Cell) -> list[Claim] | None:
    return _answered(row, row.key.id, "fpga_support", True, cell)


def _description(row: Row, _: str, cell: Cell) -> list[Claim] | None:
    if row.lexicon.is_word("yes", cell.text) or row.lexicon.is_word("no", cell.text):
        return None
    found = (
        sentences.find(text, "row", row.lexicon, row.statements) for text, _ in sentences.split(cell.text)
    )
    return [claim for matches in found for match in matches for claim in _filled(row, match, cell)]


def _filled(row: Row, match: sentences.Match, cell: Cell) -> Iterator[Claim]:
    bindings = match.bindings | {"row": [row.key.id]}
    for template in match.statement.claims:
        for thing in sentences.fill(template["o"], bindings):
            claim = row.claim(row.key.id, template["p"], thing, cell.line)
            yield replace(claim, tier="table" if isinstance(thing, str) and "/" in thing else "sentence")


def _category(row: Row, _: str, cell: Cell) -> list[Claim] | None:
    category = row.lexicon.names.find(cell.text, ["category"])
    return [row.claim(row.key.id, "has_category", category, cell.line)] if category else None


def _supported_by(row: Row, _: str, cell: Cell) -> list[Claim] | None:
    mentions = row.lexicon.names.mentions(normal(cell.text), ["target"])
    targets = list(dict.fromkeys(mention.id for mention in mentions))
    return [row.claim(row.key.id, "supported_by", target, cell.line) for target in targets] or None


def _restriction(row: Row, _: str, cell: Cell) -> list[Claim] | None:
    for word, value in (("no_restriction", "none"), ("approval", "requires_approval")):
        if row.lexicon.is_word(word, cell.text):
            return [row.claim(row.key.id, "restriction", value, cell.line)]
    return None


def _series(row: Row, _: str, cell: Cell) -> list[Claim] | None:
    keys, unknown = series_in(cell, row.lexicon)
    if not keys or (unknown and has_version(cell.text)):
        return None
    return [
        replace(
            row.claim(key.id, "gpu_architecture", row.key.id, cell.line),
            source_name=key.source_name,
            is_uncertain=key.is_uncertain,
        )
        for key in keys
    ]


def _cuda(row: Row, _: str, cell: Cell) -> list[Claim] | None:
    if floor := row.lexicon.floor(cell.text):
        version, is_inclusive = floor
        return [row.claim(row.key.id, "min_cuda_version", version, cell.line, inclusive=is_inclusive)]
    versions = _VERSION.findall(normal(cell.text))
    if len(versions) != 1:
        return None
    # Words that nobody knows stand beside it: "and later", or "up to".
    return [replace(row.claim(row.key.id, "min_cuda_version", versions[0], cell.line), is_uncertain=True)]


KINDS = {
    "ontology#TrainingTarget": Kind(
        "training", "target", {"use": ("usable_for_training_in", _use)}, "is_training_target"
    ),
    "ontology#ComputeTarget": Kind(
        "inference",
        "target",
        {
            "term/used_for": ("inference_use", _used_for),
            "term/gpu_support": ("gpu_support", _gpu_support),
            "term/fpga_support": ("fpga_support", _fpga_support),
            "term/description": ("description", _description),
        },
    ),
    "ontology#Capability": Kind("capabilities", "capability", {"target": ("has_capability", _capability)}),
    "ontology#VMSeries": Kind(
        "series",
        "series",
        {
            "ontology#VMCategory": ("has_category", _category),
            "term/supported_by": ("supported_by", _supported_by),
            "term/restrictions": ("restriction", _restriction),
        },
        "supported_in_aml",
    ),
    "ontology#GPUArchitecture": Kind(
        "cuda",
        "architecture",
        {
            "ontology#VMSeries": ("gpu_architecture", _series),
            "ontology#CUDAVersion": ("min_cuda_version", _cuda),
        },
    ),
    "ontology#Tool": Kind("tools", "target", {"tool": ("can_create_from", _tool)}),
}
