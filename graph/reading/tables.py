"""Read claims from tables, with doubt where a row has lost cells.

A table is known by the things that its header cells name, so this holds for every language with labels.
In the text form blank cells were dropped and the others packed to the left: such a row is read in every
way that its values allow. What all ways have in common is certain; the rest are claims in doubt.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from compute_atlas.graph.reading import sentences
from compute_atlas.graph.reading.claims import Claim, Value
from compute_atlas.graph.reading.document import Cell, Table
from compute_atlas.graph.reading.lexicon import Lexicon, Statement
from compute_atlas.graph.reading.names import kind_of, normal

MAX_READINGS = 2_000  # of one row; a row of 14 columns with half its cells lost has 3,432

_HEADER_KINDS = (("class",), ("use",), ("target",), ("term",))
_PARENTHESES = re.compile(r"\s*\(([^()]*)\)\s*$")
_SEPARATORS = re.compile(r"\s*[,、;/]\s*")
_IDENTIFIER = re.compile(r"[A-Z][A-Za-z0-9]*(?:[ _][A-Za-z0-9]+)*")
# One cell value that stands for two things.
_PAIRS = {"term/clusters_and_instances": ("target/compute_cluster", "target/compute_instance")}


@dataclass(frozen=True)
class _Key:
    """The thing a row is about, and what its name said in parentheses."""

    id: str
    source_name: str | None
    line: int
    remark: str = ""


_Draft = Claim
_Reader = Callable[["_Row", str, Cell], list[_Draft] | None]


@dataclass(frozen=True)
class _Row:
    """What a column's reader needs to know of the row."""

    key: _Key
    lexicon: Lexicon
    statements: Sequence[Statement]
    section: str | None
    api: str | None

    def claim(self, subject: str, name: str, thing: Value, line: int, **qualifiers: Value) -> Claim:
        if self.api:
            qualifiers["api"] = self.api
        source_name = self.key.source_name if subject == self.key.id else None
        return Claim(
            subject,
            name,
            thing,
            (line,),
            "table",
            tuple(sorted(qualifiers.items())),
            self.section,
            source_name,
        )


@dataclass(frozen=True)
class _Kind:
    """A kind of table: what its rows are about, what a row states by itself, how its columns are read."""

    key_kind: str
    columns: dict[str, _Reader]
    row_property: str | None = None
    may_be_new: bool = False


@dataclass(frozen=True)
class Finding:
    """A place in a document that could not be read."""

    line: int
    what: str


def read_table(
    table: Table,
    lexicon: Lexicon,
    statements: Sequence[Statement],
    section: str | None,
    known: Collection[Claim],
) -> tuple[list[Claim], list[Finding]]:
    """Return what a table states and what in it could not be read.

    `known` are claims that the document makes elsewhere; they settle a row where only one reading agrees.
    """
    header = [_header_thing(cell, lexicon) for cell in table.header]
    kind = _KINDS.get(header[0] or "")
    if kind is None or not any(_column_reader(kind, thing) for thing in header[1:]):
        return [], [Finding(table.line, f"a table with the header {_show(table.header)} is not known")]
    claims: list[Claim] = []
    findings: list[Finding] = []
    stated = {(claim.subject, claim.predicate, claim.object) for claim in known if not claim.is_uncertain}
    for cells in table.rows:
        key = _key(cells[0], kind, lexicon)
        if key is None:
            findings.append(
                Finding(cells[0].line, f'"{cells[0].text}" is not known as a name of this column')
            )
            continue
        row = _Row(key, lexicon, statements, section, table.api)
        claims += _key_claims(row, kind)
        found, missed = _row_claims(row, kind, header, cells, table.keeps_blanks, stated)
        claims += found
        findings += missed
    return claims, findings


def is_known(table: Table, lexicon: Lexicon) -> bool:
    """Tell whether the table's header is one that can be read in this language."""
    return (_header_thing(table.header[0], lexicon) or "") in _KINDS


def _header_thing(cell: Cell, lexicon: Lexicon) -> str | None:
    found = (lexicon.names.find(cell.text, kinds) for kinds in _HEADER_KINDS)
    return next((thing for thing in found if thing), None)


def _column_reader(kind: _Kind, thing: str | None) -> _Reader | None:
    if thing is None:
        return None
    return kind.columns.get(thing) or kind.columns.get(kind_of(thing))


def _key(cell: Cell, kind: _Kind, lexicon: Lexicon) -> _Key | None:
    text = normal(cell.text)
    bare, remark = _PARENTHESES.sub("", text), ""
    if match := _PARENTHESES.search(text):
        remark = match[1]
    for name in (text, bare):
        if thing := lexicon.names.find(name, [kind.key_kind]):
            written = None if lexicon.names.is_preferred(name, thing) else cell.text
            return _Key(thing, written, cell.line, remark)
    if kind.may_be_new and _IDENTIFIER.fullmatch(bare):
        return _Key(_new(kind.key_kind, bare), None, cell.line, remark)
    return None


