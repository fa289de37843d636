"""The web server: granian with some processes, each with many threads; ends with its parent."""

from __future__ import annotations

import gc
import logging
import os
import sys

import flask
from compute_atlas.queries.worker import die_with_parent
from compute_atlas.server.app import create_app
from compute_atlas.server.settings import read_settings
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server import Server

# A health check must not wait while each of many threads uses up Python's usual 5 ms.
_SWITCH_INTERVAL_S = 0.0005
_COLLECT_AFTER = 20_000


def worker_app() -> flask.Flask:
    """Return the application of one web process."""
    die_with_parent(os.getppid())
    logging.basicConfig(format="compute-atlas: %(levelname)s %(name)s: %(message)s")
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    app = create_app()
    gc.collect()
    gc.freeze()  # what is there now stays: a collection that looked through it would hold up every thread
    gc.set_threshold(_COLLECT_AFTER)  # requests leave no cycles behind
    return app


def main(parent: int) -> None:
    """Serve HTTP until told to stop, or until the parent is gone."""
    die_with_parent(parent)
    settings = read_settings()
    Server(
        "compute_atlas.server.web:worker_app",
        factory=True,
        address=settings.host,
        port=settings.port,
        # WSGI, not RSGI: only there an exception in a body breaks the chunks that are under way.
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,  # a proxy speaks nothing else to us, and browsers HTTP/2 only over TLS
        workers=settings.web_workers,
        blocking_threads=settings.web_threads,
        respawn_failed_workers=True,
        log_level=LogLevels.critical,
        websockets=False,
    ).serve()


if __name__ == "__main__":
    main(int(sys.argv[1]))
