"""Ids of queries: whoever knows one may stop the query, so nobody can guess them."""

from __future__ import annotations

import os
from base64 import urlsafe_b64encode
from collections import deque

# Eighteen bytes of chance are 24 characters.
_BYTES, _CHARACTERS = 18, 24
# Every call to the system lets another thread of the process run first, which costs more than the call.
_MADE_AT_ONCE = 256

_ready: deque[str] = deque()


def new_id() -> str:
    """Return an id of letters, digits, `-` and `_`."""
    try:
        return _ready.pop()
    except IndexError:
        text = urlsafe_b64encode(os.urandom(_BYTES * _MADE_AT_ONCE)).decode()
        first, *others = (text[start : start + _CHARACTERS] for start in range(0, len(text), _CHARACTERS))
        _ready.extend(others)
        return first
