"""Read the pages and queries that a command is given as files: their texts, and a page's markup."""

from __future__ import annotations

import sys
from pathlib import Path

from compute_atlas.graph.errors import UnreadableFile

_MARKUPS = {".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html", ".xhtml": "html"}


def read_page(name: str) -> str:
    """Return the text of a file, of standard input for `-`. Raises UnreadableFile."""
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except FileNotFoundError:
        raise UnreadableFile(name, "there is no such file", "check the name") from None
    except OSError as error:
        reason = f"it cannot be read ({error.strerror})"
        raise UnreadableFile(name, reason, "check the file and its rights") from None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableFile(name, "it is not UTF-8", "save it as UTF-8", line) from None


def read_query(query: str) -> str:
    """Return the text of a query that may be given as a file, or by standard input. Raises UnreadableFile."""
    is_file = query == "-" or query.endswith(".rq")
    return read_page(query).removeprefix("\ufeff") if is_file else query


def markup_of(name: str) -> str:
    """Return the markup that a file's ending tells."""
    return _MARKUPS.get(Path(name).suffix.lower(), "plain")
