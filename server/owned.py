"""Query workers of their own for an application that some other WSGI server runs."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from compute_atlas.graph.errors import AtlasError
from compute_atlas.queries.snapshots import Snapshots
from compute_atlas.server.keepers import CannotStart
from compute_atlas.server.service import make_socket_dir, run_service
from compute_atlas.server.settings import Settings, read_settings, to_environment

_CHECK_S = 0.02


def start_owner(settings: Settings) -> Settings:
    """Start the process that owns the workers and return the settings that lead to it.

    It ends when its standard input is closed, and so with this process. Raises CannotStart.
    """
    settings = replace(settings, socket_dir=make_socket_dir())
    command = [sys.executable, "-m", "compute_atlas.server.owned"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, env=os.environ | to_environment(settings))
    atexit.register(stop, process)
    snapshots = Snapshots(Path(settings.socket_dir))
    while process.poll() is None:
        if snapshots.current:
            return settings
        time.sleep(_CHECK_S)
    raise CannotStart("the query workers could not be started; the lines above say why")


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the owner and its workers."""
    if process.stdin:
        process.stdin.close()
    process.terminate()
    process.wait()


def main() -> int:
    """Own the workers until standard input is closed."""

    def say(line: str) -> None:
        sys.stderr.write(f"compute-atlas: {line}\n")

    try:
        return run_service(read_settings(), with_web=False, say=say)
    except AtlasError as error:
        say(str(error))
        return 1


if __name__ == "__main__":
    sys.exit(main())
