"""The saved queries: each a file whose header says what it answers, what it takes and what it gives."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from compute_atlas.graph.errors import UnknownTerm
from compute_atlas.ontology.names import LANGUAGES, PREFIXES
from compute_atlas.queries.analysis import Analysis, analyse

FOLDER = Path(__file__).resolve().parent
TYPES = ("choice", "date", "integer", "language", "string", "thing", "version")

_HEADER = re.compile(r"^#:[ ]?(.*)$", re.MULTILINE)
_PLACE = r"(?<=VALUES \?{name} \{{ )[^{{}}]*(?= \}})"


@dataclass(frozen=True)
class Parameter:
    """A value that a query takes. Without a default it must be given, unless it is `optional`.

    `kind` is one of TYPES; a thing may have to be of a class; a choice has `values`, or a query that
    lists them; an integer may have a `minimum`.
    """

    name: str
    kind: str
    default: str | int | None = None
    example: str | int | None = None
    optional: bool = False
    class_name: str | None = None
    values: tuple[str, ...] | str = ()
    minimum: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the parameter as the list of queries shows it."""
        told: dict[str, Any] = {"name": self.name, "type": self.kind, "required": self.is_required}
        facts = {"default": self.default, "example": self.example}
        facts |= {"class": self.class_name, "minimum": self.minimum}
        told |= {name: value for name, value in facts.items() if value is not None}
        if self.values and isinstance(self.values, tuple):
            told["values"] = list(self.values)
        return told

    @property
    def class_iri(self) -> str | None:
        """Return the class that a thing must be of."""
        return expand(self.class_name) if self.class_name else None

    @property
    def is_required(self) -> bool:
        """Say whether a request has to give it."""
        return self.default is None and not self.optional


@dataclass(frozen=True)
class SavedQuery:
    """A query with its header; `text` runs as it stands, with the values of an example."""

    name: str
    title: dict[str, str]
    description: dict[str, str]
    columns: dict[str, str]
    parameters: tuple[Parameter, ...]
    text: str = field(repr=False)

    @property
    def analysis(self) -> Analysis:
        """Return what its text says about itself."""
        return analyse(self.text)

    @property
    def source(self) -> str:
        """Return the text as any other engine takes it: with its title and the prefixes declared."""
        titles = "".join(f"# {self.title[language]}\n" for language in LANGUAGES)
        prefixes = "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in sorted(self.analysis.prefixes))
        return titles + prefixes + self.text

    def as_json(self) -> dict[str, Any]:
        """Return what the list of queries shows."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "parameters": [parameter.as_json() for parameter in self.parameters],
            "columns": [{"name": name, "description": text} for name, text in self.columns.items()],
        }

    def with_terms(self, terms: Mapping[str, object | None]) -> str:
        """Return the text with a term in the place of each parameter; None stands for any."""
        text = self.text
        for name, term in terms.items():
            written = "UNDEF" if term is None else str(term)
            text = written.join(re.split(_place(name), text))
        return text


@cache
def catalogue() -> dict[str, SavedQuery]:
    """Return all saved queries by name, sorted."""
    return {path.stem: _read(path) for path in sorted(FOLDER.glob("*.rq"))}


def saved_query(name: str) -> SavedQuery:
    """Return the query of a name. Raises UnknownTerm."""
    found = catalogue().get(name)
    if found is None:
        words = set(name.lower().split("_"))
        near = [known for known in catalogue() if words & set(known.split("_"))]
        raise UnknownTerm(name, near or list(catalogue()), "name")
    return found


def _read(path: Path) -> SavedQuery:
    content = path.read_text(encoding="utf-8")
    header = tomllib.loads("\n".join(_HEADER.findall(content)))
    text = _HEADER.sub("", content).lstrip("\n")
    parameters = tuple(_parameter(name, facts, text) for name, facts in header.get("parameters", {}).items())
    return SavedQuery(path.stem, header["title"], header["description"], header["columns"], parameters, text)


def _parameter(name: str, facts: dict[str, Any], text: str) -> Parameter:
    values = facts.get("values", ())
    return Parameter(
        name,
        facts["type"],
        facts.get("default"),
        facts.get("example"),
        # A query that has no value in its place asks for any.
        re.search(_place(name), text)[0] == "UNDEF",  # type: ignore[index]
        facts.get("class"),
        tuple(values) if isinstance(values, list) else values,
        facts.get("minimum"),
    )


def _place(name: str) -> str:
    return _PLACE.format(name=re.escape(name))


def expand(name: str) -> str:
    """Return the IRI of a prefixed name of the vocabulary, anything else as it is."""
    prefix, colon, local = name.partition(":")
    return PREFIXES[prefix] + local if colon and prefix in PREFIXES else name
