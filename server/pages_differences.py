"""The page of /differences: points on which editions differ, with what each side has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import flask
from compute_atlas.graph.comparing.disagreements import KINDS, LEVELS, MEMBERSHIPS, Disagreement
from compute_atlas.graph.lookup.labels import Shown
from compute_atlas.ontology.names import BASE, ONTOLOGY
from compute_atlas.server import requests
from compute_atlas.server.lookup import read_number
from compute_atlas.server.pages import View, answer_page

FILTERS = ("kind", "level", "edition", "subject")
MOST_SHOWN = 40
_MOST_OFFSET = 1_000_000


def differences_page(found: Sequence[Disagreement], chosen: Sequence[Disagreement]) -> flask.Response:
    """Return the page with those chosen, and filters for all that there are."""
    view, parameters = View.current(), requests.read_parameters()
    offset = read_number(parameters, "offset", 0, 0, _MOST_OFFSET)
    counts = Counter(item.kind for item in found)
    levels = Counter(item.level for item in found)
    return answer_page(
        view,
        "differences.html",
        items=chosen[offset : offset + MOST_SHOWN],
        total=len(found),
        chosen=len(chosen),
        offset=offset,
        step=MOST_SHOWN,
        filters={name: parameters.one(name) or "" for name in FILTERS},
        choices={
            "level": [(name, view.word("levels", name), levels[name]) for name in LEVELS if levels[name]],
            "kind": [(name, view.word("kinds", name), counts[name]) for name in KINDS if counts[name]],
            "edition": [
                (name, name, sum(name in item.editions for item in found))
                for name in sorted(set().union(*(item.editions for item in found)))
            ],
        },
        subject_name=lambda item: view.name(BASE + item.subject),
        predicate_name=lambda item: _predicate_name(view, item),
        value_name=lambda text: _value_name(view, text),
    )


def _predicate_name(view: View, item: Disagreement) -> Shown | None:
    if item.predicate is None:
        return None
    return view.name(BASE + MEMBERSHIPS.get(item.predicate, f"ontology#{item.predicate}"))


def _value_name(view: View, text: str) -> Shown:
    """Return a side's value: the label of a thing, any other text as it stands."""
    for iri in (BASE + text, ONTOLOGY + text):
        if iri in view.index.things:
            return view.name(iri)
    word = view.word("sides", text)
    return Shown(word, view.spoken.language if word != text else None, False)