def _new(kind: str, name: str) -> str:
    """Return the id of a thing that the labels do not know yet, from its name as written."""
    return f"{kind}/{name.lower() if kind == 'architecture' else name.replace(' ', '_')}"


def _key_claims(row: _Row, kind: _Kind) -> Iterator[Claim]:
    if kind.row_property:
        yield row.claim(row.key.id, kind.row_property, True, row.key.line)
    for word in ("preview", "deprecated"):
        if row.lexicon.is_word(word, row.key.remark):
            yield row.claim(row.key.id, f"is_{word}", True, row.key.line)


def _row_claims(
    row: _Row,
    kind: _Kind,
    header: Sequence[str | None],
    cells: Sequence[Cell],
    keeps_blanks: bool,
    stated: Collection[tuple[str, str, Value]],
) -> tuple[list[Claim], list[Finding]]:
    columns = list(header[1:])
    values = cells[1:]
    if keeps_blanks or _keeps_its_blanks(values, len(columns)):
        return _read_in_place(row, kind, columns, values)
    values = [cell for cell in values if cell.text]
    if len(values) > len(columns) or math.comb(len(columns), len(values)) > MAX_READINGS:
        return [], [
            Finding(row.key.line, f"{len(values)} values for {len(columns)} columns cannot be placed")
        ]
    readings = list(_readings(row, kind, columns, values, stated))
    if not readings:
        return [], [Finding(row.key.line, f"the values {_show(values)} fit no columns of the table")]
    return _common(readings), []


def _keeps_its_blanks(values: Sequence[Cell], columns: int) -> bool:
    """Tell whether a row of the text form is whole: no cell blank, or one before the last value."""
    texts = [bool(cell.text) for cell in values]
    return len(texts) == columns and (all(texts) or texts != sorted(texts, reverse=True))


def _read_in_place(
    row: _Row, kind: _Kind, columns: Sequence[str | None], values: Sequence[Cell]
) -> tuple[list[Claim], list[Finding]]:
    claims: list[Claim] = []
    findings: list[Finding] = []
    for number, cell in enumerate(values):
        if not cell.text:
            continue
        read = _read(row, kind, columns[number], cell) if number < len(columns) else None
        if read is None:
            findings.append(Finding(cell.line, f'"{cell.text[:60]}" cannot be read in its column'))
        claims += read or []
    return claims, findings


def _readings(
    row: _Row,
    kind: _Kind,
    columns: Sequence[str | None],
    values: Sequence[Cell],
    stated: Collection[tuple[str, str, Value]],
) -> Iterator[list[Claim]]:
    """Yield the claims of each way to place the values that no statement elsewhere contradicts."""
    agreeing: list[list[Claim]] = []
    others: list[list[Claim]] = []
    for places in itertools.combinations(range(len(columns)), len(values)):
        read = [_read(row, kind, columns[place], cell) for place, cell in zip(places, values, strict=True)]
        if all(part is not None for part in read):
            claims = [claim for part in read for claim in part or []]
            blank = [columns[number] for number in range(len(columns)) if number not in places]
            contradicted = any(_would_state(row, thing) in stated for thing in blank if thing)
            (others if contradicted else agreeing).append(claims)
    yield from agreeing or others


def _would_state(row: _Row, column: str) -> tuple[str, str, Value] | None:
    """Return what a yes in this column would state of the row."""
    if kind_of(column) == "use":
        return (row.key.id, "usable_for_training_in", column)
    if kind_of(column) == "target":
        return (column, "has_capability", row.key.id)
    return None


def _common(readings: Sequence[list[Claim]]) -> list[Claim]:
    """Return the claims that all readings share as certain, the others as in doubt."""
    shared = set.intersection(*({claim.key for claim in reading} for reading in readings))
    seen: dict[object, Claim] = {}
    for claim in itertools.chain.from_iterable(readings):
        seen.setdefault(claim.key, replace(claim, is_uncertain=claim.key not in shared))
    return list(seen.values())


def _read(row: _Row, kind: _Kind, column: str | None, cell: Cell) -> list[Claim] | None:
    """Return what a cell states in a column; None if it cannot stand there."""
    reader = _column_reader(kind, column)
    if reader is None:
        return []
    return reader(row, column or "", cell)


