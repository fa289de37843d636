"""Find the graph's things in a text by the names they have in one language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from compute_atlas.graph.files import read_graph
from compute_atlas.ontology import files
from compute_atlas.ontology.names import BASE, SKOS, identifier
from pyoxigraph import Literal, NamedNode, Quad

_QUOTES = re.compile(r"[\"“”„«»]")
_APOSTROPHES = re.compile(r"[’‘ʼ＇]")
_ZERO_WIDTH = re.compile("[\u200b\u200c\u200d\u2060\ufeff\u00ad]")
_EDGE_MARKS = " .。:：;,、|"
_BLANKS = re.compile(r"[\s_\u2010-\u2015-]+")
_LABELS = tuple(f"{SKOS}{name}" for name in ("prefLabel", "altLabel", "hiddenLabel"))
_NOTATION = f"{SKOS}notation"
# Names of these kinds are identifiers: their case counts ("M" is a series, "m" is not).
_IDENTIFIERS = ("series", "size")


@dataclass(frozen=True)
class Mention:
    """A thing's name in a text, end exclusive."""

    id: str
    start: int
    end: int


def normal(text: str) -> str:
    """Return the text as names and cues are matched in it: width, quotes and blanks made uniform."""
    text = unicodedata.normalize("NFKC", _ZERO_WIDTH.sub("", _APOSTROPHES.sub("'", text)))
    return re.sub(r"\s+", " ", _QUOTES.sub("", text)).strip()


def fold(text: str) -> str:
    """Return the key under which a whole name is found: no case, no blanks, no marks at its ends."""
    return _BLANKS.sub("", normal(text).strip(_EDGE_MARKS)).casefold()


class Names:
    """The names of things in one language, each with the one thing or the several that bear it."""

    def __init__(
        self,
        names: Iterable[tuple[str, str]],
        preferred: dict[str, str],
        garbled: Iterable[tuple[str, str]] = (),
        members: dict[str, list[str]] | None = None,
    ):
        self._by_key: dict[str, set[str]] = {}
        self._forms: dict[str, set[str]] = {}
        self._preferred = preferred
        self._members = members or {}
        self._garbled = {(normal(form), thing) for form, thing in garbled}
        for form, thing in names:
            self._by_key.setdefault(fold(form), set()).add(thing)
            self._forms.setdefault(normal(form), set()).add(thing)
        self._scanner = _scanner(self._forms)

    def find(self, text: str, kinds: Collection[str]) -> str | None:
        """Return the one thing of these kinds that the whole text names, None if there is none or two."""
        found = {thing for thing in self._by_key.get(fold(text), ()) if kind_of(thing) in kinds}
        return found.pop() if len(found) == 1 else None

    def find_longer(self, text: str) -> str | None:
        """Return the one series whose name goes on after the series that a text begins with ("NC").

        A guess for a name whose second word was translated.
        """
        first, _, rest = normal(text).partition(" ")
        if not rest or self.find(first, ["series"]) is None:
            return None
        longer = {
            thing
            for form, things in self._forms.items()
            for thing in things
            if kind_of(thing) == "series" and form.startswith(f"{first} ")
        }
        return longer.pop() if len(longer) == 1 else None

    def is_garbled(self, text: str, thing: str) -> bool:
        """Tell whether a name as written is one that the files list as a damaged form of the thing's name."""
        return (normal(text), thing) in self._garbled

    def mentions(self, text: str, kinds: Collection[str]) -> list[Mention]:
        """Return where a normal text names things of these kinds, the longest first, none inside another."""
        found = []
        for match in self._scanner.finditer(text):
            named = self._by_key.get(fold(match[0]), set())
            things = named.union(*(self._members.get(thing, ()) for thing in named))
            things = {
                thing for thing in things if kind_of(thing) in kinds and self._case_fits(match[0], thing)
            }
            found += [Mention(thing, match.start(), match.end()) for thing in sorted(things)]
        return found

    def alternatives(self, kind: str) -> str:
        """Return a regular expression's source for any name of this kind."""
        forms = (form for form, things in self._forms.items() if kind in {kind_of(thing) for thing in things})
        return _alternatives(forms)

    def is_preferred(self, text: str, thing: str) -> bool:
        """Tell whether a name as written is the thing's own in this language."""
        return thing in self._preferred and fold(text) == fold(self._preferred[thing])

    def _case_fits(self, text: str, thing: str) -> bool:
        if kind_of(thing) not in _IDENTIFIERS:
            return True
        blank = re.sub(r"[\s_]+", " ", text)
        return any(
            re.sub(r"[\s_]+", " ", form) == blank for form, things in self._forms.items() if thing in things
        )


