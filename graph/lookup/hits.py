"""What a lookup finds: hits with their tiers and scores, in a total order, and which of them is meant."""

from __future__ import annotations

from dataclasses import dataclass

from compute_atlas.graph import languages
from compute_atlas.graph.lookup.labels import KINDS, Filter, Label, Thing
from compute_atlas.graph.lookup.spoken import Languages

# In order of certainty, with the score that a hit gets; prefix and fuzzy hits get less, by length and ratio.
TIERS = {
    "id": 100,
    "exact": 100,
    "strict": 98,
    "loose": 95,
    "stem": 90,
    "prefix": 85,
    "infix": 65,
    "fuzzy": 79,
}
MATCH_SCORE = 90

_TIER_RANKS = {tier: rank for rank, tier in enumerate(TIERS)}
_NO_LANGUAGE, _OTHER_LANGUAGE = 1, 2


@dataclass(frozen=True, slots=True)
class Hit:
    """A thing that was found, by which of its labels and how: score up to 100, tier one of TIERS."""

    thing: Thing
    label: Label
    tier: str
    score: float
    ratio: float
    lang_rank: int

    @property
    def order(self) -> tuple[float, int, float, int, int, int, str]:
        """Best first: score, tier, uncut ratio, the query's language, kind and length of label, IRI."""
        rank, kind = _TIER_RANKS[self.tier], KINDS.index(self.label.kind)
        return (-self.score, rank, -self.ratio, self.lang_rank, kind, len(self.label.value), self.thing.iri)


@dataclass(frozen=True)
class Found:
    """All hits, best first, each thing once; `match` is the one that is meant, `ambiguous` may be meant."""

    hits: tuple[Hit, ...]
    match: Hit | None = None
    ambiguous: tuple[Hit, ...] = ()


class Best:
    """The best hit of each thing so far."""

    def __init__(self, spoken: Languages, accepts: Filter):
        self._spoken, self._accepts = spoken, accepts
        self._hits: dict[str, Hit] = {}
        self._ranks: dict[str | None, int] = {}
        self.top_score = 0.0

    def wants(self, thing: Thing, label: Label) -> bool:
        """Tell whether a thing and the language of a label are among those asked for."""
        return self._accepts(thing) and not (self._spoken.only and self._rank(label.lang) == _OTHER_LANGUAGE)

    def offer(
        self, thing: Thing, label: Label, tier: str, score: float | None = None, ratio: float = 0
    ) -> None:
        """Take a hit, if it is wanted and the thing's best so far."""
        if score is None:
            score = TIERS[tier]
        known = self._hits.get(thing.iri)
        if (known is not None and known.score > score) or not self.wants(thing, label):
            return
        hit = Hit(thing, label, tier, score, ratio, self._rank(label.lang))
        if known is None or hit.order < known.order:
            self._hits[thing.iri] = hit
            self.top_score = max(self.top_score, hit.score)

    def found(self) -> Found:
        """Return all hits in order, and which of them is meant.

        That is the only one in the best tier, or several may be. If the query's language is sure, labels
        of other languages that say the same do not count.
        """
        hits = tuple(sorted(self._hits.values(), key=lambda hit: hit.order))
        if not hits or hits[0].score < MATCH_SCORE:
            return Found(hits)
        equal = [hit for hit in hits if hit.tier == hits[0].tier]
        if self._spoken.is_sure:
            equal = [hit for hit in equal if hit.lang_rank == hits[0].lang_rank]
        return Found(hits, equal[0]) if len(equal) == 1 else Found(hits, ambiguous=tuple(equal))

    def _rank(self, lang: str | None) -> int:
        """Return 0 for the query's language, 1 for names that have none, 2 for another language."""
        if lang not in self._ranks:
            self._ranks[lang] = self._new_rank(lang)
        return self._ranks[lang]

    def _new_rank(self, lang: str | None) -> int:
        if self._spoken.is_any:
            return 0
        if lang is None:
            return _NO_LANGUAGE
        return 0 if languages.fits(lang, self._spoken.used or "") else _OTHER_LANGUAGE
