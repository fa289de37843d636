"""The query operation of the SPARQL 1.1 Protocol, as a function of a request; no I/O of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from compute_atlas.queries.analysis import (
    ASK,
    BYTE_ORDER_MARK,
    CONSTRUCT,
    DESCRIBE,
    SELECT,
    Analysis,
    analyse,
)
from compute_atlas.queries.formats import BOOLEANS, CSV, GRAPHS, TABLES, TSV, Format
from compute_atlas.queries.frames import Job
from compute_atlas.server import parameters as read
from compute_atlas.server.errors import BadParameter, HttpError, MethodNotAllowed
from compute_atlas.server.ids import new_id
from compute_atlas.server.negotiate import Choice, choose, media_type
from compute_atlas.server.parameters import Parameters
from compute_atlas.server.responses import Body, Response, entity_tag, is_unchanged, not_modified

METHODS = ("GET", "HEAD", "POST", "QUERY", "OPTIONS")
FORM, QUERY_TEXT, UPDATE_TEXT = (
    "application/x-www-form-urlencoded",
    "application/sparql-query",
    "application/sparql-update",
)
# Tokenising in the web process holds up its other requests: longer texts are analysed by a worker.
LONGEST_INLINE_CHARACTERS = 16_384
_TITLE_CHARACTERS = 500
_VARY = "Accept"
_READ_ONLY = "this service is read-only; send a query, not an update"

Headers = Mapping[str, str]
"""Header fields by their names in lower case."""


@dataclass(frozen=True)
class Request:
    """A request for the endpoint; `url` is the endpoint's own, `query_string` and `body` are raw."""

    method: str
    url: str
    query_string: bytes
    headers: Headers
    body: bytes = b""


@dataclass(frozen=True)
class Service:
    """What the protocol needs of the rest: workers, the graph's digest, the time limit, a description."""

    run: Callable[[Job], Body]
    digest: str
    limit_s: float
    describe: Callable[[Request, str | None], Response]


def respond(request: Request, service: Service) -> Response:
    """Answer a request for the endpoint. Raises AtlasError for whatever has no proper answer."""
    if request.method not in METHODS:
        raise MethodNotAllowed(request.method, METHODS)
    parameters, text = _read(request)
    if text is None:
        return service.describe(request, read.read_format(parameters))
    job = Job(
        "query",
        id=read.read_query_id(request.headers.get("atlas-query-id")) or new_id(),
        limit_s=read.read_timeout(parameters, service.limit_s),
        title=text[:_TITLE_CHARACTERS],
    )
    analysis = _analyse(text, request.url, service, job)
    if analysis.is_update:
        raise HttpError(403, f'"{analysis.form}" starts an update; {_READ_ONLY}', parameter="query")
    choice = _plan(analysis, parameters, request, job.payload)
    tag = entity_tag(service.digest, job.payload, choice.media_type)
    can_match = request.method != "POST" and not analysis.is_volatile
    if can_match and is_unchanged(request.headers.get("if-none-match"), tag):
        return not_modified(tag, _VARY)
    body = service.run(job)
    headers = {
        "Content-Type": _content_type(choice),
        "Vary": _VARY,
        "Cache-Control": "no-store" if analysis.is_volatile else "no-cache",
        "Atlas-Query-Id": job.id,
    }
    if can_match:
        headers["ETag"] = tag
    return Response(200, headers, body, job.title)


def _read(request: Request) -> tuple[Parameters, str | None]:
    """Return the parameters and the text of the query; None asks for the service description."""
    parameters = read.parse(request.query_string)
    texts = parameters.all("query")
    kind, charset = media_type(request.headers.get("content-type"))
    if request.method in ("POST", "QUERY"):
        _require_plain(charset, request.headers.get("content-encoding", ""))
        if kind == FORM:
            parameters = Parameters(parameters.pairs + read.parse(request.body).pairs)
            texts = parameters.all("query")
        elif kind == QUERY_TEXT:
            texts = [*texts, _decode(request.body)]
        elif kind == UPDATE_TEXT:
            raise HttpError(403, _READ_ONLY)
        else:
            raise HttpError(415, f'a body of type "{kind}" is not read; use one of: {FORM}, {QUERY_TEXT}')
    if parameters.all("update"):
        raise HttpError(403, _READ_ONLY, parameter="update")
    if request.method in ("GET", "HEAD") and {name for name, _ in parameters.pairs} <= {"format"}:
        return parameters, None
    if len(texts) != 1:
        raise BadParameter("query", f'there must be exactly one "query", not {len(texts)}')
    return parameters, texts[0].removeprefix(BYTE_ORDER_MARK)


def _require_plain(charset: str, encoding: str) -> None:
    if encoding.strip().lower() not in ("", "identity"):
        raise HttpError(415, f'a body in the encoding "{encoding}" is not read; send it uncompressed')
    if charset not in ("", "utf-8", "utf8", "us-ascii"):
        raise HttpError(415, f'the charset "{charset}" is not read; send UTF-8')


def _decode(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise HttpError(
            400, f"the body is not UTF-8 at byte {error.start}; encode the query as UTF-8"
        ) from None


def _analyse(text: str, base: str, service: Service, job: Job) -> Analysis:
    if len(text) <= LONGEST_INLINE_CHARACTERS:
        return analyse(text, base)
    facts = service.run(replace(job, kind="analysis", payload={"text": text, "base": base}))
    return Analysis(text=text, **json.loads(b"".join(facts)))


def _plan(analysis: Analysis, parameters: Parameters, request: Request, payload: dict[str, Any]) -> Choice:
    """Put what a worker needs to know to answer into the payload; return the format to answer in."""
    choice = _choose(analysis.form, request.headers.get("accept"), read.read_format(parameters))
    default, named = _dataset(parameters, analysis)
    payload |= {
        "text": analysis.text,
        "base": request.url,
        "prefixes": analysis.prefixes,
        "default_graphs": default,
        "named_graphs": named,
        "format": choice.format.name,
    }
    labels = read.read_language(parameters, "labels")
    if labels is not None:
        if choice.format not in (CSV, TSV):
            raise BadParameter(
                "labels", '"labels" adds columns to csv and tsv; ask for one of them', ["csv", "tsv"]
            )
        payload["labels"] = labels
    return choice


@lru_cache(maxsize=512)
def _choose(form: str | None, accept: str | None, format_name: str | None) -> Choice:
    """Return the format to answer in; clients of one kind all ask with the same header."""
    return choose(_offers(form), accept, format_name)


def _offers(form: str | None) -> tuple[Format, ...]:
    if form in (CONSTRUCT, DESCRIBE):
        return GRAPHS
    if form == SELECT:
        return TABLES
    return BOOLEANS if form == ASK else TABLES + GRAPHS  # the last are mistakes, to be explained


def _dataset(parameters: Parameters, analysis: Analysis) -> tuple[Any, Any]:
    """Return the graphs of the dataset; the request's parameters replace what FROM says."""
    default, named = parameters.all("default-graph-uri"), parameters.all("named-graph-uri")
    if default or named:
        return default, named
    return analysis.default_graphs, analysis.named_graphs


def _content_type(choice: Choice) -> str:
    return (
        f"{choice.media_type}; charset=utf-8" if choice.media_type.startswith("text/") else choice.media_type
    )
