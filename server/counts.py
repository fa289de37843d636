"""Numbers about requests; each web process adds to a file of its own and reads those of the others."""

from __future__ import annotations

import mmap
import secrets
import struct
from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from threading import Lock

OUTCOMES = ("answered", "cached", "unchanged", "refused", "failed", "unavailable", "broken", "left")
# Upper bounds in seconds; what takes longer is counted in the total only.
BUCKETS_S = (0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0)
_PREFIX = "web-"
_SECONDS, _BYTES = len(OUTCOMES) + len(BUCKETS_S), len(OUTCOMES) + len(BUCKETS_S) + 1
_PLACES = {outcome: place for place, outcome in enumerate(OUTCOMES)}
_CACHED = _PLACES["cached"]
_NUMBERS = struct.Struct(f"<{len(OUTCOMES) + len(BUCKETS_S) + 2}d")


@dataclass(frozen=True)
class Totals:
    """What all web processes together have counted since the service was started."""

    requests: dict[str, int]
    within_s: dict[float, int]
    seconds: float
    sent_bytes: int


class Counts:
    """The numbers of this process. `within_s` and `seconds` leave out what came from the cache."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        with (folder / f"{_PREFIX}{secrets.token_hex(8)}").open("w+b") as file:
            file.truncate(_NUMBERS.size)
            self._numbers = memoryview(mmap.mmap(file.fileno(), _NUMBERS.size)).cast("d")

    def add_cached(self, sent_bytes: int) -> None:
        """Count a request that was answered from the cache."""
        with self._lock:
            self._numbers[_CACHED] += 1
            self._numbers[_BYTES] += sent_bytes

    def add(self, outcome: str, duration_s: float, sent_bytes: int) -> None:
        """Count any other request."""
        with self._lock:
            self._numbers[_PLACES[outcome]] += 1
            self._numbers[_BYTES] += sent_bytes
            self._numbers[_SECONDS] += duration_s
            bucket = bisect_left(BUCKETS_S, duration_s)
            if bucket < len(BUCKETS_S):
                self._numbers[len(OUTCOMES) + bucket] += 1

    def totals(self) -> Totals:
        """Return the sums over all processes, those that have ended included."""
        files = [path.read_bytes() for path in self._folder.glob(f"{_PREFIX}*")]
        sums = [sum(column) for column in zip(*map(_NUMBERS.unpack, files), strict=True)]
        outcomes = dict(zip(OUTCOMES, map(int, sums), strict=False))
        within_s = dict(zip(BUCKETS_S, accumulate(map(int, sums[len(OUTCOMES) :])), strict=False))
        return Totals(outcomes, within_s, sums[_SECONDS], int(sums[_BYTES]))
