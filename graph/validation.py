"""Check a dataset: shapes, queries that must find nothing, and OWL consistency."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from compute_atlas.graph.store import open_store, select
from compute_atlas.ontology import files
from compute_atlas.ontology.names import RDF, identifier
from pyoxigraph import Quad, RdfFormat, Triple, serialize

_SHACL = "http://www.w3.org/ns/shacl#"


@dataclass(frozen=True, order=True)
class Finding:
    """A thing that breaks a rule: the rule's name, what is wrong, how to mend it."""

    rule: str
    thing: str
    what: str
    mend: str


def find_violations(quads: Iterable[Quad]) -> list[Finding]:
    """Return what the queries in ontology/violations find, sorted."""
    store = open_store(quads)
    texts = {path: path.read_text(encoding="utf-8") for path in files.violations()}
    return sorted(
        Finding(path.stem, _name(row["thing"]), str(getattr(row["what"], "value", "")), _mend(path, text))
        for path, text in texts.items()
        for row in select(store, text)
    )


def check_shapes(quads: Iterable[Quad]) -> list[Finding]:
    """Return where the union of all graphs breaks ontology/shapes.ttl, sorted."""
    import pyshacl
    from rdflib import Graph

    data = Graph()
    triples = {Triple(quad.subject, quad.predicate, quad.object) for quad in quads}
    with _silent("rdflib.term"):
        data.parse(data=serialize(triples, format=RdfFormat.N_TRIPLES) or b"", format="nt")
        _, report, _ = pyshacl.validate(data, shacl_graph=str(files.SHAPES), inference="none")
    return sorted(_shape_findings(report))


@contextmanager
def _silent(name: str) -> Iterator[None]:
    """Silence a logger: rdflib logs a traceback for each literal whose form its datatype does not allow."""
    logger = logging.getLogger(name)
    logger.disabled, before = True, logger.disabled
    try:
        yield
    finally:
        logger.disabled = before


def _shape_findings(report: object) -> Iterator[Finding]:
    from rdflib import Graph, URIRef

    assert isinstance(report, Graph)
    for result in report.subjects(URIRef(f"{RDF}type"), URIRef(f"{_SHACL}ValidationResult")):
        node, path, message = (
            str(report.value(result, URIRef(f"{_SHACL}{name}")) or "")
            for name in ("focusNode", "resultPath", "resultMessage")
        )
        yield Finding("shape", identifier(node) or node, identifier(path) or path or "shape", message)


def _name(term: object) -> str:
    value = str(getattr(term, "value", term))
    return identifier(value) or value


def _mend(path: Path, text: str) -> str:
    found = re.search(r"^# mend: (.+)$", text, re.MULTILINE)
    if found is None:
        raise ValueError(f"{path.name} has no line `# mend: …`")
    return found[1]
