"""Turn what an edition states into its graph, by the rules of the vocabulary."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from compute_atlas.graph import trig
from compute_atlas.graph.comparing import disagreements
from compute_atlas.graph.comparing.disagreements import Disagreement, Side
from compute_atlas.graph.errors import AtlasError
from compute_atlas.graph.files import read_graph
from compute_atlas.graph.reading import lexicon as lexicons
from compute_atlas.graph.reading import outline, statements
from compute_atlas.graph.reading.claims import Claim
from compute_atlas.graph.reading.edition import Reading
from compute_atlas.graph.vocabulary import TYPE, literal, property_name, subject_id, term, triples
from compute_atlas.ontology import files
from compute_atlas.ontology.names import (
    BASE,
    DCT,
    GRAPH_TERMS,
    LANGUAGES,
    OWL,
    PAGE,
    RDF,
    SKOS,
    XSD,
    identifier,
)
from pyoxigraph import BlankNode, Literal, NamedNode, Quad

Object = NamedNode | BlankNode | Literal

_ID = re.compile(r"[a-z0-9][a-z0-9._-]*", re.IGNORECASE)
_TERMS = NamedNode(GRAPH_TERMS)

# Qualifiers whose property is not called as they are.
_QUALIFIERS = {"api": "apiVersion"}
# Kinds whose individuals a document may name first, and their classes.
_NEW_KINDS = {
    "series": "VMSeries",
    "size": "VMSize",
    "architecture": "GPUArchitecture",
    "cuda": "CUDAVersion",
    "retirement": "RetirementNotice",
}
_NEW_LABELS = {
    "cuda": {"en": "CUDA {}", "ja": "CUDA {}", "it": "CUDA {}"},
    "retirement": {"en": "series retired on {}", "ja": "{} に廃止", "it": "serie ritirate il {}"},
}


class BadEditionId(AtlasError):
    """An edition's id cannot stand in an IRI."""

    def __init__(self, name: str):
        super().__init__(f'"{name}" cannot be an edition\'s id; use letters, digits, ".", "_" and "-" (--id)')


def checked_id(name: str) -> str:
    """Return the id of an edition as it is. Raises BadEditionId."""
    if not _ID.fullmatch(name):
        raise BadEditionId(name)
    return name


def as_outline(reading: Reading, lexicon: Path | None = None) -> str:
    """Return what stands where in the document, as JSON without its sentences."""
    words = lexicons.load(reading.language, lexicon)
    return outline.dump(outline.outline(reading.document, words, statements.load()))


def as_trig(name: str, reading: Reading, *, with_quotes: bool = False) -> bytes:
    """Return the edition's graph, and its entry in graph:terms, as TriG: sorted, a statement a line."""
    header = (
        f"# What the edition {name} states, with the lines that say so.\n"
        f"# Made by: compute-atlas extract {Path(reading.document.name).name} --lang {reading.language}"
        f" --id {name} --format trig\n"
    )
    return header.encode() + trig.write(quads(name, reading, with_quotes=with_quotes))


def quads(name: str, reading: Reading, *, with_quotes: bool = False) -> list[Quad]:
    """Return what an edition states as quads: its own graph, and what it adds to graph:terms."""
    writer = _Writer(name, reading, with_quotes)
    return [
        *writer.statements(),
        *_entry(name, reading),
        *_new_things(reading.claims),
        *writer.doubt_labels(),
        *disagreements.quads(own_disagreements(name, reading), with_labels=False),
    ]


def own_disagreements(name: str, reading: Reading) -> list[Disagreement]:
    """Return what the document alone shows to be damaged, missing or named in two ways, ordered."""
    return disagreements.ordered(
        Disagreement(
            remark.kind,
            subject_id(remark.subject),
            property_name(remark.predicate) if remark.predicate else None,
            tuple(sorted(Side(name, line, value) for line, value in remark.places)),
        )
        for remark in reading.remarks
    )