def kind_of(thing: str) -> str:
    """Return the kind of an id: `series` of `series/NCv3`; `class` or `property` of `ontology#Name`."""
    kind, _, name = thing.partition("#")
    if not name:
        return kind.partition("/")[0]
    return "class" if name[0].isupper() else "property"


def load(
    language: str, extra: dict[str, list[str]], plural: str = "", members: dict[str, list[str]] | None = None
) -> Names:
    """Return the names that the label files give things in a language, and the lexicon's extra forms.

    `plural` is an ending that makes the plural of most names, in a language that has one ("s"). `members`
    are the things for which one name stands together.
    """
    names: list[tuple[str, str]] = []
    preferred: dict[str, str] = {}
    garbled: list[tuple[str, str]] = []
    for thing, predicate, text, tag in _labelled():
        if predicate == _NOTATION or tag == language:
            names.append((text, thing))
            if predicate == _LABELS[2]:
                garbled.append(names[-1])
            if predicate in (_LABELS[0], _NOTATION):
                preferred[thing] = text
    for thing, forms in extra.items():
        names += [(form, thing) for form in forms]
        preferred.setdefault(thing, forms[0])
    if plural:
        names += [(form + plural, thing) for form, thing in names if form[-1:].islower()]
    return Names(names, preferred, garbled, members)


@cache
def _labelled() -> tuple[tuple[str, str, str, str | None], ...]:
    """Return the names in the label files: thing, predicate, name, language."""
    return tuple(
        (thing, quad.predicate.value, quad.object.value, quad.object.language)
        for path in (files.ONTOLOGY, files.THINGS, *files.labels())
        for quad in read_graph(path)
        if quad.predicate.value in (_NOTATION, *_LABELS)
        and isinstance(quad.object, Literal)
        and (thing := identifier(getattr(quad.subject, "value", "")))
    )


def label_quads() -> list[Quad]:
    """Return the names of things as quads, for those that read names from a dataset."""
    return [
        Quad(
            NamedNode(BASE + thing),
            NamedNode(predicate),
            Literal(text, language=tag) if tag else Literal(text),
        )
        for thing, predicate, text, tag in _labelled()
    ]


def english(thing: str) -> list[str]:
    """Return the English names of a thing."""
    return [text for other, _, text, tag in _labelled() if other == thing and tag == "en"]


def _scanner(forms: Collection[str]) -> re.Pattern[str]:
    return re.compile(_alternatives(forms) or r"(?!)", re.IGNORECASE)


# A name's letters as nested tables; the empty key is where a name ends.
_Trie = dict[str, "_Trie"]


def _alternatives(forms: Iterable[str]) -> str:
    """Return a regular expression's source for any of the names, the longest that fits first.

    Names that begin alike share their beginning: an alternative a name would be tried at every letter.
    """
    trie: _Trie = {}
    for form in sorted(filter(None, forms)):
        node = trie
        for atom in _atoms(form):
            node = node.setdefault(atom, {})
        node[""] = {}
    return _source(trie)


def _source(trie: _Trie) -> str:
    ordered = sorted(trie.items(), key=lambda item: _ends(*item))
    branches = [atom + _source(rest) for atom, rest in ordered]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})" if branches else ""


def _ends(atom: str, rest: _Trie) -> bool:
    """Tell whether a name ends here: longer names are tried before."""
    return not atom or (atom.startswith("(?") and list(rest) == [""])


def _atoms(form: str) -> list[str]:
    """Return what matches a name: any blanks between words, not inside a Latin word or katakana run."""
    letters = [r"[\s_]*" if part.isspace() or "_" in part else re.escape(part) for part in _parts(form)]
    return [*filter(None, (_boundary(form[0], "<"), *letters, _boundary(form[-1], "")))]


def _parts(form: str) -> list[str]:
    """Return a name's letters, small where that is one letter, and the blanks between its words."""
    parts = re.findall(r"[\s_]+|[^\s_]", form)
    return [part.lower() if len(part.lower()) == 1 else part for part in parts]


def _boundary(edge: str, side: str) -> str:
    if edge.isascii() and edge.isalnum():
        return rf"(?{side}![0-9A-Za-z_])"
    if "LATIN" in unicodedata.name(edge, ""):
        return rf"(?{side}!\w)"
    if "\u30a0" <= edge <= "\u30ff":
        return rf"(?{side}![\u30a1-\u30fa\u30fc])"
    return ""
