"""Text that every format can hold, and how to write it in XML."""

from __future__ import annotations

import re

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
# Some readers make a line's end of each of these.
_ESCAPES |= {sign: f"&#{ord(sign)};" for sign in "\r\x85\u2028"}
# Readers make blanks of these in attributes.
_ATTRIBUTE_ESCAPES = {**_ESCAPES, "\n": "&#10;", "\t": "&#9;"}
_SPECIAL = re.compile(f"[{''.join(_ESCAPES)}]")
_ATTRIBUTE_SPECIAL = re.compile(f"[{''.join(_ATTRIBUTE_ESCAPES)}]")


def clean(text: str) -> str:
    """Return the text with U+FFFD for each character that XML cannot hold, the same for all formats."""
    return _ILLEGAL.sub("\ufffd", text)


def xml_text(value: object) -> str:
    """Return a value without characters that XML cannot hold as the content of an element."""
    return _SPECIAL.sub(lambda found: _ESCAPES[found.group()], str(value))


def xml_attribute(value: object) -> str:
    """Return such a value as an attribute, with its quotes."""
    escaped = _ATTRIBUTE_SPECIAL.sub(lambda found: _ATTRIBUTE_ESCAPES[found.group()], str(value))
    return f'"{escaped}"'
