"""Which of the names of a thing a language prefers."""

from __future__ import annotations

from compute_atlas.graph.languages import fits
from compute_atlas.graph.lookup.labels import Thing

SOURCE_LANGUAGE = "en"
_KINDS = ("prefLabel", "label")


def preferred_name(thing: Thing, lang: str) -> str | None:
    """Return the label that a language prefers for a thing."""
    labels = (label for label in thing.labels if label.lang and fits(label.lang, lang))
    return next((label.value for label in labels if label.kind in _KINDS), None)


def kept_name(thing: Thing, lang: str) -> str | None:
    """Return the English name that another language than this one keeps, None for an ordinary term."""
    english = preferred_name(thing, SOURCE_LANGUAGE)
    if english is None or not english[0].isupper() or fits(SOURCE_LANGUAGE, lang):
        return None
    is_kept = any(
        label.value == english
        and label.kind in _KINDS
        and label.lang
        and not fits(label.lang, lang)
        and not fits(label.lang, SOURCE_LANGUAGE)
        for label in thing.labels
    )
    return english if is_kept else None
