"""Build the graph: ontology, labels, editions, other sources, and what rules derive from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from compute_atlas.graph import editions
from compute_atlas.graph.comparing import differences, disagreements
from compute_atlas.graph.errors import AtlasError
from compute_atlas.graph.files import read_graph
from compute_atlas.graph.reading.edition import Reading
from compute_atlas.graph.rules import derive
from compute_atlas.ontology import files
from compute_atlas.ontology.names import (
    GRAPH_INFERRED,
    GRAPH_ONTOLOGY,
    GRAPH_SUPPLEMENT,
    GRAPH_TERMS,
    RDFS,
    SKOS,
)
from pyoxigraph import CanonicalizationAlgorithm, Dataset, DefaultGraph, NamedNode, Quad, RdfFormat, serialize

_PREF_LABEL = NamedNode(f"{SKOS}prefLabel")
_LABEL = NamedNode(f"{RDFS}label")


class UnwritableFolder(AtlasError):
    """The graph cannot be written where it should go."""

    def __init__(self, folder: Path, error: OSError):
        super().__init__(f"{folder}: it cannot be written to ({error.strerror}); name another folder with -o")


@dataclass(frozen=True)
class Counts:
    """How large a dataset is."""

    quads: int
    graphs: int
    editions: int
    inferred: int


def embedded() -> list[Quad]:
    """Return the dataset of the shipped files: named graphs only, sorted, blank nodes canonical."""
    return build({})


def build(readings: Mapping[str, Reading]) -> list[Quad]:
    """Return the dataset of the shipped files and the given editions, by id.

    An edition given replaces the shipped one of the same id; its lines are quoted. The same input gives
    the same quads in the same order.
    """
    stated_quads = stated(readings)
    inferred = NamedNode(GRAPH_INFERRED)
    return stated_quads + [
        Quad(triple.subject, triple.predicate, triple.object, inferred)
        for triple in derive(stated_quads, files.rules("graph"))
    ]


def stated(readings: Mapping[str, Reading] | None = None) -> list[Quad]:
    """Return the dataset without what rules derive, sorted, blank nodes canonical."""
    readings = readings or {}
    quads = [*_ontology(), *_shipped_editions(readings.keys())]
    for name, reading in readings.items():
        quads += editions.quads(name, reading, with_quotes=True)
    quads += disagreements.quads(differences.find(quads))
    quads += list(_with_rdfs_labels(quads))
    return _canonical(quads)


def write(quads: Iterable[Quad], folder: Path) -> Path:
    """Write the dataset as sorted N-Quads into a folder, whole or not at all; return the file."""
    target = folder / "compute-atlas.nq"
    unfinished = folder / ".compute-atlas.nq.part"
    lines = (serialize(quads, format=RdfFormat.N_QUADS) or b"").splitlines(keepends=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            unfinished.write_bytes(b"".join(sorted(lines)))
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise UnwritableFolder(folder, error) from error
    return target


def count(quads: Iterable[Quad]) -> Counts:
    """Return how many quads, graphs, editions and inferred triples there are."""
    sizes: dict[str, int] = {}
    for quad in quads:
        name = "" if isinstance(quad.graph_name, DefaultGraph) else quad.graph_name.value
        sizes[name] = sizes.get(name, 0) + 1
    return Counts(
        sum(sizes.values()),
        len(sizes),
        sum("/edition/" in name for name in sizes),
        sizes.get(GRAPH_INFERRED, 0),
    )


def _ontology() -> Iterator[Quad]:
    yield from _in_graph(GRAPH_ONTOLOGY, [files.ONTOLOGY])
    yield from _in_graph(GRAPH_TERMS, [files.THINGS, *files.labels()])
    yield from _in_graph(GRAPH_SUPPLEMENT, files.supplements())


def _in_graph(graph: str, paths: Iterable[Path]) -> Iterator[Quad]:
    name = NamedNode(graph)
    for path in paths:
        for quad in read_graph(path):
            yield Quad(quad.subject, quad.predicate, quad.object, name)


def _shipped_editions(replaced: Iterable[str]) -> Iterator[Quad]:
    for path in files.editions():
        if path.stem not in replaced:
            yield from read_graph(path)


def _with_rdfs_labels(quads: Iterable[Quad]) -> Iterator[Quad]:
    """Yield rdfs:label beside each preferred label: the files say it once, tools read either."""
    for quad in quads:
        if quad.predicate == _PREF_LABEL:
            yield Quad(quad.subject, _LABEL, quad.object, quad.graph_name)


def _canonical(quads: Iterable[Quad]) -> list[Quad]:
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return sorted(dataset, key=str)
