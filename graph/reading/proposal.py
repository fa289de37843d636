"""What a page suggests for a lexicon, place by place."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from compute_atlas.graph.reading.names import normal

SECTIONS = ("words", "headings", "names")
# Of the votes for what a text means, the share that one meaning needs.
_MAJORITY = 0.6


@dataclass
class Proposal:
    """What a page suggests: for each section of a lexicon, text → meaning → votes."""

    votes: dict[str, dict[str, Counter[str]]] = field(
        default_factory=lambda: {section: {} for section in SECTIONS}
    )

    def vote(self, section: str, meaning: str, text: str, weight: int = 1) -> None:
        """Count one place that gives a text a meaning."""
        text = normal(text).strip(" .。:：")
        if text and meaning and "{" not in text:
            self.votes[section].setdefault(text, Counter())[meaning] += weight

    def lexicon(self) -> dict[str, dict[str, list[str]]]:
        """Return the sections of a lexicon: meaning → texts, those that most votes agree on."""
        found: dict[str, dict[str, list[str]]] = {}
        for section, texts in self.votes.items():
            for text, meanings in texts.items():
                best, count = min(meanings.items(), key=lambda item: (-item[1], item[0]))
                if count >= _MAJORITY * meanings.total():
                    found.setdefault(section, {}).setdefault(best, []).append(text)
        return found
