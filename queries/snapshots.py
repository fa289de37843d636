"""Where the workers of each loaded graph are, and which graph is the one to ask.

Every snapshot of the data has a number and a folder of that name, with the sockets of its workers. The number
of the current one stands in memory that all processes share, so to look costs a request nothing.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

_NUMBER = struct.Struct("<Q")


class Snapshots:
    """The snapshots in a folder; 0 is the number of none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        path = folder / "snapshot"
        with path.open("r+b" if path.exists() else "w+b") as file:
            file.truncate(_NUMBER.size)
            self._memory = mmap.mmap(file.fileno(), _NUMBER.size)

    @property
    def current(self) -> int:
        """Return the number of the snapshot to ask."""
        number: int = _NUMBER.unpack_from(self._memory)[0]
        return number

    def publish(self, number: int) -> None:
        """Let all processes ask this snapshot from now on."""
        _NUMBER.pack_into(self._memory, 0, number)

    def folders(self) -> list[Path]:
        """Return the folders of all snapshots whose workers have not ended yet."""
        return [path for path in self._folder.iterdir() if path.name.isdigit()]

    def folder(self, number: int) -> Path:
        """Return the folder with the sockets of a snapshot."""
        return self._folder / str(number)
