"""Say in the terms of the vocabulary what a claim states."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compute_atlas.graph.comparing.disagreements import MEMBERSHIPS
from compute_atlas.graph.reading.claims import Claim, Value
from compute_atlas.graph.reading.names import kind_of
from compute_atlas.ontology.names import BASE, ONTOLOGY, RDF, XSD
from pyoxigraph import Literal, NamedNode

TYPE = NamedNode(f"{RDF}type")

# Subjects and bare words of claims that name a thing of the vocabulary; any other is a term.
_CLASSES = {
    "compute_target": "ontology#ComputeTarget",
    "managed_compute": "ontology#ManagedCompute",
    "unmanaged_compute": "ontology#UnmanagedCompute",
    "vm_size": "ontology#VMSize",
    "vm_series": "ontology#VMSeries",
    "isolated_size": "ontology#IsolatedVMSize",
    "ml_pipeline": "use/pipelines",
    "gpu_compute": "term/gpu_enabled_target",
}
_WORDS = {
    "serverless_compute": "target/serverless_compute",
    "local_computer": "target/local_computer",
    "training_compute_target": "ontology#TrainingTarget",
    "deployment_compute_target": "ontology#InferenceTarget",
    "correct_cuda_driver": "term/cuda_driver",
    "none": "term/no_restriction",
}
# What stands for a whole table: the section that it is in, or what its rows are about.
_TABLES = {
    "table/capabilities": "ontology#Capability",
    "table/cuda": "ontology#GPUArchitecture",
    "table/inference": "term/compute_targets_for_inference",
    "table/series": "term/supported_vm_series",
    "table/tools": "ontology#Tool",
    "table/training": "term/training_compute_targets",
}


def triples(claim: Claim) -> Iterator[tuple[NamedNode, NamedNode, NamedNode | Literal]]:
    """Yield what a claim states: one triple, and for a series' retirement the notice that announces it."""
    subject = NamedNode(BASE + subject_id(claim.subject))
    name = property_name(claim.predicate)
    if name in MEMBERSHIPS:
        if claim.object is True:
            yield subject, TYPE, NamedNode(BASE + MEMBERSHIPS[name])
        return
    yield subject, term(name), _object(claim)
    if claim.predicate == "retirement_date" and kind_of(claim.subject) == "series":
        yield NamedNode(f"{BASE}retirement/{claim.object}"), term("announces"), subject


def subject_id(subject: str) -> str:
    """Return the id of what a claim, or a remark on a table, is about."""
    if subject in _TABLES:
        return _TABLES[subject]
    kind, _, name = subject.partition("/")
    if kind == "class":
        return _CLASSES.get(name, f"term/{name}")
    if kind == "notice":
        return "ontology#RetirementNotice"
    return f"term/{name}" if kind == "phase" else subject


def _object(claim: Claim) -> NamedNode | Literal:
    value = claim.object
    if claim.predicate == "retirement_date":
        return Literal(str(value), datatype=NamedNode(f"{XSD}date"))
    if claim.predicate == "min_free_disk_before_stop_gb":
        return literal(dict(claim.qualifiers)["min"])  # the lower bound; both stand on the annotation
    if claim.predicate == "min_cuda_version":
        return NamedNode(f"{BASE}cuda/{value}")
    if not isinstance(value, str):
        return literal(value)
    if re.fullmatch(r"\d+\.\d+", value):
        return Literal(value, datatype=NamedNode(f"{XSD}decimal"))
    return NamedNode(BASE + (value if "/" in value else _WORDS.get(value, f"term/{value}")))


def literal(value: Value) -> Literal:
    """Return a value as RDF."""
    # bool first: True is an int, too.
    if isinstance(value, bool):
        return Literal(value)
    if isinstance(value, int):
        return Literal(str(value), datatype=NamedNode(f"{XSD}integer"))
    return Literal(value)


def property_name(predicate: str) -> str:
    """Return the local name of the property for a claim's predicate: `isPreview` for `is_preview`."""
    first, *others = predicate.split("_")
    return first + "".join(word.capitalize() for word in others)


def term(name: str) -> NamedNode:
    """Return a class or property of the ontology by its local name."""
    return NamedNode(ONTOLOGY + name)
