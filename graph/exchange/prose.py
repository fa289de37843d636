"""Turn the terms of a language into rules for checkers of prose: Vale and prh (textlint)."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import ahocorasick
from compute_atlas.graph.languages import fits
from compute_atlas.graph.lookup.index import Index
from compute_atlas.graph.lookup.labels import Thing
from compute_atlas.graph.lookup.preferred import kept_name, preferred_name
from compute_atlas.graph.lookup.wordings import Wordings
from rapidfuzz import fuzz

STYLE = "ComputeAtlas"

# More than any other name of a thing can have: the preferred wording is the main one.
_OFTEN = 1_000_000
_LATIN = "0-9A-Za-z_À-ɏ"
_KATAKANA = "ァ-ヺー"
_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}/]")
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")
_EARLIEST_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, order=True)
class Rule:
    """A form that should be another; an error if it is garbled or an alias of an identifier.

    `inside` lists what stands before and after the form within right names, where it is no finding.
    """

    wrong: str
    right: str
    is_error: bool
    inside: tuple[tuple[str, str], ...] = ()

    @property
    def pattern(self) -> str:
        """Return a regular expression for the form alone, as JavaScript and .NET read it.

        Word boundaries are written out: those of the languages know no Japanese.
        """
        guards = "".join(
            f"(?!{f'(?<={_quoted(before)})' if before else ''}{_quoted(self.wrong + after)})"
            for before, after in self.inside
        )
        return _edge(self.wrong[0], "(?<!") + guards + _quoted(self.wrong) + _edge(self.wrong[-1], "(?!")


def find_rules(index: Index, lang: str) -> list[Rule]:
    """Return the rules of one of the index's languages, sorted; no form stands in two of them.

    Wrong are: a thing's names in other words than its preferred name, aliases of identifiers, garbled
    forms. A form that is a right name of anything, or could be mended in two ways, is never wrong.
    """
    wordings = Wordings(index, lang)
    wrong: dict[str, Rule] = {}
    right: set[str] = set()
    for thing in index.things.values():
        if not thing.is_apart:
            names = _names(thing, lang)
            rules = [
                variant
                for rule in _rules_of(thing, lang, names, wordings)
                for variant in _in_both_cases(rule)
            ]
            for rule in rules:
                if wrong.setdefault(rule.wrong, rule).right != rule.right:
                    right.add(rule.wrong)  # it may mean either of two things
            right |= {name for name in names if not any(rule.wrong in name for rule in rules)}
    forms = wrong.keys() - right
    inside = _contexts(forms, right)
    return sorted(replace(wrong[form], inside=inside[form]) for form in forms)


def prh_rules(index: Index, lang: str) -> str:
    """Return a prh file; each rule carries a specimen, which prh tries when it reads the file."""
    lines = ["version: 1", "rules:"]
    for rule in find_rules(index, lang):
        lines += [
            f"  - expected: {_yaml(rule.right)}",
            f"    pattern: {_yaml(f'/{rule.pattern}/')}",
            f"    specs:\n      - from: {_yaml(rule.wrong)}\n        to: {_yaml(rule.right)}",
        ]
    return "\n".join(lines if len(lines) > 2 else ["version: 1", "rules: []"]) + "\n"


def vale_package(index: Index, lang: str) -> bytes:
    """Return a package for Vale (zip): configuration, vocabulary, a style. Same terms, same bytes."""
    rules = find_rules(index, lang)
    styles = f"{STYLE}/styles"
    vocabulary = "".join(f"{entry}\n" for entry in _vocabulary(index, lang, rules))
    files = {
        f"{STYLE}/.vale.ini": f"StylesPath = styles\nVocab = {STYLE}\n\n[*]\nBasedOnStyles = {STYLE}\n",
        f"{styles}/config/vocabularies/{STYLE}/accept.txt": vocabulary,
        f"{styles}/{STYLE}/Forms.yml": _vale_style(
            (rule for rule in rules if rule.is_error), "error", "“%s” is the right form of “%s”."
        ),
        f"{styles}/{STYLE}/Terms.yml": _vale_style(
            (rule for rule in rules if not rule.is_error), "warning", "The term is “%s”, not “%s”."
        ),
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in sorted(files.items()):
            package.writestr(zipfile.ZipInfo(name, _EARLIEST_ZIP_DATE), text.encode())
    return content.getvalue()


def _names(thing: Thing, lang: str) -> dict[str, str]:
    """Return the names of a thing in a language with their kinds, the best first; no garbled ones."""
    names: dict[str, str] = {}
    for label in thing.labels:
        if label.lang and fits(label.lang, lang) and label.kind != "hiddenLabel":
            names.setdefault(label.value, label.kind)
    return names


def _rules_of(thing: Thing, lang: str, names: Mapping[str, str], wordings: Wordings) -> Iterator[Rule]:
    preferred = preferred_name(thing, lang)
    if preferred is None:
        return
    right = kept_name(thing, lang) or preferred
    main, rivals = wordings.rivals(dict.fromkeys(names, 1) | {right: _OFTEN}, right)
    for wrong in sorted(rivals):
        # Its shorter forms are found inside it.
        if not any(other.lower() in wrong.lower() and other.lower() != wrong.lower() for other in rivals):
            yield Rule(wrong, _nearest(wrong, main.values, right), thing.is_identifier)
    for label in thing.labels:
        if label.kind == "hiddenLabel" and label.lang and fits(label.lang, lang):
            yield Rule(label.value, _nearest(label.value, main.values, right), is_error=True)


def _nearest(text: str, names: Iterable[str], right: str) -> str:
    """Return the name that shares most words with a text, as a plural does, else the right one."""
    words = Counter(text.lower().split())

    def likeness(name: str) -> tuple[int, bool, float]:
        shared = sum((Counter(name.lower().split()) & words).values())
        return shared, name == right, fuzz.ratio(name.lower(), text.lower())

    nearest = max(sorted(names), key=likeness)
    return nearest[0].upper() + nearest[1:] if text[0].isupper() else nearest


def _in_both_cases(rule: Rule) -> Iterator[Rule]:
    """Yield a rule and, unless the form is a name, one for the other case of its first letter."""
    yield rule
    (first, rest), (begin, end) = _split(rule.wrong), _split(rule.right)
    if first.islower():
        yield Rule(first.upper() + rest, begin.upper() + end, rule.is_error)
    elif first.isupper() and rest == rest.lower() and begin != begin.swapcase():
        yield Rule(first.lower() + rest, begin.lower() + end, rule.is_error)


def _split(text: str) -> tuple[str, str]:
    return text[0], text[1:]


def _contexts(forms: Collection[str], names: Iterable[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return for each form what stands around it inside right names: the least that tells them."""
    found: dict[str, set[tuple[str, str]]] = {form: set() for form in forms}
    automaton = ahocorasick.Automaton()
    for form in forms:
        automaton.add_word(form, form)
    automaton.make_automaton()
    for name in names if forms else ():
        for last, form in automaton.iter(name):
            found[form].add((name[: last + 1 - len(form)], name[last + 1 :]))
    return {form: tuple(sorted(_least(around))) for form, around in found.items()}


