"""The ontology's Turtle files are complete, consistent with each other and cover the source terms."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, parse

FOLDER = Path(__file__).parents[1] / "ontology"
SHARED = Path(__file__).parents[2] / "shared"
TERMS = SHARED / "design" / "terms.tsv"
EDITIONS = SHARED / "editions"

FILES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.ttl"))
GRAPH_FILES = [name for name in FILES if name != "shapes.ttl"]
LANGUAGES = ("en", "ja", "it")

BASE = "https://w3id.org/compute-atlas/"
CA = f"{BASE}ontology#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
BUILT_IN = (RDF, RDFS, OWL)
PROPERTY_TYPES = {f"{OWL}{name}Property" for name in ("Object", "Datatype", "Annotation")}

# Predicates that become membership in a class, and names in the claims that stand for another thing.
MEMBERSHIPS = {"is_managed", "is_unmanaged", "is_isolated", "is_training_target"}
STANDS_FOR = {
    "class/compute_target": "ontology#ComputeTarget",
    "class/gpu_compute": "term/gpu_enabled_target",
    "class/isolated_size": "ontology#IsolatedVMSize",
    "class/managed_compute": "ontology#ManagedCompute",
    "class/ml_pipeline": "use/pipelines",
    "class/unmanaged_compute": "ontology#UnmanagedCompute",
    "class/vm_series": "ontology#VMSeries",
    "class/vm_size": "ontology#VMSize",
    "correct_cuda_driver": "term/cuda_driver",
    "deployment_compute_target": "ontology#InferenceTarget",
    "local_computer": "target/local_computer",
    "notice/retirement": "ontology#RetirementNotice",
    "series/NCT4_v3": "series/NCasT4_v3",
    "series/NDA100_v4": "series/NDasrA100_v4",
    "serverless_compute": "target/serverless_compute",
    "training_compute_target": "ontology#TrainingTarget",
}

needs_terms = pytest.mark.skipif(not TERMS.exists(), reason=f"{TERMS} is not on this machine")
needs_editions = pytest.mark.skipif(not EDITIONS.exists(), reason=f"{EDITIONS} is not on this machine")

Node = NamedNode | BlankNode | Literal
Statement = tuple[str, str, Node]


@cache
def read(name: str) -> tuple[Statement, ...]:
    """Return the statements of one file; a blank node's name starts with `_:` and the file's name."""
    statements: list[Statement] = []
    for quad in parse(path=str(FOLDER / name)):
        subject, value = quad.subject, quad.object
        assert isinstance(subject, (NamedNode, BlankNode))
        assert isinstance(value, (NamedNode, BlankNode, Literal))
        start = subject.value if isinstance(subject, NamedNode) else f"_:{name}:{subject.value}"
        statements.append((start, quad.predicate.value, value))
    return tuple(statements)


def statements(names: list[str]) -> list[Statement]:
    return [statement for name in names for statement in read(name)]


def with_type(*types: str) -> set[str]:
    """Return the IRIs that have one of these types in the files of the graph."""
    return {
        subject
        for subject, predicate, value in statements(GRAPH_FILES)
        if predicate == f"{RDF}type"
        and not isinstance(value, Literal)
        and value.value in types
        and not subject.startswith("_:")
    }


def classes() -> set[str]:
    return with_type(f"{OWL}Class")


def individuals() -> set[str]:
    return with_type(*classes())


def literals(predicate: str, language: str) -> dict[str, list[str]]:
    """Return the values of a predicate in a language, by subject."""
    found: dict[str, list[str]] = defaultdict(list)
    for subject, name, value in statements(GRAPH_FILES):
        if name == predicate and isinstance(value, Literal) and value.language == language:
            found[subject].append(value.value)
    return found


def camel_case(predicate: str) -> str:
    return re.sub(r"_(.)", lambda match: match[1].upper(), predicate)


def facts(edition: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((EDITIONS / f"{edition}.json").read_text("utf-8"))["facts"]
    return found


def test_files_are_all_found() -> None:
    """The tests below walk over every file, none is forgotten."""
    expected = {"compute.ttl", "things.ttl", "shapes.ttl", "supplement/cuda.ttl"}
    assert expected | {f"labels/{language}.ttl" for language in LANGUAGES} <= set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_file_parses(name: str) -> None:
    """Each file is Turtle and states something."""
    assert read(name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_has_one_preferred_label(language: str) -> None:
    """Each class, property and individual has exactly one preferred label in each language."""
    named = classes() | with_type(*PROPERTY_TYPES) | individuals()
    assert len(classes()) >= 28
    assert len(with_type(*PROPERTY_TYPES)) >= 100
    assert len(individuals()) >= 200
    labels = literals(f"{SKOS}prefLabel", language)
    offenders = {iri: labels.get(iri, []) for iri in named if len(labels.get(iri, [])) != 1}
    assert not offenders, f"write one skos:prefLabel @{language} for each of these"
    strangers = set(labels) - named - {f"{BASE}ontology"}
    assert not strangers, "these have a label and no type: add them to things.ttl or mend the name"


@pytest.mark.parametrize("language", LANGUAGES)
def test_individuals_do_not_share_a_preferred_label(language: str) -> None:
    """No two individuals have the same preferred label in a language."""
    labels = literals(f"{SKOS}prefLabel", language)
    holders: dict[str, set[str]] = defaultdict(set)
    for iri in individuals():
        holders[labels[iri][0].casefold()].add(iri)
    assert len(holders) >= 200
    assert not {label: iris for label, iris in holders.items() if len(iris) > 1}, "tell these apart"


@pytest.mark.parametrize("language", LANGUAGES)
def test_object_properties_can_be_read_aloud(language: str) -> None:
    """Each object property has a label read backwards and a sentence with both ends, once each."""
    properties = with_type(f"{OWL}ObjectProperty")
    assert len(properties) >= 44
    inverse = literals(f"{CA}inverseLabel", language)
    sentences = literals(f"{CA}sentence", language)
    end = "。" if language == "ja" else "."
    offenders = {
        iri: (inverse.get(iri, []), sentences.get(iri, []))
        for iri in properties
        if len(inverse.get(iri, [])) != 1
        or len(sentences.get(iri, [])) != 1
        or sentences[iri][0].count("{s}") != 1
        or sentences[iri][0].count("{o}") != 1
        or not sentences[iri][0].endswith(end)
    }
    assert not offenders, (
        f"write one ca:inverseLabel and one ca:sentence @{language}, {{s}} and {{o}} once each"
    )


def test_own_names_are_declared() -> None:
    """No file uses a class or property of the ontology's namespace that compute.ttl does not declare."""
    declared = classes() | with_type(*PROPERTY_TYPES)
    used = {
        iri
        for subject, predicate, value in statements(FILES)
        for iri in (subject, predicate, "" if isinstance(value, Literal) else value.value)
        if iri.startswith(CA)
    }
    assert len(used) >= 120
    assert not used - declared, "declare these in compute.ttl or mend the name"


