"""/query: ask in SPARQL, or with a saved query, and read the answer with labels."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import flask
from compute_atlas.graph.errors import AtlasError
from compute_atlas.graph.lookup.labels import last_part
from compute_atlas.ontology.names import PREFIXES
from compute_atlas.queries.binding import resolved
from compute_atlas.queries.catalogue import SavedQuery, catalogue, saved_query
from compute_atlas.queries.formats import JSON, NT, TSV
from compute_atlas.server import context, requests
from compute_atlas.server.asking import current_names
from compute_atlas.server.errors import problem_of
from compute_atlas.server.gateway import ENDPOINT
from compute_atlas.server.pages import View, answer_page, wants_page
from compute_atlas.server.parameters import Parameters, parse
from compute_atlas.server.protocol import QUERY_TEXT, Request, Service, respond
from compute_atlas.server.requests import accepts, accepts_any
from compute_atlas.server.responses import Response, close
from pyoxigraph import QueryResultsFormat, QuerySolutions, RdfFormat, parse_query_results
from pyoxigraph import parse as parse_graph

blueprint = flask.Blueprint("query_page", __name__)

MOST_ROWS, MOST_NAMES = 300, 400
# Beyond these an answer is for a file, not for a page; the query is stopped.
MOST_COUNTED_ROWS, MOST_SHOWN_BYTES = 200_000, 400_000
# A picture of more links cannot be read.
MOST_DRAWN = 200
OWN = ("query", "saved", "lang", "part")
# What the graph itself may be asked first.
EXAMPLE = "series_by_category"
_ACCEPT = f"{TSV.media_types[0]}, {NT.media_types[0]};q=0.9, {JSON.media_types[0]};q=0.5"


@dataclass(frozen=True)
class Answer:
    """What came back: rows of terms under names, or one yes or no; how many in all, and how long it took."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    total: int = 0
    is_cut: bool = False
    truth: bool | None = None
    is_graph: bool = False
    ms: int = 0


@blueprint.get("/query")
@accepts_any
def show_query() -> flask.Response:
    """Show the query page; with `query`, or `saved` and its parameters, the answer too."""
    return _show(requests.read_parameters())


@blueprint.post("/query")
@accepts()
def ask_query() -> flask.Response:
    """Answer the same for a query that is too long for an address."""
    return _show(parse(flask.request.get_data()))


def _show(parameters: Parameters) -> flask.Response:
    view = View.current(parameters.one("lang"))
    saved = parameters.one("saved")
    query = saved_query(saved) if saved else None
    known = [parameter.name for parameter in query.parameters] if query else []
    parameters.require_known({*OWN, *known})
    given = {name: value for name in known if (value := parameters.one(name))}
    page: dict[str, Any] = {"saved": query, "given": given, "problem": None, "answer": None}
    text = parameters.one("query") or ""
    status = 200
    try:
        if query and not text:
            text = _text(view, query, given)
        if text.strip():
            page["answer"] = _ask(text)
    except AtlasError as error:
        if not wants_page():
            raise
        problem = problem_of(error)
        page["problem"], status = problem.members, problem.status
    page |= {"text": text, "most_drawn": MOST_DRAWN}
    if parameters.one("part") == "result":
        response = answer_page(view, "result.html", status, **page)
    else:
        page |= {"queries": catalogue(), "example": saved_query(EXAMPLE)}
        page |= {"prefixes": PREFIXES, "names": _prefixed_names(view)}
        response = answer_page(view, "query.html", status, **page)
    if text.strip():
        # Asked again it may take another time, or find another moment.
        response.headers["Cache-Control"] = "no-store"
    return response


def _prefixed_names(view: View) -> list[str]:
    """Return the classes and properties that have a short name, as a query writes them."""
    by_base = {base: prefix for prefix, base in PREFIXES.items()}
    found = []
    for thing in view.index.things.values():
        local = last_part(thing.iri)
        prefix = by_base.get(thing.iri.removesuffix(local))
        if prefix and local.isalnum() and (thing.is_property or thing.iri in view.index.classes):
            found.append(f"{prefix}:{local}")
    return sorted(found)[:MOST_NAMES]


def _text(view: View, query: SavedQuery, given: dict[str, str]) -> str:
    """Return the text of a saved query with the values given in their places, labels in our language."""
    values = dict(given)
    if any(parameter.name == "lang" for parameter in query.parameters):
        values.setdefault("lang", view.languages[0])
    missing = {p.name: str(p.example) for p in query.parameters if p.is_required and p.name not in values}
    payload = resolved(query, values | missing, current_names().thing)
    return context.current().ask("saved_text", name=query.name, values=payload).decode()


def _ask(text: str) -> Answer:
    start = time.monotonic()
    response = _respond(text)
    kind = response.headers["Content-Type"].partition(";")[0]
    try:
        answer = _read(kind, response.body)
    finally:
        close(response.body)
    return Answer(**{**vars(answer), "ms": round((time.monotonic() - start) * 1000)})


def _respond(text: str) -> Response:
    """Return the answer of the endpoint itself, under the id that the client gave its query."""
    atlas = context.current()

    def describe(request: Request, name: str | None) -> Response:
        raise AssertionError("a query was sent")

    service = Service(atlas.run, atlas.about["digest"], atlas.settings.timeout_s, describe)
    headers = {"accept": _ACCEPT, "content-type": QUERY_TEXT}
    given = flask.request.headers.get("Atlas-Query-Id")
    if given:
        headers["atlas-query-id"] = given
    url = requests.base_url() + ENDPOINT
    return respond(Request("POST", url, b"", headers, text.encode()), service)


def _read(kind: str, body: Iterable[bytes]) -> Answer:
    if kind == JSON.media_types[0]:
        return Answer(truth=b"true" in b"".join(body))
    kept, lines, is_cut = _head(body)
    if kind == NT.media_types[0]:
        triples = [(t.subject, t.predicate, t.object) for t in parse_graph(kept, format=RdfFormat.N_TRIPLES)]
        names = ("subject", "predicate", "object")
        return Answer(names, tuple(triples[:MOST_ROWS]), lines, is_cut, is_graph=True)
    results = parse_query_results(kept, format=QueryResultsFormat.TSV)
    assert isinstance(results, QuerySolutions)
    columns = tuple(variable.value for variable in results.variables)
    rows = tuple(tuple(row) for row, _ in zip(results, range(MOST_ROWS), strict=False))
    return Answer(columns, rows, lines - 1, is_cut)


def _head(body: Iterable[bytes]) -> tuple[bytes, int, bool]:
    """Return the first whole lines of a body, how many it has, and whether it goes on beyond what we count.

    In both formats a line is a row: line ends in values are escaped.
    """
    kept, lines = bytearray(), 0
    for chunk in body:
        lines += chunk.count(b"\n")
        if len(kept) < MOST_SHOWN_BYTES:
            kept += chunk
        if lines > MOST_COUNTED_ROWS:
            return _whole_lines(kept), MOST_COUNTED_ROWS + 1, True
    return _whole_lines(kept), lines, False


def _whole_lines(kept: bytearray) -> bytes:
    return bytes(kept[: kept.rfind(b"\n") + 1])