def _least(around: set[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield those that no shorter one makes needless."""
    for before, after in around:
        others = around - {(before, after)}
        if not any(before.endswith(other[0]) and after.startswith(other[1]) for other in others):
            yield before, after


def _vocabulary(index: Index, lang: str, rules: Iterable[Rule]) -> list[str]:
    """Return the right names as expressions, sorted: names exactly, terms without capitals in any case."""
    wrong = {rule.wrong for rule in rules}
    things = [thing for thing in index.things.values() if not thing.is_apart]
    names = {name for thing in things for name in _names(thing, lang)} - wrong
    return sorted(
        f"(?i){_quoted(name)}" if name == name.lower() != name.upper() else _quoted(name) for name in names
    )


def _vale_style(rules: Iterable[Rule], level: str, message: str) -> str:
    lines = [
        "extends: substitution",
        f"message: {_yaml(message)}",
        f"level: {level}",
        "ignorecase: false",
        # The boundaries stand in the expressions, as Vale's own know no Japanese.
        "nonword: true",
        "action:\n  name: replace",
    ]
    swaps = [f"  {_yaml(rule.pattern)}: {_yaml(rule.right)}" for rule in rules]
    return "\n".join([*lines, *(["swap:", *swaps] if swaps else ["swap: {}"])]) + "\n"


def _quoted(text: str) -> str:
    """Return an expression for a text, whatever blanks stand in it."""
    return re.sub(r"\s+", r"\\s+", _SPECIAL.sub(r"\\\g<0>", text))


def _edge(character: str, opening: str) -> str:
    """Return what keeps a form from being part of a longer word of the same script."""
    for script in (_LATIN, _KATAKANA):
        if re.match(f"[{script}]", character):
            return f"{opening}[{script}])"
    return ""


def _yaml(text: str) -> str:
    """Return a scalar of YAML."""
    return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
