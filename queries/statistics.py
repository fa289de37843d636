"""The numbers of a VoID description, counted from the data."""

from __future__ import annotations

from collections import Counter
from typing import Any

from compute_atlas.ontology.names import RDF
from compute_atlas.queries.dataset import Dataset
from pyoxigraph import DefaultGraph, NamedNode

_TYPE = NamedNode(f"{RDF}type")


def statistics(dataset: Dataset) -> dict[str, Any]:
    """Return the numbers of triples, of different subjects and objects, by property, by class, by graph.

    They are about the union of all graphs; `classes` counts the instances of each class.
    """
    subjects, objects = set(), set()
    properties: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    for quad in dataset.store.quads_for_pattern(None, None, None, DefaultGraph()):
        subjects.add(quad.subject)
        objects.add(quad.object)
        properties[quad.predicate.value] += 1
        if quad.predicate == _TYPE and isinstance(quad.object, NamedNode):
            classes[quad.object.value] += 1
    return {
        "triples": properties.total(),
        "subjects": len(subjects),
        "objects": len(objects),
        "properties": dict(sorted(properties.items())),
        "classes": dict(sorted(classes.items())),
        "graphs": dataset.sizes,
    }