def test_used_properties_are_declared() -> None:
    """Each predicate of another vocabulary in the graph is declared an annotation property."""
    used = {
        predicate for _, predicate, _ in statements(GRAPH_FILES) if not predicate.startswith((CA, *BUILT_IN))
    }
    assert {f"{SKOS}prefLabel", f"{SKOS}altLabel", f"{SKOS}hiddenLabel", f"{SKOS}inScheme"} <= used
    assert not used - with_type(f"{OWL}AnnotationProperty"), "declare these in compute.ttl"


def test_own_names_are_defined() -> None:
    """Each class and property of our own has one definition in English."""
    own = {iri for iri in classes() | with_type(*PROPERTY_TYPES) if iri.startswith(CA)}
    definitions = literals(f"{SKOS}definition", "en")
    assert len(own) >= 120
    assert not {iri for iri in own if len(definitions.get(iri, [])) != 1}, "write one skos:definition @en"


def test_individuals_of_one_kind_are_different() -> None:
    """Each kind with two individuals or more lists them all in one owl:AllDifferent."""
    things = read("things.ttl")
    heads = {
        f"_:things.ttl:{value.value}"
        for _, predicate, value in things
        if predicate == f"{OWL}distinctMembers" and isinstance(value, BlankNode)
    }
    first = {subject: value.value for subject, predicate, value in things if predicate == f"{RDF}first"}
    rest = {subject: value for subject, predicate, value in things if predicate == f"{RDF}rest"}
    lists = []
    for head in heads:
        members, node = [], head
        while node in first:
            members.append(first[node])
            node = f"_:things.ttl:{rest[node].value}"
        lists.append(sorted(members))
    kinds = [sorted(with_type(iri)) for iri in classes() if iri.startswith(CA)]
    expected = [members for members in kinds if len(members) > 1]
    assert len(expected) >= 14
    assert sorted(lists) == sorted(expected)


