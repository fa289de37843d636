"""Put the prefixes at the head of an RDF document into order, so that the same graph gives the same bytes."""

from __future__ import annotations

import re
from typing import Protocol


class Output(Protocol):
    """Where a document is written to."""

    def write(self, data: bytes, /) -> int:
        """Take some bytes; return how many."""

    def flush(self) -> None:
        """Do nothing."""


class SortedPrefixes:
    """Passes a document on; of its head, the prefixes are held back until all are there, and sorted.

    The engine writes them in an order that changes from process to process.
    """

    _turtle = re.compile(rb"()((?:@prefix [^\n]*\n)*)(?!@|\Z)")
    _xml = re.compile(rb"(<\?xml[^>]*>\s*<rdf:RDF)((?: [^\s=>]+=\"[^\"]*\")*)(?=>)")

    _attribute = re.compile(rb" [^\s=]+=\"[^\"]*\"")

    def __init__(self, output: Output) -> None:
        self._output = output
        self._head: bytes | None = b""

    def write(self, data: bytes, /) -> int:
        """Pass the bytes on as soon as the head is complete."""
        if self._head is None:
            return self._output.write(data)
        self._head += data
        ordered = self._order(self._head)
        if ordered is not None:
            self._output.write(ordered)
            self._head = None
        return len(data)

    def flush(self) -> None:
        """Pass on a document that ended within its head."""
        if self._head is not None:
            self._output.write(b"".join(sorted(self._head.splitlines(keepends=True))))
            self._head = None
        self._output.flush()

    def _order(self, text: bytes) -> bytes | None:
        """Return the text with its prefixes sorted, None if it may still be within them."""
        is_xml = text.startswith(b"<?xml")
        found = self._xml.match(text) if is_xml else self._turtle.match(text)
        if not found:
            return None
        prefixes = self._attribute.findall(found[2]) if is_xml else found[2].splitlines(keepends=True)
        return found[1] + b"".join(sorted(prefixes)) + text[found.end() :]
