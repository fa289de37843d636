"""Every setting of the service: read once from COMPUTE_ATLAS_* variables, then passed on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from compute_atlas.graph.errors import AtlasError

PREFIX = "COMPUTE_ATLAS_"


class WrongSetting(AtlasError):
    """A variable of the environment has a value that cannot be used."""

    def __init__(self, variable: str, value: str, wanted: str):
        super().__init__(f'{variable} is "{value}"; it must be {wanted}')
        self.variable = variable


def _setting(default: Any, meaning: str, least: float = 0) -> Any:
    return field(default=default, metadata={"meaning": meaning, "least": least})


@dataclass(frozen=True)
class Settings:
    """What an operator can change. Units are in the names; the sizes of pools grow with the processors."""

    host: str = _setting("127.0.0.1", "address to listen on")
    port: int = _setting(8765, "port to listen on; 0 picks a free one")
    web_workers: int = _setting(2, "processes that speak HTTP", 1)
    web_threads: int = _setting(64, "requests that each of them can have in hand", 12)
    fast_workers: int = _setting(max(4, os.cpu_count() or 1), "processes for queries that end soon", 1)
    slow_workers: int = _setting(
        max(2, (os.cpu_count() or 1) // 2), "processes, niced, for queries that do not", 1
    )
    hand_over_ms: int = _setting(
        30, "processor time after which a query is moved from a fast process to a slow one", 1
    )
    most_wait_s: float = _setting(
        2.0,
        "time that a query waits for a place in a queue before it gets 503",
        0.001,
    )
    slow_queue: int = _setting(6, "queries that may stand in the queue of the slow processes")
    timeout_s: float = _setting(
        30.0, "time limit of a query, waiting included; `timeout=` may lower it", 0.001
    )
    export_timeout_s: float = _setting(300.0, "time limit of an export, waiting included", 0.001)
    memory_mib: int = _setting(1024, "memory that one query may use beside the graph", 64)
    held_back_kib: int = _setting(1024, "part of an answer that must be there before its status is sent", 1)
    cache_mib: int = _setting(32, "memory of each web process for answers that may be asked for again")
    max_body_kib: int = _setting(4096, "largest body of a request; more gets 413", 1)
    max_request_line_bytes: int = _setting(60000, "longest path with query string; more gets 414", 100)
    largest_merge_triples: int = _setting(
        1_000_000, "triples that overlapping graphs of FROM may have together"
    )
    access_log: str = _setting(
        "", "file that gets a line of JSON for each request; `-` is the standard error output"
    )
    slow_query_ms: int = _setting(
        1000, "time from which a query is written to the standard error output, as a line of JSON", 1
    )
    public_url: str = _setting("", "URL under which clients see the service behind a proxy, path included")
    operator_token: str = _setting("", "token that lists running queries; without one nobody can")
    data: tuple[str, ...] = _setting(
        (), "RDF files FILE[=GRAPH-IRI] to serve instead of the embedded graph, one a line"
    )
    socket_dir: str = _setting(
        "", "where the sockets of the query workers are; set by `serve`, not by people"
    )


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return PREFIX + name.upper()


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Return the settings from the environment. Raises WrongSetting."""
    source = os.environ if environment is None else environment
    values = {
        setting.name: _parse(variable(setting.name), source[variable(setting.name)], setting)
        for setting in fields(Settings)
        if variable(setting.name) in source
    }
    return Settings(**values)


def to_environment(settings: Settings) -> dict[str, str]:
    """Return the variables from which `read_settings` makes the same settings."""
    pairs = ((setting.name, getattr(settings, setting.name)) for setting in fields(Settings))
    return {
        variable(name): "\n".join(value) if isinstance(value, tuple) else str(value) for name, value in pairs
    }


def _parse(name: str, text: str, setting: Any) -> Any:
    kind = type(setting.default)
    if kind is str:
        return text.strip()
    if kind is tuple:
        return tuple(line for line in text.split("\n") if line.strip())
    least = setting.metadata["least"]
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not least <= value < float("inf"):
        raise WrongSetting(name, text, f"{'a whole number' if kind is int else 'a number'} from {least:g} on")
    return value