class _Writer:
    """Writes the claims of one edition into its graph."""

    def __init__(self, name: str, reading: Reading, with_quotes: bool):
        self._name = name
        self._reading = reading
        self._with_quotes = with_quotes
        self._graph = NamedNode(f"{BASE}edition/{name}")
        self._doubts = _doubts(name, reading.claims)

    def statements(self) -> Iterator[Quad]:
        """Yield the graph of the edition: facts, their annotations, claims in doubt."""
        for claim in self._reading.claims:
            if not claim.is_uncertain:
                for subject, predicate, thing in triples(claim):
                    yield Quad(subject, predicate, thing, self._graph)
                    yield from self._annotation(subject, predicate, thing, claim)
        yield from self._enumeration()
        for doubt in self._doubts:
            yield from self._doubt(doubt)

    def doubt_labels(self) -> Iterator[Quad]:
        """Yield a label in each language for each claim in doubt."""
        for doubt in self._doubts:
            line = doubt.claims[0].lines[0]
            texts = (
                f"{self._name}, line {line}, in doubt: {doubt.short_name}",
                f"{self._name} {line} 行目の不確かな記述: {doubt.short_name}",
                f"{self._name}, riga {line}, in dubbio: {doubt.short_name}",
            )
            for text, language in zip(texts, LANGUAGES, strict=True):
                yield Quad(
                    doubt.node, NamedNode(f"{SKOS}prefLabel"), Literal(text, language=language), _TERMS
                )

    def _annotation(
        self, subject: NamedNode, predicate: NamedNode, thing: Object, claim: Claim
    ) -> Iterator[Quad]:
        content = "|".join(map(str, (self._name, subject, predicate, thing, claim.qualifiers)))
        node = BlankNode("a" + hashlib.sha256(content.encode()).hexdigest()[:16])
        yield self._quad(node, TYPE, NamedNode(f"{OWL}Axiom"))
        yield self._quad(node, NamedNode(f"{OWL}annotatedSource"), subject)
        yield self._quad(node, NamedNode(f"{OWL}annotatedProperty"), predicate)
        yield self._quad(node, NamedNode(f"{OWL}annotatedTarget"), thing)
        yield from self._evidence(node, claim)

    def _evidence(self, node: NamedNode | BlankNode, claim: Claim) -> Iterator[Quad]:
        yield self._quad(node, term("edition"), self._graph)
        for line in claim.lines:
            yield self._quad(node, term("line"), literal(line))
            if self._with_quotes:
                yield self._quad(node, term("quote"), Literal(self._reading.document.quote(line)))
        if claim.section:
            yield self._quad(node, term("section"), NamedNode(f"{BASE}term/{claim.section}"))
        if claim.source_name:
            yield self._quad(node, term("sourceName"), Literal(claim.source_name))
        for name, value in claim.qualifiers:
            if name == "condition":
                yield self._quad(node, term("condition"), NamedNode(f"{BASE}condition/{value}"))
            else:
                yield self._quad(node, term(_QUALIFIERS.get(name, property_name(name))), literal(value))

    def _doubt(self, doubt: _Doubt) -> Iterator[Quad]:
        yield self._quad(doubt.node, TYPE, term("UncertainClaim"))
        for claim in doubt.claims:
            for subject, predicate, thing in triples(claim):
                yield self._quad(doubt.node, term("claimSubject"), subject)
                yield self._quad(doubt.node, term("claimProperty"), predicate)
                yield self._quad(doubt.node, term("claimObject"), thing)
            yield from self._evidence(doubt.node, claim)

    def _enumeration(self) -> Iterator[Quad]:
        """Yield the closed list of managed kinds, where the document says that it names the only ones."""
        claims = [claim for claim in self._reading.claims if not claim.is_uncertain]
        if not any(claim.predicate == "list_is_exhaustive" and claim.object is True for claim in claims):
            return
        members = sorted({claim.subject for claim in claims if claim.predicate == "is_managed"})
        node = BlankNode(f"only-{self._name}")
        yield self._quad(term("ManagedCompute"), NamedNode(f"{OWL}equivalentClass"), node)
        yield self._quad(node, TYPE, NamedNode(f"{OWL}Class"))
        yield self._quad(node, NamedNode(f"{OWL}oneOf"), BlankNode(f"only-{self._name}-0"))
        for number, member in enumerate(members):
            rest = BlankNode(f"only-{self._name}-{number + 1}") if number + 1 < len(members) else None
            cell = BlankNode(f"only-{self._name}-{number}")
            yield self._quad(cell, NamedNode(f"{RDF}first"), NamedNode(BASE + member))
            yield self._quad(cell, NamedNode(f"{RDF}rest"), rest or NamedNode(f"{RDF}nil"))

    def _quad(self, subject: NamedNode | BlankNode, predicate: NamedNode, thing: Object) -> Quad:
        return Quad(subject, predicate, thing, self._graph)


