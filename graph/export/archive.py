"""ZIP archives as a stream of bytes that depend on nothing but the content.

Entries are stored as they are: compressors of another version would give other bytes. Their sizes stand
before them, as some readers want them there, so each entry is made twice instead of being kept.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from compute_atlas.graph.errors import AtlasError

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_VERSION = 20
_UTF8_NAMES = 0x0800
_STORED = 0
_TIME, _DAY = 0, (1 << 5) | 1  # 1 January 1980, the first day that the format knows
_LARGEST = 2**32 - 1


@dataclass(frozen=True)
class Entry:
    """A file in an archive: its name and what makes its content, the same each time."""

    name: str
    content: Callable[[], Iterator[bytes]]


class TooLarge(AtlasError):
    """The archive would be larger than its format allows."""

    def __init__(self) -> None:
        super().__init__(
            "the tables are larger than 4 GiB, which is more than a ZIP file holds; export a part"
        )


def archive(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yield an archive of the entries. Raises TooLarge."""
    place = 0
    directory = b""
    count = 0
    for entry in entries:
        size, checksum = _measure(entry)
        name = entry.name.encode()
        if place + size > _LARGEST:
            raise TooLarge
        facts = (_UTF8_NAMES, _STORED, _TIME, _DAY, checksum, size, size, len(name), 0)
        head = _LOCAL.pack(b"PK\3\4", _VERSION, *facts) + name
        directory += _CENTRAL.pack(b"PK\1\2", _VERSION, _VERSION, *facts, 0, 0, 0, 0, place) + name
        yield head
        yield from entry.content()
        place += len(head) + size
        count += 1
    yield directory
    yield _END.pack(b"PK\5\6", 0, 0, count, count, len(directory), place, 0)


def _measure(entry: Entry) -> tuple[int, int]:
    size, checksum = 0, 0
    for part in entry.content():
        size += len(part)
        checksum = zlib.crc32(part, checksum)
    return size, checksum
