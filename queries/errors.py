"""What can go wrong with a query: named errors that carry their facts, never a status code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from compute_atlas.graph.errors import AtlasError

LONGEST_SOURCE_LINE = 400


class QueryError(AtlasError):
    """The query itself must be changed."""


class QuerySyntaxError(QueryError):
    """The query breaks the grammar at a place; line and column count from 1."""

    def __init__(self, reason: str, line: int, column: int, source_line: str):
        super().__init__(f"line {line}, column {column}: {reason}")
        self.reason, self.line, self.column = reason, line, column
        self.source_line = source_line[:LONGEST_SOURCE_LINE]


class UndeclaredPrefix(QuerySyntaxError):
    """A prefixed name whose prefix no PREFIX line declares."""

    def __init__(self, prefix: str, line: int, column: int, source_line: str):
        mend = f"add a line `PREFIX {prefix}: <…>` at the top"
        super().__init__(f'the prefix "{prefix}:" is not declared; {mend}', line, column, source_line)
        self.prefix = prefix


class ServiceForbidden(AtlasError):
    """The query would call another service."""

    def __init__(self) -> None:
        super().__init__(
            "SERVICE is not allowed: nothing is ever fetched from elsewhere; ask that service directly"
        )


class UnknownFunction(QueryError):
    """The query calls a function that the engine does not have."""

    def __init__(self, name: str):
        super().__init__(f"there is no function {name}; use the functions of SPARQL 1.1 and XPath casts")
        self.name = name


class QueryTooComplex(QueryError):
    """The query is nested deeper, or has more parts, than the engine can hold."""

    def __init__(self, detail: str = "it is nested too deeply or has too many terms"):
        super().__init__(
            f"the engine cannot hold this query: {detail}; split it, or use VALUES for long lists"
        )


class DatasetTooLarge(QueryError):
    """Graphs that overlap would have to be merged, and they are too large for that."""

    def __init__(self, triples: int, limit: int):
        super().__init__(
            f"these graphs overlap and hold {triples} triples together; merging is allowed up to {limit}:"
            " name fewer graphs, or none to ask the union of all"
        )
        self.triples, self.limit = triples, limit


class InvalidIri(AtlasError):
    """A text that should be an IRI is none."""

    def __init__(self, value: str, parameter: str | None = None):
        super().__init__(
            f"<{value}> is not an absolute IRI; write it in full, as in http://example.org/graph"
        )
        self.value, self.parameter = value, parameter


class NotExpressible(AtlasError):
    """The answer cannot be written in the format asked for."""

    def __init__(self, format_name: str, reason: str, mend: str):
        super().__init__(f"the answer cannot be written as {format_name}: {reason}; {mend}")
        self.format_name = format_name


class UnknownThing(AtlasError):
    """Something that was asked for is not in the graph."""


class QueryTooSlow(AtlasError):
    """The query was stopped at its time limit."""

    def __init__(self, limit_s: float):
        super().__init__(
            f"timeout: no complete answer within {limit_s:g} s, waiting for a free worker included;"
            " ask for less, add a LIMIT, or make the patterns share variables"
        )
        self.limit_s = limit_s


class OutOfMemory(AtlasError):
    """The query wanted more memory than one query may use."""

    def __init__(self, limit_mib: int):
        super().__init__(
            f"the query needs more than the {limit_mib} MiB of memory one query may use;"
            " ask for fewer rows, or sort and group less"
        )
        self.limit_mib = limit_mib


class TooBusy(AtlasError):
    """No worker is free and no place in the queue."""

    def __init__(self, retry_after_s: int = 1):
        super().__init__(
            f"too busy: every worker and every place in the queue is taken; try again in {retry_after_s} s"
        )
        self.retry_after_s = retry_after_s


class QueryCancelled(AtlasError):
    """Somebody who knows the query's id stopped it."""

    def __init__(self, job_id: str):
        super().__init__(f"the query {job_id} was stopped by a DELETE request")
        self.job_id = job_id


class WorkerLost(AtlasError):
    """The process that worked on the query ended without an answer."""

    def __init__(self, cause: str = "it was killed"):
        super().__init__(f"the process that worked on this query ended early ({cause}); ask again")
        self.cause = cause


class ServiceUnavailable(AtlasError):
    """The process that owns the workers does not answer."""

    def __init__(self) -> None:
        super().__init__("the query workers are not running yet, or again; try again in a second")


class EngineFault(AtlasError):
    """The engine failed in a way that no user can mend."""


def to_wire(error: AtlasError) -> dict[str, Any]:
    """Return an error as JSON can carry it from a worker to its client."""
    return {"name": type(error).__name__, "message": str(error), "facts": vars(error)}


def from_wire(message: dict[str, Any]) -> AtlasError:
    """Return the error that `to_wire` was given."""
    known = {kind.__name__: kind for kind in _subclasses(AtlasError)}
    kind = known.get(message["name"], EngineFault)
    error = kind.__new__(kind)
    error.args = (message["message"],)
    vars(error).update(message["facts"])
    return error


def _subclasses(kind: type[AtlasError]) -> Iterator[type[AtlasError]]:
    for subclass in kind.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)