@dataclass(frozen=True)
class _Doubt:
    """The possible readings of one row for one subject and property."""

    node: NamedNode
    short_name: str
    claims: tuple[Claim, ...]


def _doubts(name: str, claims: Iterable[Claim]) -> list[_Doubt]:
    groups: dict[tuple[str, str, int], list[Claim]] = {}
    for claim in claims:
        if claim.is_uncertain:
            groups.setdefault((claim.subject, claim.predicate, claim.lines[0]), []).append(claim)
    found = []
    for (subject, name_, line), members in sorted(groups.items()):
        short = f"{subject} {property_name(name_)}"
        slug = f"{name}-{line}-{subject.replace('/', '-')}-{property_name(name_)}"
        found.append(_Doubt(NamedNode(f"{BASE}claim/{slug}"), short, tuple(members)))
    return found


def _entry(name: str, reading: Reading) -> Iterator[Quad]:
    """Yield the edition's entry in graph:terms: what document it is."""
    document = reading.document
    node = NamedNode(f"{BASE}edition/{name}")
    content = "\n".join(document.lines).encode()
    title = lexicons.title(reading.language)
    yield Quad(node, TYPE, term("Edition"), _TERMS)
    yield Quad(node, NamedNode(f"{DCT}language"), Literal(reading.language), _TERMS)
    yield Quad(node, NamedNode(f"{DCT}title"), Literal(document.title, language=reading.language), _TERMS)
    yield Quad(node, NamedNode(f"{DCT}isVersionOf"), NamedNode(PAGE), _TERMS)
    yield Quad(node, term("fileName"), Literal(Path(document.name).name), _TERMS)
    yield Quad(node, term("sha256"), Literal(hashlib.sha256(content).hexdigest()), _TERMS)
    if date := re.fullmatch(r"(\d\d)/(\d\d)/(\d{4})", document.metadata.get("ms.date", "")):
        issued = Literal(f"{date[3]}-{date[1]}-{date[2]}", datatype=NamedNode(f"{XSD}date"))
        yield Quad(node, NamedNode(f"{DCT}issued"), issued, _TERMS)
    for language in LANGUAGES:
        label = Literal(f"{name} ({title[language]})", language=language)
        yield Quad(node, NamedNode(f"{SKOS}prefLabel"), label, _TERMS)


def _new_things(claims: Iterable[Claim]) -> Iterator[Quad]:
    """Yield types and labels of series, sizes, architectures and versions that only this document names."""
    typed = (quad.subject for quad in read_graph(files.THINGS) if quad.predicate == TYPE)
    known = {identifier(thing.value) for thing in typed if isinstance(thing, NamedNode)}
    named = {value for claim in claims for value in (claim.subject, claim.object) if isinstance(value, str)}
    named |= {f"cuda/{claim.object}" for claim in claims if claim.predicate == "min_cuda_version"}
    for thing in sorted(named - known):
        kind, _, name = thing.partition("/")
        if kind in _NEW_KINDS:
            yield from _new_thing(NamedNode(BASE + thing), kind, name)


def _new_thing(node: NamedNode, kind: str, name: str) -> Iterator[Quad]:
    text = name.capitalize() if kind == "architecture" else name
    yield Quad(node, TYPE, term(_NEW_KINDS[kind]), _TERMS)
    yield Quad(node, NamedNode(f"{SKOS}notation"), Literal(text), _TERMS)
    for language in LANGUAGES:
        label = _NEW_LABELS.get(kind, {}).get(language, "{}").format(text)
        yield Quad(node, NamedNode(f"{SKOS}prefLabel"), Literal(label, language=language), _TERMS)
    if kind == "cuda":
        for part, number in zip(("major", "minor"), name.split("."), strict=True):
            yield Quad(node, term(part), literal(int(number)), _TERMS)
