"""Signals as something to wait for: each makes a descriptor readable, and one `select` waits for all."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping


def wake_up_on(handlers: Mapping[signal.Signals, Callable[[], None]]) -> int:
    """Call the handlers on their signals; return a descriptor that is readable after any, and SIGCHLD."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    for known in handlers:
        signal.signal(known, lambda number, frame: handlers[signal.Signals(number)]())
    return reading


def ended_children() -> list[tuple[int, int]]:
    """Return pid and status of each child that has ended since the last call."""
    ended: list[tuple[int, int]] = []
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if not pid:
            return ended
        ended.append((pid, status))
