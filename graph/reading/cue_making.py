"""Make cues from sentences whose meaning is known: a few words, placeholders for names and figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from compute_atlas.graph.reading import lexicon as lexicons
from compute_atlas.graph.reading.cues import Capture, placeholders
from compute_atlas.graph.reading.lexicon import Lexicon
from compute_atlas.graph.reading.statements import Statement

_NUMBER = re.compile(r"(?<![\d.,])\d+(?:[.,]\d+)?")
_END = " .。!?:：;,、"
# How much of the text beside a placeholder, or at the ends of a sentence, a cue keeps.
_WORDS, _CHARACTERS = 3, 6

# Scripts without blanks between words.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")

Span = tuple[int, int, str]


class Builder:
    """Collects cues for statements; each has to match just the sentences that are known to say it."""

    def __init__(self, lexicon: Lexicon, statements: Sequence[Statement], sentences: Sequence[str]):
        self._lexicon = lexicon
        self._sentences = sentences
        # One with `unless` says less than another that the page may say: alignment cannot tell which.
        self._names = {each.name for each in statements if each.scope == "page" and not each.unless}
        self._english = lexicons.load("en")
        self._meant: dict[str, set[str]] = {}

    def add(self, name: str, sentence: str) -> None:
        """Note that a sentence makes a statement."""
        if name in self._names:
            self._meant.setdefault(name, set()).add(sentence)

    def cues(self) -> dict[str, list[str]]:
        """Return the cues of each statement."""
        found: dict[str, list[str]] = {}
        for name, meant in sorted(self._meant.items()):
            for sentence in sorted(meant):
                spans = self._spans(name, sentence)
                texts = _candidates(sentence, spans) if spans is not None else ()
                cue = next((text for text in texts if self._is_good(text, sentence, meant)), None)
                if cue and cue not in found.setdefault(name, []):
                    found[name].append(cue)
        return found

    def _is_good(self, text: str, sentence: str, meant: set[str]) -> bool:
        """Tell whether a cue matches only what it should, and finds the names in its sentence again."""
        cue = self._lexicon.compile(text)
        found = cue.search(sentence)
        return (
            found is not None
            and all(self._names_several(captured, capture) for capture, captured in found.captures)
            and {each for each in self._sentences if cue.search(each)} <= meant
        )

    def _names_several(self, text: str, capture: Capture) -> bool:
        mentions = self._lexicon.names.mentions(text, [capture.kind])
        return not capture.is_list or len({mention.id for mention in mentions}) > 1

    def _spans(self, name: str, sentence: str) -> list[Span] | None:
        """Return where the placeholders of a statement's English cue stand; None if one is not found."""
        wanted = placeholders(self._english.cue_texts.get(name, []))
        kinds = [capture.kind for capture in wanted]
        spans: list[Span] = []
        numbers = list(_NUMBER.finditer(sentence))
        for capture in wanted:
            shown = (
                f"{{{capture.group}:{capture.kind}}}"
                if capture.group != capture.kind
                else f"{{{capture.kind}}}"
            )
            if capture.kind == "number":
                if not numbers:
                    return None
                number = numbers.pop(0)
                spans.append((number.start(), number.end(), shown))
                continue
            mentions = self._lexicon.names.mentions(sentence, [capture.kind])
            if capture.is_list and len({mention.id for mention in mentions}) >= 2:
                spans.append((mentions[0].start, mentions[-1].end, f"{{{capture.kind}*}}"))
            elif not capture.is_list and mentions and kinds.count(capture.kind) == 1:
                spans.append((mentions[0].start, mentions[0].end, shown))
            else:
                return None
        spans.sort()
        return None if any(one[1] > other[0] for one, other in pairwise(spans)) else spans


def _candidates(sentence: str, spans: Sequence[Span]) -> tuple[str, ...]:
    """Return cues for a sentence: words around each placeholder and at the ends, all of it, not its end."""
    pieces = list(_between(sentence, spans))
    short = [piece if isinstance(piece, tuple) else _shortened(piece) for piece in pieces]
    return (_joined(short), _joined(pieces), _joined(short[:-1]) if spans else "")


def _between(sentence: str, spans: Sequence[Span]) -> Iterator[str | Span]:
    """Yield the texts between placeholders, and the placeholders."""
    end = 0
    for span in spans:
        yield sentence[end : span[0]]
        yield span
        end = span[1]
    yield sentence[end:].rstrip(_END)


def _shortened(text: str) -> str:
    words = text.split()
    if _UNSPACED.search(text):
        bare = text.strip()
        return bare if len(bare) <= 3 * _CHARACTERS else f"{bare[:_CHARACTERS]} … {bare[-_CHARACTERS:]}"
    if len(words) <= 2 * _WORDS + 1:
        return text
    return f"{' '.join(words[:_WORDS])} … {' '.join(words[-_WORDS:])}"


def _joined(pieces: Sequence[str | Span]) -> str:
    texts = [
        piece[2] if isinstance(piece, tuple) else piece.replace("{", "").replace("}", "") for piece in pieces
    ]
    return re.sub(r"\s+", " ", "".join(_spaced(texts))).strip(_END)


def _spaced(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        yield f" {text} " if text.startswith("{") else text
