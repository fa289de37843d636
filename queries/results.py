"""Write the answer of a query in a format, to the letter of its standard.

The engine's own writers are fast and used wherever they are right; what they get wrong is mended here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import IO, Protocol, cast

from compute_atlas.ontology.names import PREFIXES, RDF, XSD
from compute_atlas.queries.errors import NotExpressible
from compute_atlas.queries.evaluate import Results, translate
from compute_atlas.queries.formats import RDF_ENGINE, RESULTS_ENGINE
from compute_atlas.queries.headers import SortedPrefixes
from compute_atlas.queries.tables import write_table
from pyoxigraph import (
    Literal,
    NamedNode,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    Store,
    Triple,
    serialize,
)

# So many triples are looked at to choose the prefixes that a Turtle document declares.
_PREFIX_SAMPLE = 1000
# Turtle writes literals of these without naming the datatype.
_UNWRITTEN_DATATYPES = {f"{XSD}{name}" for name in ("string", "integer", "decimal", "double", "boolean")}
_UNWRITTEN_DATATYPES.add(f"{RDF}langString")
_NAMESPACE = re.compile(r".*[/#:]", re.DOTALL)


class Output(Protocol):
    """Where an answer is written to."""

    def write(self, data: bytes, /) -> int:
        """Take some bytes; return how many."""

    def flush(self) -> None:
        """Do nothing: the engine wants to call it."""


def write(
    results: Results, format_name: str, output: Output, *, store: Store, labels: str | None = None
) -> None:
    """Write results as one of the formats that fit them; `labels` adds columns of names in that language.

    Raises NotExpressible, and what a query raises while its rows are computed.
    """
    try:
        if isinstance(results, QueryTriples):
            write_graph(results, format_name, output)
        elif isinstance(results, QuerySolutions) and _needs_own_table(format_name, labels):
            write_table(results, format_name, output, store=store, labels=labels)
        else:
            _write_results(results, format_name, output)
    except (RuntimeError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system's, not the engine's: the output cannot be written
        raise translate(error) from error


def write_graph(triples: Iterable[Triple], format_name: str, output: Output) -> None:
    """Write triples as RDF, with the prefixes of the vocabulary that the first triples use."""
    prefixes: dict[str, str] = {}
    if format_name == "jsonld":
        triples = without_triple_terms(triples)
    if format_name in ("turtle", "trig", "rdfxml"):
        prefixes, triples = _used_prefixes(triples)
        output = SortedPrefixes(output)
    if format_name == "rdfxml":
        triples, output = _nameable(triples), CleanXml(output)
    serialize(triples, cast(IO[bytes], output), format=RDF_ENGINE[format_name], prefixes=prefixes)
    output.flush()


def without_triple_terms(triples: Iterable[Triple]) -> Iterator[Triple]:
    """Yield the triples as long as JSON-LD, which knows no RDF 1.2, can say them. Raises NotExpressible."""
    for triple in triples:
        if isinstance(triple.object, Triple):
            reason = f"it has no form for the triple term in {triple}"
            raise NotExpressible("JSON-LD", reason, "ask for text/turtle")
        yield triple


class CleanXml:
    """Passes XML on with what XML cannot hold replaced: characters by U+FFFD, CR by its reference.

    The engine writes both as they are. CR would be read back as LF.
    """

    _forbidden = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")

    def __init__(self, output: Output) -> None:
        self._output = output
        self._kept = b""

    def write(self, data: bytes, /) -> int:
        """Pass the bytes on but for a character at the end that may not be complete."""
        text = self._kept + data
        cut = next((len(text) - back for back in (1, 2) if text[-back:] in (b"\xef", b"\xef\xbf")), len(text))
        self._kept = text[cut:]
        self._output.write(self._clean(text[:cut]))
        return len(data)

    def flush(self) -> None:
        """Pass on what was held back."""
        self._output.write(self._clean(self._kept))
        self._kept = b""
        self._output.flush()

    def _clean(self, data: bytes) -> bytes:
        cleaned = self._forbidden.sub(b"\xef\xbf\xbd", data)
        return cleaned.replace(b"\r", b"&#13;") if b"\r" in cleaned else cleaned


def _write_results(results: QuerySolutions | QueryBoolean, format_name: str, output: Output) -> None:
    target = CleanXml(output) if format_name == "xml" else output
    results.serialize(cast(IO[bytes], target), format=RESULTS_ENGINE[format_name])
    target.flush()


def _needs_own_table(format_name: str, labels: str | None) -> bool:
    """Say whether the engine's CSV or TSV will not do.

    It has no labels, and its CSV leaves IRIs with commas unquoted and writes an empty line, which readers
    skip, for an unbound value that is alone in its row.
    """
    return format_name == "csv" or (format_name == "tsv" and labels is not None)


def _used_prefixes(triples: Iterable[Triple]) -> tuple[dict[str, str], Iterator[Triple]]:
    rest = iter(triples)
    sample = list(islice(rest, _PREFIX_SAMPLE))
    iris = {iri for triple in sample for iri in _iris(triple)}
    namespaces = {found.group() for iri in iris if (found := _NAMESPACE.match(iri))}
    return {prefix: iri for prefix, iri in PREFIXES.items() if iri in namespaces}, chain(sample, rest)


def _iris(triple: Triple) -> Iterator[str]:
    for term in triple:
        named = term.datatype if isinstance(term, Literal) else term
        if isinstance(named, NamedNode) and named.value not in _UNWRITTEN_DATATYPES:
            yield named.value


def _nameable(triples: Iterable[Triple]) -> Iterator[Triple]:
    """Yield the triples as long as RDF/XML has a name for each predicate."""
    checked: set[str] = set()
    for triple in triples:
        predicate = triple.predicate.value
        if predicate not in checked:
            if not _is_nameable(predicate):
                reason = f"it has no name for the predicate <{predicate}>"
                raise NotExpressible("RDF/XML", reason, "ask for text/turtle")
            checked.add(predicate)
        yield triple


def _is_nameable(predicate: str) -> bool:
    """Say whether the IRI ends in what XML allows as a name."""
    tail = re.search(r"[\w.\-·]*\Z", predicate)
    return tail is not None and re.search(r"[^\W\d]", tail.group()) is not None
