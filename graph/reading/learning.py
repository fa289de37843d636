"""Propose the words of a language from a page that is aligned with known editions."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from compute_atlas.graph.reading import cue_making, statements
from compute_atlas.graph.reading import lexicon as lexicons
from compute_atlas.graph.reading.alignment import align, align_sentences
from compute_atlas.graph.reading.document import Document, Heading, Prose, Table
from compute_atlas.graph.reading.lexicon import Lexicon
from compute_atlas.graph.reading.names import kind_of, normal
from compute_atlas.graph.reading.outline import SHORT, Part, outline
from compute_atlas.graph.reading.proposal import SECTIONS, Proposal
from compute_atlas.graph.reading.sentences import split
from compute_atlas.graph.reading.table_learning import learn_table

# Names found in the first pass let sentences and items be aligned in the second.
_PASSES = 2
# A shorter name is too likely to be the beginning of another word.
SHORTEST_INFLECTED = 6
_MARKS = ".,;:()[]*\"'。、"
_NAMED = ("target", "tool", "method", "capability", "use")


def learn(
    document: Document, language: str, known: Sequence[Sequence[Part]]
) -> dict[str, dict[str, list[str]]]:
    """Return the lexicon that a page in a new language suggests, aligned with the outlines of known editions.

    The first outline is the one that the page is most like; the others fill in what it does not hold.
    """
    base = lexicons.load(language)
    kinds = statements.load()
    proposal, enriched = Proposal(), base
    for _ in range(_PASSES):
        parts = outline(document, enriched, kinds)
        aligned = [(outline_, align(parts, outline_)) for outline_ in known]
        proposal = Proposal()
        _learn_names(document, base, parts, aligned, proposal)
        words: dict[str, Any] = {"title": base.title, **proposal.lexicon()}
        enriched = Lexicon(language, words)
    parts = outline(document, enriched, kinds)
    aligned = [(outline_, align(parts, outline_)) for outline_ in known]
    builder = cue_making.Builder(enriched, kinds, _sentences(document))
    for outline_, pairs in aligned:
        for i, j in pairs:
            block = document.blocks[i]
            if isinstance(block, Prose):
                _learn_sentences(block, parts[i], outline_[j], builder)
    return proposal.lexicon() | {"statements": builder.cues()}


def _learn_names(
    document: Document,
    base: Lexicon,
    parts: Sequence[Part],
    aligned: Sequence[tuple[Sequence[Part], Sequence[tuple[int, int]]]],
    proposal: Proposal,
) -> None:
    for number, (known, pairs) in enumerate(aligned):
        weight = 2 if number == 0 else 1
        for i, j in pairs:
            block, other = document.blocks[i], known[j]
            if isinstance(block, Heading) and other.section:
                proposal.vote("headings", other.section, block.text, weight)
            elif isinstance(block, Table):
                learn_table(block, parts[i], other, proposal, weight)
        _learn_items(document, pairs, parts, known, proposal, weight)
    for block, part in zip(document.blocks, parts, strict=True):
        if isinstance(block, Table) and part.table:
            for other in (other for known, _ in aligned for other in known if other.table == part.table):
                learn_table(block, part, other, proposal, 1)
    _learn_links(document, base, proposal)
    _learn_inflections(document, proposal)


def as_toml(language: str, found: dict[str, dict[str, list[str]]], source: str) -> str:
    """Return a proposed lexicon as the TOML text that a person reviews."""
    lines = [
        f"# Words of {language}, proposed by aligning {source} with known editions. Review before use:",
        "# each line maps a name of the atlas to the texts that were found for it.",
    ]
    for section in (*SECTIONS, "statements"):
        lines += ["", f"[{section}]"]
        for meaning, texts in sorted(found.get(section, {}).items()):
            key = meaning if re.fullmatch(r"[\w-]+", meaning, re.ASCII) else json.dumps(meaning)
            shown = ", ".join(json.dumps(text, ensure_ascii=False) for text in texts)
            lines.append(f"{key} = [{shown}]")
    return "\n".join(lines) + "\n"


def _learn_items(
    document: Document,
    pairs: Sequence[tuple[int, int]],
    parts: Sequence[Part],
    known: Sequence[Part],
    proposal: Proposal,
    weight: int,
) -> None:
    """Learn names from list items, where the items around are aligned, too, or both lists end."""
    aligned = set(pairs)

    def is_tight(i: int, j: int, step: int) -> bool:
        ends = [
            not (0 <= place + step < len(sequence)) or sequence[place + step].kind != "item"
            for place, sequence in ((i, parts), (j, known))
        ]
        return all(ends) or (not any(ends) and (i + step, j + step) in aligned)

    for i, j in pairs:
        block, things = document.blocks[i], known[j].things
        if not isinstance(block, Prose) or not block.is_item or len(things) != 1:
            continue
        is_placed = is_tight(i, j, -1) and is_tight(i, j, 1)
        if _is_name(parts[i], known[j]) and (is_placed or _is_alike(parts[i], known[j])):
            proposal.vote("names", things[0], _item_name(block), weight)


def _is_name(page: Part, known: Part) -> bool:
    """Tell whether two items seem to be the same name: short, and with hardly a product name of their own."""
    if not (page.sentences and known.sentences) or known.sentences[0].length > SHORT:
        return False
    words = [_latin(part) for part in (page, known)]
    return page.sentences[0].length <= SHORT and len(words[0] - words[1]) <= len(words[0] & words[1])


def _is_alike(page: Part, known: Part) -> bool:
    """Tell whether two items have product names in common, and the page's none besides."""
    return len(_latin(page)) >= 2 and _latin(page) <= _latin(known)