def test_cuda_versions_follow_each_other() -> None:
    """The next version of each CUDA version is the one after it in order of its numbers."""
    numbers: dict[str, dict[str, int]] = defaultdict(dict)
    following: dict[str, str] = {}
    for subject, predicate, value in read("things.ttl"):
        if predicate in (f"{CA}major", f"{CA}minor"):
            numbers[subject][predicate.removeprefix(CA)] = int(value.value)
        if predicate == f"{CA}nextVersion":
            following[subject] = value.value
    ordered = sorted(numbers, key=lambda iri: (numbers[iri]["major"], numbers[iri]["minor"]))
    assert len(ordered) >= 27
    assert following == dict(pairwise(ordered))
    assert [f"{BASE}cuda/{numbers[iri]['major']}.{numbers[iri]['minor']}" for iri in ordered] == ordered


@needs_terms
@pytest.mark.parametrize("language", LANGUAGES)
def test_terms_have_their_labels(language: str) -> None:
    """Each form of a term's cell is one of its labels, the first one the preferred label."""
    with TERMS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) >= 189
    labels = {kind: literals(f"{SKOS}{kind}Label", language) for kind in ("pref", "alt", "hidden")}
    missing: list[tuple[str, str, str]] = []
    for row in rows:
        forms = row[language].split(" | ")
        hidden = [
            form.removeprefix(f"{language}: ")
            for form in row["hidden"].split(" | ")
            if form.startswith(f"{language}: ")
        ]
        wanted = {"pref": forms[:1], "alt": forms[1:], "hidden": hidden}
        for kind, texts in wanted.items():
            held = labels[kind].get(BASE + row["id"], [])
            missing += [(row["id"], kind, text) for text in texts if text not in held]
    assert not missing, f"add these labels @{language}"


@needs_editions
@pytest.mark.parametrize("edition", ["ja-seed", "it-seed", "en-2024-01"])
def test_predicates_have_their_property(edition: str) -> None:
    """Each predicate of the edition's facts has the property of its name."""
    predicates = {str(fact["p"]) for fact in facts(edition)} - MEMBERSHIPS
    assert len(predicates) >= 35
    properties = with_type(*PROPERTY_TYPES)
    missing = {name for name in predicates if CA + camel_case(name) not in properties}
    assert not missing, "declare the camelCase property of each of these in compute.ttl"


@needs_editions
@pytest.mark.parametrize("edition", ["ja-seed", "it-seed", "en-2024-01"])
def test_things_of_facts_exist(edition: str) -> None:
    """Each subject, and each object of an object property, is a class or an individual."""
    links = with_type(f"{OWL}ObjectProperty")
    names: set[str] = set()
    for fact in facts(edition):
        names.add(str(fact["s"]))
        if CA + camel_case(str(fact["p"])) in links:
            names.add(f"cuda/{fact['o']}" if fact["p"] == "min_cuda_version" else str(fact["o"]))
    assert len(names) >= 90
    known = classes() | individuals()
    missing = set()
    for name in names:
        thing = STANDS_FOR.get(name, name if "/" in name else f"term/{name}")
        if BASE + re.sub(r"^(class|phase)/", "term/", thing) not in known:
            missing.add(name)
    assert not missing, "add these to things.ttl and labels/"
