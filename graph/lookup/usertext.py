"""Check texts that users send: what can be looked up, what can be read."""

from __future__ import annotations

from compute_atlas.graph.errors import InvalidValue
from compute_atlas.graph.lookup.folding import is_blank

LONGEST_QUERY = 512
LONGEST_PAGE = 1_000_000


def checked_query(query: str | None, parameter: str = "q") -> str:
    """Return the query. Raises InvalidValue if it is missing, blank, too long or cannot be text."""
    mend = f"give a term to look up, up to {LONGEST_QUERY} characters"
    if query is None:
        raise InvalidValue(parameter, "", "it is missing", mend)
    return _checked(query, parameter, LONGEST_QUERY, mend)


def checked_text(text: str, parameter: str) -> str:
    """Return the text. Raises InvalidValue for control characters and for halves of surrogate pairs."""
    for position, character in enumerate(text):
        code = ord(character)
        if (code < 0x20 and character not in "\t\n\r\f\v") or (0x7F <= code < 0xA0 and code != 0x85):
            what, mend = "a control character", "take it out"
        elif 0xD800 <= code < 0xE000:
            what, mend = "half of a surrogate pair", "send whole characters"
        else:
            continue
        raise InvalidValue(parameter, text, f"U+{code:04X} at position {position} is {what}", mend)
    return text


def checked_page(text: str, parameter: str = "text") -> str:
    """Return a page's text. Raises InvalidValue if it is blank, too long or cannot be text."""
    mend = f"give the text of a page, up to {LONGEST_PAGE} characters"
    return _checked(text, parameter, LONGEST_PAGE, mend)


def _checked(text: str, parameter: str, longest: int, mend: str) -> str:
    if is_blank(text):
        raise InvalidValue(parameter, text, "it is blank", mend)
    if len(text) > longest:
        raise InvalidValue(parameter, text, f"it has {len(text)} characters", mend)
    return checked_text(text, parameter)
