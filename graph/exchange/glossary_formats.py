"""Write a glossary as files that translators' and terminologists' tools read."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from xml.sax.saxutils import escape, quoteattr

from compute_atlas.graph.exchange.glossary import Concept, Glossary, Term
from compute_atlas.graph.export.text import clean
from compute_atlas.ontology.names import PREFIXES, RDF, SKOS
from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

BYTE_ORDER_MARK = "\ufeff"
TITLE = "Compute Atlas glossary"
COLUMNS = ("id", "iri", "types", "lang", "term", "status")

# The picklist of `administrativeStatus` in both editions of TBX.
_TBX_STATUSES = {
    "preferred": "preferredTerm-admn-sts",
    "admitted": "admittedTerm-admn-sts",
    "deprecated": "deprecatedTerm-admn-sts",
}
_SKOS_LABELS = {"preferred": "prefLabel", "admitted": "altLabel", "deprecated": "hiddenLabel"}
_NOT_IN_NAME = re.compile(r"[^\w.-]")


def as_csv(glossary: Glossary) -> str:
    """Return one row a term, with a header; lines end as RFC 4180 says. A BOM is the caller's choice."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for concept in glossary.concepts:
        for term in concept.terms:
            row = (concept.id, concept.iri, " ".join(concept.types), term.lang or "", term.value, term.status)
            writer.writerow(row)
    return text.getvalue()


def as_json(glossary: Glossary) -> str:
    """Return the languages and the concepts with their terms."""
    concepts = [
        {
            "id": concept.id,
            "iri": concept.iri,
            "types": list(concept.types),
            "notation": concept.notation,
            "terms": [
                {"value": term.value, "lang": term.lang, "status": term.status} for term in concept.terms
            ],
        }
        for concept in glossary.concepts
    ]
    content = {"languages": list(glossary.languages), "concepts": concepts}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def as_turtle(glossary: Glossary) -> str:
    """Return SKOS: a preferred label a language at most, all labels of a concept different."""
    triples = list(_skos(glossary))
    used = {
        prefix: iri
        for prefix, iri in PREFIXES.items()
        if any(
            node.value.startswith(iri)
            for triple in triples
            for node in (triple.subject, triple.predicate, triple.object)
            if isinstance(node, NamedNode)
        )
    }
    return (serialize(triples, format=RdfFormat.TURTLE, prefixes=used) or b"").decode()


def as_tbx(glossary: Glossary) -> str:
    """Return TBX-Basic as ISO 30042:2019 has it, in DCA style."""
    return "".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>\n',
            '<tbx style="dca" type="TBX-Basic" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2">\n',
            f" <tbxHeader>\n{_file_description()} </tbxHeader>\n <text>\n  <body>\n",
            *_entries(glossary, "conceptEntry", "langSec", "termSec"),
            "  </body>\n </text>\n</tbx>\n",
        )
    )


def as_tbx2(glossary: Glossary) -> str:
    """Return TBX as ISO 30042:2008 has it, which Weblate and other tools still ask for."""
    return "".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>\n<martif type="TBX" xml:lang="en">\n',
            f" <martifHeader>\n{_file_description()}",
            '  <encodingDesc>\n   <p type="XCSURI">http://www.lisa.org/fileadmin/standards/tbx/TBXXCSV02.XCS</p>\n',
            "  </encodingDesc>\n </martifHeader>\n <text>\n  <body>\n",
            *_entries(glossary, "termEntry", "langSet", "tig"),
            "  </body>\n </text>\n</martif>\n",
        )
    )


WRITERS: dict[str, Callable[[Glossary], str]] = {
    "csv": as_csv,
    "tbx": as_tbx,
    "tbx2": as_tbx2,
    "turtle": as_turtle,
    "json": as_json,
}


def write(glossary: Glossary, form: str, *, with_bom: bool = False) -> bytes:
    """Return a glossary in one of WRITERS; only CSV takes a byte order mark."""
    text = WRITERS[form](glossary)
    return (BYTE_ORDER_MARK + text if with_bom and form == "csv" else text).encode()


def _skos(glossary: Glossary) -> Iterator[Triple]:
    for concept in glossary.concepts:
        node = NamedNode(concept.iri)
        yield Triple(node, NamedNode(f"{RDF}type"), NamedNode(f"{SKOS}Concept"))
        if concept.notation is not None:
            yield Triple(node, NamedNode(f"{SKOS}notation"), Literal(concept.notation))
        for term in concept.terms:
            label = Literal(term.value, language=term.lang) if term.lang else Literal(term.value)
            yield Triple(node, NamedNode(SKOS + _SKOS_LABELS[term.status]), label)


def _file_description() -> str:
    return (
        f"  <fileDesc>\n   <titleStmt>\n    <title>{TITLE}</title>\n   </titleStmt>\n"
        f"   <sourceDesc>\n    <p>{TITLE}: names of things in a graph</p>\n   </sourceDesc>\n  </fileDesc>\n"
    )


def _entries(glossary: Glossary, entry: str, language: str, section: str) -> Iterator[str]:
    """Yield the entries, whose elements the two editions of TBX name differently."""
    taken: set[str] = set()
    for concept in glossary.concepts:
        yield f"   <{entry} id={quoteattr(_xml_id(concept.id, taken))}>\n{_cross_reference(concept)}"
        for tag, terms in concept.by_language().items():
            yield f"    <{language} xml:lang={quoteattr(tag)}>\n"
            yield from (_term(section, term) for term in terms)
            yield f"    </{language}>\n"
        yield f"   </{entry}>\n"


def _term(section: str, term: Term) -> str:
    status = _TBX_STATUSES[term.status]
    return (
        f"     <{section}>\n      <term>{escape(clean(term.value))}</term>\n"
        f'      <termNote type="administrativeStatus">{status}</termNote>\n     </{section}>\n'
    )


def _cross_reference(concept: Concept) -> str:
    """Return what leads to the thing; only addresses of the web are cross-references."""
    if not concept.iri.startswith(("http://", "https://")):
        return f"    <note>{escape(clean(concept.iri))}</note>\n"
    target, text = quoteattr(clean(concept.iri)), escape(clean(concept.id))
    return f'    <xref type="externalCrossReference" target={target}>{text}</xref>\n'


def _xml_id(identifier: str, taken: set[str]) -> str:
    """Return an id as XML allows it, unique among those taken: `target/x` becomes `target.x`."""
    name = _NOT_IN_NAME.sub(".", identifier)
    if not name[0].isalpha():
        name = f"c.{name}"
    unique, number = name, 2
    while unique in taken:
        unique, number = f"{name}.{number}", number + 1
    taken.add(unique)
    return unique
