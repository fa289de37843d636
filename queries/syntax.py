"""Turn the engine's complaint about a query into one that names the token at fault.

The engine reports how far it looked, not where it failed: behind the longest keyword it tried. So the
query is cut behind each token: the first piece that cannot be continued ends with the token at fault.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable

from compute_atlas.queries.errors import QueryError, QuerySyntaxError, UnknownFunction
from compute_atlas.queries.tokens import Token, place, tokenize

# Longer than any keyword: the parser then never meets the end of the text while it tries one.
_PADDING = " " * 40
_POSITION = re.compile(r"error at (\d+):(\d+): expected (.*)", re.DOTALL)
# Alternatives that are a sentence and not a piece of grammar: "Duplicated variable name in SELECT".
_SENTENCE = re.compile(
    r"(?:^|, )(?:one of )?([A-Z][A-Za-z]* [a-z][^,\[\"]*|[A-Z]+ parsing failed|language tag[^,]*)"
)
_LARGEST_TEXT = 100_000

Parse = Callable[[str], str | None]
"""Parses a query; returns the engine's complaint, None if there is none."""


def explain(text: str, complaint: str, parse: Parse) -> QueryError:
    """Return the error to show for a query that the engine refused with this complaint."""
    tokens = list(tokenize(text)) if len(text) <= _LARGEST_TEXT else []
    if not tokens:
        is_empty = len(text) <= _LARGEST_TEXT
        return QuerySyntaxError("the query is empty" if is_empty else complaint, *_reported(text, complaint))
    unclosed = next((token for token in tokens if token.text in ('"', "'")), None)
    if unclosed:
        return QuerySyntaxError("the string that starts here is not closed", *place(text, unclosed.start))
    first_bad = bisect_left(tokens, True, key=lambda token: not _can_continue(text[: token.end], parse))
    reason = _sentence(complaint)
    if first_bad == len(tokens):
        offset = tokens[-1].end
        return QuerySyntaxError(reason or "the query ends too early", *place(text, offset))
    token = tokens[first_bad]
    if _is_call(tokens, first_bad):
        return UnknownFunction(f'"{token.text}"')
    return QuerySyntaxError(reason or f'"{_shown(token)}" cannot stand here', *place(text, token.start))


def _can_continue(text: str, parse: Parse) -> bool:
    """Say whether more text could make the piece a query: the parser then got to its very end."""
    complaint = parse(text + _PADDING)
    if complaint is None:
        return True
    found = _POSITION.match(complaint)
    line, column, _ = place(text + _PADDING, len(text) + len(_PADDING))
    return found is not None and (int(found[1]), int(found[2])) == (line, column)


def _is_call(tokens: list[Token], number: int) -> bool:
    following = tokens[number + 1 : number + 2]
    return number > 0 and tokens[number].kind == "word" and bool(following) and following[0].text == "("


def _sentence(complaint: str) -> str | None:
    found = _POSITION.match(complaint)
    sentence = _SENTENCE.search(found[3] if found else complaint)
    return sentence[1].strip() if sentence else None


def _reported(text: str, complaint: str) -> tuple[int, int, str]:
    found = _POSITION.match(complaint)
    lines = text.splitlines() or [""]
    line, column = (int(found[1]), int(found[2])) if found else (1, 1)
    return line, column, lines[min(line, len(lines)) - 1]


def _shown(token: Token) -> str:
    return token.text if len(token.text) <= 60 else token.text[:57] + "…"
