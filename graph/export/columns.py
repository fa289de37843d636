"""Columns of data: what the literals of a graph are called in a table, and the one type of each column."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Literal as OneOf

from compute_atlas.graph.export.text import clean
from compute_atlas.graph.lookup.labels import last_part
from compute_atlas.ontology.names import INTEGERS, XSD
from pyoxigraph import Literal, Triple

Value = str | int | float
Type = OneOf["string", "long", "double"]
"""The types that all formats have, by their common names; a `long` has 64 bits."""
Key = tuple[str, str]
"""A predicate and the language of its texts, empty for none."""

SEPARATOR = " | "
# Words of the file formats and of the tools that read them: a column of data is never called so.
_RESERVED = frozenset(
    (
        "id", "label", "name", "value", "type", "iri", "source", "target", "predicate", "kind",
        "interaction", "key", "links", "nodes", "edges", "graph", "data", "start", "end", "timestamp",
        "timeset", "weight",
        "size", "color", "colour", "position", "shape", "x", "y", "z", "n", "v", "s", "t", "directed",
        "parent", "selected", "suid",
    )
)  # fmt: skip
_RESERVED_PREFIXES = ("label_", "alt_", "shared ")
_NUMBERS = frozenset({*INTEGERS, f"{XSD}decimal", f"{XSD}double", f"{XSD}float"})
_LARGEST_INTEGER = 2**63 - 1
_LARGEST_EXACT_INTEGER = 2**53


@dataclass(frozen=True)
class Column:
    """One column: its name and what all its values are."""

    name: str
    type: Type = "string"


@dataclass
class _Seen:
    is_integer: bool = True
    is_number: bool = True


@dataclass
class DataColumns:
    """Collects the literals of all nodes, then knows the columns."""

    _seen: dict[Key, _Seen] = field(default_factory=dict)
    _columns: dict[Key, Column] = field(default_factory=dict)

    def add(self, values: Mapping[Key, Sequence[Literal | Triple]]) -> None:
        """Take the values of one node."""
        for key, terms in values.items():
            seen = self._seen.setdefault(key, _Seen())
            seen.is_integer = seen.is_integer and len(terms) == 1 and _is_integer(terms[0])
            seen.is_number = seen.is_number and len(terms) == 1 and _is_number(terms[0])

    def finish(self) -> list[Column]:
        """Return the columns in order of predicate and language; more values are not to come."""
        taken: set[str] = set()
        for key, seen in sorted(self._seen.items()):
            type_: Type = "long" if seen.is_integer else "double" if seen.is_number else "string"
            self._columns[key] = Column(_free_name(_name(*key), taken), type_)
        return list(self._columns.values())

    def row(self, values: Mapping[Key, Sequence[Literal | Triple]]) -> dict[str, Value]:
        """Return the values of one node by the names of their columns, in the order of these."""
        return {
            self._columns[key].name: _value(terms, self._columns[key].type)
            for key, terms in sorted(values.items())
        }


def local_name(iri: str) -> str:
    """Return what an IRI ends in, as one word."""
    return re.sub(r"[^\w-]+", "_", last_part(iri)).strip("_") or "value"


def language_suffix(tag: str) -> str:
    """Return a language tag as the end of a column's name; `und` for text without one."""
    return tag.lower().replace("-", "_") or "und"


def joined(texts: Iterable[str]) -> str:
    """Return several values of one cell, sorted."""
    return SEPARATOR.join(sorted(set(texts)))


def _name(predicate: str, language: str) -> str:
    name = local_name(predicate)
    if name.lower() in _RESERVED or name.lower().startswith(_RESERVED_PREFIXES):
        name = f"data_{name}"
    return f"{name}_{language_suffix(language)}" if language else name


def _free_name(name: str, taken: set[str]) -> str:
    """Return the name, with a number if it is taken: tools tell no upper from lower case."""
    free, number = name, 1
    while free.lower() in taken:
        number += 1
        free = f"{name}_{number}"
    taken.add(free.lower())
    return free


def _value(terms: Sequence[Literal | Triple], type_: Type) -> Value:
    if type_ == "long":
        return int(_text(terms[0]))
    if type_ == "double":
        return float(_text(terms[0]))
    return joined(clean(_text(term)) for term in terms)


def _text(term: Literal | Triple) -> str:
    return term.value if isinstance(term, Literal) else str(term)


def _is_integer(term: Literal | Triple) -> bool:
    if not isinstance(term, Literal) or term.datatype.value not in INTEGERS:
        return False
    return (
        re.fullmatch(r"[+-]?[0-9]{1,19}", term.value) is not None and abs(int(term.value)) <= _LARGEST_INTEGER
    )


def _is_number(term: Literal | Triple) -> bool:
    """Tell whether a literal is a number that a double holds to the last digit."""
    if not isinstance(term, Literal) or term.datatype.value not in _NUMBERS or not term.value.isascii():
        return False
    try:
        number = float(term.value)
        is_exact = Decimal(repr(number)) == Decimal(term.value)
    except (ValueError, InvalidOperation):
        return False
    return (
        math.isfinite(number)
        and is_exact
        and (not number.is_integer() or abs(number) <= _LARGEST_EXACT_INTEGER)
    )