def _use(row: _Row, column: str, cell: Cell) -> list[Claim] | None:
    text = normal(cell.text)
    remark = _PARENTHESES.search(text)
    answer = _PARENTHESES.sub("", text)
    if row.lexicon.is_word("no", answer):
        return []
    if not row.lexicon.is_word("yes", answer):
        return None
    if remark is None:
        return [row.claim(row.key.id, "usable_for_training_in", column, cell.line)]
    condition = row.lexicon.names.find(remark[1], ["condition"])
    if condition is None:  # a condition nobody knows: the fact is not unconditional
        return [
            replace(row.claim(row.key.id, "usable_for_training_in", column, cell.line), is_uncertain=True)
        ]
    name = condition.removeprefix("condition/")
    return [row.claim(row.key.id, "usable_for_training_in", column, cell.line, condition=name)]


def _capability(row: _Row, column: str, cell: Cell) -> list[Claim] | None:
    other = row.lexicon.names.find(cell.text, ["capability"])
    if other:
        return [row.claim(column, "has_capability", other, cell.line)]
    if row.lexicon.is_word("no", cell.text):
        return []
    if row.lexicon.is_word("yes", cell.text):
        return [row.claim(column, "has_capability", row.key.id, cell.line)]
    return None


def _used_for(row: _Row, _: str, cell: Cell) -> list[Claim] | None:
    text = normal(cell.text)
    claims: list[Claim] = []
    for match in sentences.find(text, "cell", row.lexicon, row.statements):
        claims += _filled(row, match, cell)
        text = text[: match.start] + "|" * (match.end - match.start) + text[match.end :]
    uses = dict.fromkeys(mention.id for mention in row.lexicon.names.mentions(text, ["use"]))
    claims += [row.claim(row.key.id, "inference_use", use, cell.line) for use in uses]
    return claims or None


def _gpu_support(row: _Row, _: str, cell: Cell) -> list[Claim] | None:
    for word, value in (("yes", True), ("no", False)):
        if row.lexicon.is_word(word, cell.text):
            return [row.claim(row.key.id, "gpu_support", value, cell.line)]
    return None


def _description(row: _Row, _: str, cell: Cell) -> list[Claim] | None:
    if row.lexicon.is_word("yes", cell.text) or row.lexicon.is_word("no", cell.text):
        return None
    found = (
        sentences.find(text, "row", row.lexicon, row.statements) for text, _ in sentences.split(cell.text)
    )
    return [claim for matches in found for match in matches for claim in _filled(row, match, cell)]


def _filled(row: _Row, match: sentences.Match, cell: Cell) -> Iterator[Claim]:
    bindings = match.bindings | {"row": [row.key.id]}
    for template in match.statement.claims:
        for thing in sentences.fill(template["o"], bindings):
            claim = row.claim(row.key.id, template["p"], thing, cell.line)
            yield replace(claim, tier="table" if isinstance(thing, str) and "/" in thing else "sentence")


def _category(row: _Row, _: str, cell: Cell) -> list[Claim] | None:
    category = row.lexicon.names.find(cell.text, ["category"])
    return [row.claim(row.key.id, "has_category", category, cell.line)] if category else None


def _supported_by(row: _Row, _: str, cell: Cell) -> list[Claim] | None:
    pair = row.lexicon.names.find(cell.text, ["term"])
    targets = _PAIRS.get(pair or "") or tuple(
        mention.id for mention in row.lexicon.names.mentions(normal(cell.text), ["target"])
    )
    return [row.claim(row.key.id, "supported_by", target, cell.line) for target in targets] or None


def _series(row: _Row, _: str, cell: Cell) -> list[Claim] | None:
    claims = []
    for name in _SEPARATORS.split(normal(cell.text)):
        series = row.lexicon.names.find(name, ["series"])
        if series is None and not _IDENTIFIER.fullmatch(name):
            return None
        thing = series or _new("series", name)
        claim = row.claim(thing, "gpu_architecture", row.key.id, cell.line)
        written = None if not series or row.lexicon.names.is_preferred(name, series) else name
        claims.append(replace(claim, source_name=written))
    return claims


def _cuda(row: _Row, _: str, cell: Cell) -> list[Claim] | None:
    version = row.lexicon.floor(cell.text)
    if version is None:
        return None
    return [row.claim(row.key.id, "min_cuda_version", version, cell.line, inclusive=True)]


def _show(cells: Sequence[Cell]) -> str:
    return " | ".join(cell.text[:40] for cell in cells)


_KINDS = {
    "ontology#TrainingTarget": _Kind("target", {"use": _use}, "is_training_target"),
    "ontology#ComputeTarget": _Kind(
        "target",
        {"term/used_for": _used_for, "term/gpu_support": _gpu_support, "term/description": _description},
    ),
    "ontology#Capability": _Kind("capability", {"target": _capability}),
    "ontology#VMSeries": _Kind(
        "series",
        {"ontology#VMCategory": _category, "term/supported_by": _supported_by},
        "supported_in_aml",
        may_be_new=True,
    ),
    "ontology#GPUArchitecture": _Kind(
        "architecture", {"ontology#VMSeries": _series, "ontology#CUDAVersion": _cuda}, may_be_new=True
    ),
}
