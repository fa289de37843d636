"""Judge OWL consistency with HermiT, by owlready2."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable

from compute_atlas.graph.errors import AtlasError
from compute_atlas.ontology.names import BASE
from pyoxigraph import DefaultGraph, Quad, RdfFormat, Triple, serialize

_EDITIONS = f"{BASE}edition/"


class NoJava(AtlasError):
    """HermiT is a Java program."""

    def __init__(self) -> None:
        super().__init__("HermiT needs Java, and there is no `java` on the PATH; install a Java runtime")


def inconsistencies(quads: Iterable[Quad]) -> list[str]:
    """Return what contradicts itself: `the ontology`, or the names of unsatisfiable classes, sorted.

    Raises NoJava.
    """
    if shutil.which("java") is None:
        raise NoJava
    import owlready2

    # owlready2 reads Turtle wrongly (owlready2#13), so it is handed N-Triples.
    triples = {Triple(quad.subject, quad.predicate, quad.object) for quad in quads}
    content = serialize(triples, format=RdfFormat.N_TRIPLES) or b""
    world = owlready2.World()
    world.get_ontology(f"{BASE}reasoning#").load(fileobj=io.BytesIO(content))
    try:
        owlready2.sync_reasoner_hermit(world, debug=0)
    except owlready2.OwlReadyInconsistentOntologyError:
        return ["the ontology"]
    return sorted(str(found.iri) for found in world.inconsistent_classes() if found is not owlready2.Nothing)


def by_edition(quads: Iterable[Quad]) -> dict[str, list[Quad]]:
    """Return the dataset once for each edition, without the others.

    Editions are judged one at a time: their closed lists may differ, which is a disagreement between two
    documents and no contradiction. Without editions: the whole under one name.
    """
    shared: list[Quad] = []
    editions: dict[str, list[Quad]] = {}
    for quad in quads:
        name = "" if isinstance(quad.graph_name, DefaultGraph) else quad.graph_name.value
        place = editions.setdefault(name, []) if name.startswith(_EDITIONS) else shared
        place.append(quad)
    if not editions:
        return {"the data": shared}
    return {name.removeprefix(BASE): shared + stated for name, stated in sorted(editions.items())}
