"""Find the things that one document calls by two different names."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from compute_atlas.graph.reading.document import Block, Heading, Prose, Table
from compute_atlas.graph.reading.lexicon import Lexicon
from compute_atlas.graph.reading.names import english, fold, normal
from compute_atlas.graph.reading.remarks import Remark

_KINDS = ("target", "class")
# Words by which names differ: of Latin letters those of four and more, else runs of one script.
_WORDS = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]{4,}|[\u30a0-\u30ff]+|[\u3400-\u9fff]+")


def inconsistent_names(blocks: Sequence[tuple[Block, str | None]], lexicon: Lexicon) -> Iterator[Remark]:
    """Yield a remark for each thing with two names, with the first line of each.

    Names that differ by inflection or by a word more are one; so are those of a thing that has several in
    English, too: the source had them.
    """
    if not lexicon.is_known:
        return
    seen: dict[str, dict[str, tuple[int, str]]] = {}
    for text, line in _texts(blocks):
        for mention in lexicon.names.mentions(text, _KINDS):
            written = text[mention.start : mention.end]
            is_name = lexicon.names.find(written, _KINDS) == mention.id
            if not is_name or lexicon.names.is_garbled(written, mention.id):
                continue
            seen.setdefault(mention.id, {}).setdefault(fold(written), (line, written))
    for thing, forms in sorted(seen.items()):
        places = sorted(forms.values())
        others = [place for place in places[1:] if _differ(places[0][1], place[1])]
        if others and not any(_differ(*pair) for pair in itertools.combinations(english(thing), 2)):
            yield Remark("term_inconsistent", thing, None, (places[0], others[0]))


def _texts(blocks: Sequence[tuple[Block, str | None]]) -> Iterator[tuple[str, int]]:
    for block, _ in blocks:
        if isinstance(block, (Heading, Prose)):
            yield normal(block.text), block.line
        elif isinstance(block, Table):
            for row in (block.header, *block.rows):
                for cell in row:
                    yield normal(cell.text), cell.line


def _differ(first: str, second: str) -> bool:
    """Tell whether each of two names has a word that the other has in no inflection."""
    words = [_WORDS.findall(text.casefold()) for text in (first, second)]
    return _lacks(words[0], words[1]) and _lacks(words[1], words[0])


def _lacks(some: Sequence[str], all_: Sequence[str]) -> bool:
    return any(not any(_is_inflected(word, other) for other in all_) for word in some)


def _is_inflected(word: str, other: str) -> bool:
    """Tell whether two words differ by an ending at most."""
    length = max(min(len(word), len(other)) - 2, min(3, len(word), len(other)))
    return word[:length] == other[:length]
