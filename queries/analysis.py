"""Find out about a query, before it is evaluated, what its evaluation and its answer depend on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from compute_atlas.ontology.names import PREFIXES
from compute_atlas.queries.errors import QueryTooComplex, ServiceForbidden, UndeclaredPrefix
from compute_atlas.queries.tokens import Token, blank, place, tokenize, unescape

SELECT, ASK, CONSTRUCT, DESCRIBE = FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
UPDATES = ("INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH")
VOLATILE = {"NOW", "RAND", "UUID", "STRUUID", "BNODE"}
# The engine's parser calls itself once a level and ends the process at some thousand.
DEEPEST_NESTING = 400
BYTE_ORDER_MARK = "\ufeff"
_OPENING, _CLOSING = set("([{"), set(")]}")
# What makes a closer look necessary, even as a part of another word.
_REMARKABLE = ("SERVICE", "FROM", *sorted(VOLATILE - {"STRUUID"}))
_DECLARATION = r"PREFIX\s+((?:[^\W\d_][\w.\-·]*+)?+):\s*+<>\s*+"
_PLAIN_START = re.compile(rf"\s*+(?:{_DECLARATION})*+([A-Z]++)", re.IGNORECASE)
_DECLARED = re.compile(_DECLARATION, re.IGNORECASE)
_PREFIX = re.compile(r"(?<![\w.\-·])([\w.\-·]*+):")


@dataclass(frozen=True)
class Analysis:
    """What the text of a query says about itself. `form` is None where it starts like no query.

    `default_graphs` and `named_graphs` are what FROM and FROM NAMED select, both None without either.
    """

    text: str
    form: str | None
    prefixes: tuple[tuple[str, str], ...]
    default_graphs: tuple[str, ...] | None
    named_graphs: tuple[str, ...] | None
    is_volatile: bool

    @property
    def is_graph(self) -> bool:
        """Say whether the answer is a graph and not a table or a truth value."""
        return self.form in (CONSTRUCT, DESCRIBE)

    @property
    def is_update(self) -> bool:
        """Say whether the text starts like an update."""
        return self.form in UPDATES


def analyse(text: str, base: str = "") -> Analysis:
    """Return what the query says about itself; relative IRIs resolve against `base`.

    Raises ServiceForbidden, UndeclaredPrefix, QueryTooComplex.
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    return _glance(text) or _look(text, base)


def _glance(text: str) -> Analysis | None:
    """Return what a query without anything remarkable says about itself, else None.

    Tokenising costs more than most queries take to be answered; this costs a tenth of it.
    """
    bare = blank(text)
    if bare is None or bare.count("(") + bare.count("[") + bare.count("{") > DEEPEST_NESTING:
        return None
    upper = bare.upper()
    start = _PLAIN_START.match(bare)
    if start is None or any(word in upper for word in _REMARKABLE):
        return None
    form = next((form for form in FORMS if start[2].upper().startswith(form)), None)
    declared = set(_DECLARED.findall(bare, 0, start.start(2)))
    used = [
        prefix for prefix in dict.fromkeys(_PREFIX.findall(bare, start.start(2))) if prefix not in declared
    ]
    if form is None or not PREFIXES.keys() >= set(used):
        return None
    if form == CONSTRUCT and any(mark in bare for mark in ("_:", "[", "(")):
        return None
    return Analysis(text, form, tuple((prefix, PREFIXES[prefix]) for prefix in used), None, None, False)


def _look(text: str, base: str) -> Analysis:
    tokens = list(tokenize(text))
    _refuse_service(tokens)
    _refuse_deep_nesting(tokens)
    body, declared, base = _read_prologue(tokens, base)
    used = _used_prefixes(text, tokens, declared)
    default, named = _dataset(body, {**PREFIXES, **declared}, base)
    words = {token.text.upper() for token in body if token.kind == "word"}
    is_volatile = not VOLATILE.isdisjoint(words) or _makes_blank_nodes(body)
    return Analysis(text, _form(body), used, default, named, is_volatile)


