"""Shape what was found as JSON: results of a lookup, annotations of a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from compute_atlas.graph.lookup.annotation import Annotation, Name
from compute_atlas.graph.lookup.hits import Found, Hit
from compute_atlas.graph.lookup.labels import short_type
from compute_atlas.graph.lookup.spoken import Languages
from compute_atlas.graph.lookup.textmap import Offsets

Json = dict[str, Any]


def lookup_answer(
    query: str,
    spoken: Languages,
    label_languages: Sequence[str],
    found: Found,
    *,
    limit: int,
    offset: int,
    digest: str,
) -> Json:
    """Return the answer of a lookup. Labels are shown in the first of the languages that there is."""
    ambiguous = {hit.thing.iri for hit in found.ambiguous}
    return {
        "query": {
            "q": query,
            "lang": spoken.asked,
            "lang_used": "*" if spoken.is_any else spoken.used,
            "fallback": spoken.is_fallback,
            "labellang": label_languages[0] if label_languages else None,
        },
        "total": len(found.hits),
        "offset": offset,
        "limit": limit,
        "ambiguous": bool(ambiguous),
        "graph": digest,
        "results": [
            _result(hit, label_languages, hit is found.match, hit.thing.iri in ambiguous)
            for hit in found.hits[offset : offset + limit]
        ],
    }


def annotation_answer(text: str, annotations: Sequence[Annotation], unit: str) -> Json:
    """Return the answer of an annotation, positions counted in the unit."""
    offsets = Offsets(text, unit)
    return {
        "text_length": offsets.of(len(text)),
        "offsets": unit,
        "annotations": [_annotation(annotation, text, offsets) for annotation in annotations],
    }


def _result(hit: Hit, label_languages: Sequence[str], is_match: bool, is_ambiguous: bool) -> Json:
    thing, shown = hit.thing, hit.thing.shown(label_languages)
    return {
        "id": thing.id,
        "iri": thing.iri,
        "match": is_match,
        "ambiguous": is_ambiguous,
        "score": round(hit.score),
        "tier": hit.tier,
        "matched": {"value": hit.label.value, "lang": hit.label.lang, "kind": hit.label.kind},
        "label": {"value": shown.value, "lang": shown.lang, "fallback": shown.fallback},
        "types": [short_type(iri) for iri in thing.types],
        "notation": thing.notation,
    }


def _annotation(annotation: Annotation, text: str, offsets: Offsets) -> Json:
    first, *others = annotation.names
    return {
        "start": offsets.of(annotation.start),
        "end": offsets.of(annotation.end),
        "surface": text[annotation.start : annotation.end],
        **_candidate(first),
        "candidates": [_candidate(name) for name in others],
    }


def _candidate(name: Name) -> Json:
    return {
        "id": name.thing.id,
        "iri": name.thing.iri,
        "label_kind": name.label.kind,
        "lang": name.label.lang,
    }