def _latin(part: Part) -> set[str]:
    return {mark for mark in part.sentences[0].marks if mark[0] not in "[#@"}


def _item_name(item: Prose) -> str:
    """Return the part of an item that names it: its link at its start, else what stands before a stop."""
    if len(item.links) == 1 and item.links[0].start == 0:
        return item.links[0].text
    first, _ = next(split(item.text), ("", 0))
    name = re.split(r"[:：(（]", first)[0]
    return name if len(name) <= SHORT else ""


def _learn_links(document: Document, base: Lexicon, proposal: Proposal) -> None:
    """Learn the names that a page gives links to pages about one thing: whole cells, items, concept pages."""
    for block in document.blocks:
        texts = [(block.text, block.links)] if isinstance(block, Prose) else []
        if isinstance(block, Table):
            texts = [(cell.text, cell.links) for row in (block.header, *block.rows) for cell in row]
        for text, links in texts:
            for link in links:
                page = link.target.rpartition("/")[2]
                is_whole = link.text.strip(" .。") == text.strip(" .。")
                is_name = len(link.text) <= SHORT and base.names.find(link.text, _NAMED) is None
                thing = base.linked([link], _NAMED)
                if thing and is_name and (is_whole or page.startswith("concept-")):
                    proposal.vote("names", thing, link.text)


def _learn_inflections(document: Document, proposal: Proposal) -> None:
    """Learn other forms of the targets' names: as many words, each with another ending."""
    sentences = [sentence.split() for sentence in _sentences(document)]
    for thing, forms in proposal.lexicon().get("names", {}).items():
        for form in forms if kind_of(thing) == "target" else ():
            wanted = form.casefold().split()
            if len(form) < SHORTEST_INFLECTED or len(wanted) > 6:
                continue
            for words in sentences:
                for start in range(len(words) - len(wanted) + 1):
                    found = [word.strip(_MARKS) for word in words[start : start + len(wanted)]]
                    if all(map(_is_inflected, found, wanted)):
                        proposal.vote("names", thing, " ".join(found))


def _is_inflected(word: str, known: str) -> bool:
    """Tell whether a word is another, or has another ending of up to four letters."""
    word = word.casefold()
    if word == known:
        return True
    stem = max(len(known) - 2, 4)
    return word.isalpha() and word[:stem] == known[:stem] and len(word) - stem <= 4


def _sentences(document: Document) -> list[str]:
    return [
        normal(sentence)
        for block in document.blocks
        if isinstance(block, Prose)
        for sentence, _ in split(block.text)
    ]


def _learn_sentences(block: Prose, part: Part, known: Part, builder: cue_making.Builder) -> None:
    texts = [sentence for sentence, _ in split(block.text)]
    for i, j in align_sentences(part.sentences, known.sentences):
        for name in known.sentences[j].states:
            builder.add(name, normal(texts[i]))