def _makes_blank_nodes(body: list[Token]) -> bool:
    """Say whether the template of a CONSTRUCT makes blank nodes, whose labels are new each time."""
    if _form(body) != CONSTRUCT:
        return False
    depth = 0
    for token in body:
        if token.kind == "blank" or token.text in ("[", "("):
            return True
        depth += (token.text == "{") - (token.text == "}")
        if token.text == "}" and depth == 0:
            return False
    return False


def _refuse_service(tokens: list[Token]) -> None:
    """Raise ServiceForbidden for each way to write the keyword that the engine understands.

    It also reads `trueSERVICE <x> {` and, with a declared empty prefix, `SERVICE:x {`.
    """
    for number, token in enumerate(tokens):
        if token.kind == "word" and "SERVICE" in token.text.upper():
            raise ServiceForbidden
        if token.kind == "prefixed" and token.prefix.upper().endswith("SERVICE"):
            before, after = tokens[number - 1].text.upper() if number else "", tokens[number + 1 : number + 2]
            if after and after[0].text == "{" and before not in ("GRAPH", "FROM", "NAMED"):
                raise ServiceForbidden


def _refuse_deep_nesting(tokens: list[Token]) -> None:
    depth = 0
    for token in tokens:
        if token.text in _OPENING:
            depth += 1
            if depth > DEEPEST_NESTING:
                raise QueryTooComplex(f"it is nested more than {DEEPEST_NESTING} levels deep")
        elif token.text in _CLOSING:
            depth -= 1


def _read_prologue(tokens: list[Token], base: str) -> tuple[list[Token], dict[str, str], str]:
    """Return the tokens behind the prologue, the declared prefixes and the base IRI."""
    declared: dict[str, str] = {}
    position = 0
    while position < len(tokens):
        keyword = tokens[position].text.upper()
        kinds = [token.kind for token in tokens[position + 1 : position + 3]]
        if keyword == "PREFIX" and kinds == ["prefixed", "iri"]:
            declared[tokens[position + 1].prefix] = _resolve(tokens[position + 2], {}, base)
            position += 3
        elif keyword == "BASE" and kinds[:1] == ["iri"]:
            base = _resolve(tokens[position + 1], {}, base)
            position += 2
        elif keyword == "VERSION" and kinds[:1] == ["string"]:
            position += 2
        else:
            break
    return tokens[position:], declared, base


def _form(body: list[Token]) -> str | None:
    """Return the keyword the query starts with; `SELECT*` and even `SELECTDISTINCT` are read as SELECT."""
    first = body[0].text.upper() if body else ""
    return next((form for form in FORMS + UPDATES if first.startswith(form)), None)


def _used_prefixes(text: str, tokens: list[Token], declared: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the prefixes of the vocabulary that the query uses without declaring them."""
    used: dict[str, str] = {}
    before = ""
    for token in tokens:
        # Behind PREFIX or a stray "<" stands a mistake that the engine will explain better.
        if (
            token.kind == "prefixed"
            and token.prefix not in declared
            and before.upper() not in ("PREFIX", "<")
        ):
            if token.prefix not in PREFIXES:
                raise UndeclaredPrefix(token.prefix, *place(text, token.start))
            used[token.prefix] = PREFIXES[token.prefix]
        before = token.text
    return tuple(used.items())


def _dataset(
    body: list[Token], prefixes: Mapping[str, str], base: str
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    default: list[str] = []
    named: list[str] = []
    found = False
    for number, token in enumerate(body):
        if token.kind == "word" and token.text.upper().endswith("FROM"):
            is_named = [after.text.upper() for after in body[number + 1 : number + 2]] == ["NAMED"]
            graph = body[number + 1 + is_named : number + 2 + is_named]
            if graph and graph[0].kind in ("iri", "prefixed"):
                (named if is_named else default).append(_resolve(graph[0], prefixes, base))
                found = True
    return (tuple(default), tuple(named)) if found else (None, None)


def _resolve(token: Token, prefixes: Mapping[str, str], base: str) -> str:
    if token.kind == "prefixed":
        return prefixes.get(token.prefix, "") + token.local
    iri = unescape(token.text[1:-1])
    return iri if urlsplit(iri).scheme else urljoin(base, iri)
