"""Split a SPARQL query into tokens, so that nobody has to search its text for words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Possessive repeats throughout: a literal of many megabytes must cost neither time nor memory.
_ESCAPE = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_IRI = rf"""<(?:[^<>"{{}}|^`\\\x00-\x20]|{_ESCAPE})*+>"""
_STRING = (
    r'"""[^"\\]*+(?:(?:\\.|"{1,2}(?!"))[^"\\]*+)*+"""'
    r"|'''[^'\\]*+(?:(?:\\.|'{1,2}(?!'))[^'\\]*+)*+'''"
    r'|"[^"\\\n\r]*+(?:\\.[^"\\\n\r]*+)*+"'
    r"|'[^'\\\n\r]*+(?:\\.[^'\\\n\r]*+)*+'"
)
_COMMENT = r"\#[^\n\r]*+"
_NAME = r"[^\W\d_](?:[\w\-·]|\.+(?=[\w\-·]))*+"
_LOCAL_CHARACTER = r"[\w:\-·]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%]"
_LOCAL = rf"(?:{_LOCAL_CHARACTER}|\.+(?={_LOCAL_CHARACTER}))*+"

_TOKEN = re.compile(
    rf"""
      (?P<space>   [ \t\r\n\f\v]++ | {_COMMENT} )
    | (?P<iri>     {_IRI} )
    | (?P<string>  {_STRING} )
    | (?P<variable>[?$]\w++ )
    | (?P<blank>   _:\w(?:[\w\-·]|\.+(?=[\w\-·]))*+ )
    | (?P<prefixed>(?:{_NAME})?:{_LOCAL} )
    | (?P<tag>     @[A-Za-z]++(?:-{{1,2}}[A-Za-z0-9]++)*+ )
    | (?P<word>    [^\W\d]\w*+ )
    | (?P<number>  \d++(?:\.\d++)?+(?:[eE][+-]?\d++)?+ )
    | (?P<symbol>  . )
    """,
    re.VERBOSE | re.DOTALL,
)
# What may hold any text. A backslash outside of it could hide where one of these starts.
_OPAQUE = re.compile(rf"{_STRING}|{_COMMENT}|{_IRI}")
_LINE_BREAK = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a query: its kind, its text and where it starts."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Return the offset behind the token."""
        return self.start + len(self.text)

    @property
    def prefix(self) -> str:
        """Return the part of a prefixed name before the colon."""
        return self.text.partition(":")[0]

    @property
    def local(self) -> str:
        """Return the part of a prefixed name behind the colon, escapes removed."""
        return re.sub(r"\\(.)", r"\1", self.text.partition(":")[2])


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens of a query without blanks and comments; what is no token comes as a symbol."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "symbol"
        if kind != "space":
            yield Token(kind, match.group(), match.start())


def blank(text: str) -> str | None:
    """Return the query with `<>` for each IRI, string and comment; None if only its tokens can tell."""
    return None if "\\" in text else _OPAQUE.sub("<>", text)


def unescape(text: str) -> str:
    r"""Return an IRI or a name with its \u and \U escapes decoded."""
    return re.sub(_ESCAPE, lambda match: _character(match.group()), text)


def place(text: str, offset: int) -> tuple[int, int, str]:
    """Return line and column of an offset, both from 1, and the text of that line."""
    line, start = 1, 0
    for line_break in _LINE_BREAK.finditer(text):
        if line_break.start() >= offset:
            return line, offset - start + 1, text[start : line_break.start()]
        line, start = line + 1, line_break.end()
    return line, offset - start + 1, text[start:]


def _character(escape: str) -> str:
    code = int(escape[2:], 16)
    is_character = code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else escape
