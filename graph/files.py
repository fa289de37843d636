"""Read RDF files of any format into quads, with errors that name file, line and mend."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from compute_atlas.graph.errors import UnreadableFile
from compute_atlas.ontology.names import OWL
from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, RdfFormat, Triple, parse

FORMATS = {
    ".ttl": RdfFormat.TURTLE,
    ".turtle": RdfFormat.TURTLE,
    ".nt": RdfFormat.N_TRIPLES,
    ".nq": RdfFormat.N_QUADS,
    ".nquads": RdfFormat.N_QUADS,
    ".trig": RdfFormat.TRIG,
    ".rdf": RdfFormat.RDF_XML,
    ".owl": RdfFormat.RDF_XML,
    ".xml": RdfFormat.RDF_XML,
    ".jsonld": RdfFormat.JSON_LD,
    ".json": RdfFormat.JSON_LD,
    ".n3": RdfFormat.N3,
}
# What the parser says of a JSON-LD file that names its context by an address.
_REMOTE_CONTEXT = "to load remote contexts"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
OWL_IMPORTS = NamedNode(f"{OWL}imports")

Term = NamedNode | BlankNode | Literal | Triple


@dataclass(frozen=True)
class Source:
    """A file, and the named graph for its triples (None: the default graph)."""

    path: Path
    graph: str | None = None


def read_sources(sources: Iterable[Source]) -> list[Quad]:
    """Return the quads of all files in order.

    Quads keep their graphs; triples go to the source's graph. Relative IRIs resolve against that graph's
    IRI, else the file's URL. Blank nodes are renamed in order of appearance, so that two files never share
    one and the same files always give the same labels. Raises UnreadableFile.
    """
    quads: list[Quad] = []
    for number, source in enumerate(sources):
        quads += _relabelled(_parse(source), f"f{number}b", _target(source))
    return quads


def read_graph(path: Path) -> list[Quad]:
    """Return the quads of one of our own files, blank nodes as the parser names them."""
    return list(_parse(Source(path)))


def imports(quads: Iterable[Quad]) -> list[str]:
    """Return the documents that owl:imports names, which are never fetched."""
    objects = (quad.object for quad in quads if quad.predicate == OWL_IMPORTS)
    return sorted({thing.value for thing in objects if isinstance(thing, NamedNode | Literal)})


def _parse(source: Source) -> Iterator[Quad]:
    content = _content(source.path)
    base = source.graph or source.path.resolve().as_uri()
    try:
        yield from parse(content, format=_format(source.path, content), base_iri=base)
    except SyntaxError as error:
        reason = re.sub(r"^Parser error at line \d+.*?: ", "", error.msg or str(error))
        if _REMOTE_CONTEXT in reason:
            reason, mend = "remote contexts are never fetched", "put the @context into the file"
            raise UnreadableFile(str(source.path), reason, mend) from error
        raise UnreadableFile(
            str(source.path), reason, "correct the RDF there and start again", error.lineno, error.offset
        ) from error
    except ValueError as error:
        raise UnreadableFile(str(source.path), str(error), "use IRIs that RDF allows") from error


def _content(path: Path) -> bytes:
    try:
        content = path.read_bytes()
        if path.suffix == ".gz":
            content = gzip.decompress(content)
    except FileNotFoundError:
        raise UnreadableFile(str(path), "there is no such file", "check the name") from None
    except IsADirectoryError:
        raise UnreadableFile(str(path), "this is a folder", "name the RDF files in it") from None
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableFile(
            str(path), f"it cannot be read ({error})", "check the file and its rights"
        ) from error
    return content.removeprefix(BYTE_ORDER_MARK)


def _format(path: Path, content: bytes) -> RdfFormat:
    suffix = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    found = FORMATS.get(suffix.lower())
    if found is None:
        known = " ".join(FORMATS)
        raise UnreadableFile(
            str(path), f'"{suffix}" names no RDF format', f"use one of: {known} (or .gz of them)"
        )
    if found == RdfFormat.RDF_XML and not content.lstrip().startswith(b"<"):
        return RdfFormat.TURTLE  # .owl files are as often Turtle
    if found == RdfFormat.RDF_XML and re.match(rb"<[a-zA-Z][a-zA-Z0-9+.-]*:[^\s<>]*>\s*<", content.lstrip()):
        return RdfFormat.TURTLE
    return found


def _target(source: Source) -> NamedNode | DefaultGraph:
    """Return the graph for the triples of a file."""
    if source.graph is None:
        return DefaultGraph()
    try:
        return NamedNode(source.graph)
    except ValueError:
        reason = f'its graph cannot be called "{source.graph}"'
        mend = "give an absolute IRI such as http://example.com/facts"
        raise UnreadableFile(str(source.path), reason, mend) from None


def _relabelled(quads: Iterable[Quad], prefix: str, target: NamedNode | DefaultGraph) -> Iterator[Quad]:
    names: dict[str, BlankNode] = {}

    def named(term: Term) -> Term:
        if isinstance(term, BlankNode):
            if term.value not in names:
                names[term.value] = BlankNode(f"{prefix}{len(names)}")
            return names[term.value]
        if isinstance(term, Triple):
            return Triple(named(term.subject), term.predicate, named(term.object))  # type: ignore[arg-type]
        return term

    for quad in quads:
        place = quad.graph_name
        if isinstance(place, DefaultGraph):
            place = target
        elif isinstance(place, BlankNode):
            place = named(place)  # type: ignore[assignment]
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode | Literal):
            yield quad if place is quad.graph_name else Quad(quad.subject, quad.predicate, quad.object, place)
        else:
            yield Quad(named(quad.subject), quad.predicate, named(quad.object), place)  # type: ignore[arg-type]
