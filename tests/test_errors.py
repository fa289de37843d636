"""Errors become problems: one shape, the right status, and nothing of ours for the client to see."""

from __future__ import annotations

import inspect
import json
import logging

import pytest
from compute_atlas.graph import errors as graph_errors
from compute_atlas.graph.errors import AtlasError
from compute_atlas.queries import errors as query_errors
from compute_atlas.queries.errors import from_wire, to_wire
from compute_atlas.server.errors import BadParameter, MethodNotAllowed, NotAcceptable, problem_of

EXAMPLES = [
    query_errors.QuerySyntaxError("no", 1, 2, "x y"),
    query_errors.UndeclaredPrefix("foaf", 1, 2, "foaf:a"),
    query_errors.ServiceForbidden(),
    query_errors.UnknownFunction("<http://e/f>"),
    query_errors.QueryTooComplex(),
    query_errors.DatasetTooLarge(3, 2),
    query_errors.InvalidIri("a b", "graph"),
    query_errors.NotExpressible("RDF/XML", "no name", "ask for Turtle"),
    query_errors.UnknownThing("nothing is known"),
    query_errors.QueryTooSlow(3),
    query_errors.OutOfMemory(512),
    query_errors.TooBusy(2),
    query_errors.QueryCancelled("id"),
    query_errors.WorkerLost(),
    query_errors.ServiceUnavailable(),
    query_errors.EngineFault("panic"),
]


def test_every_error_of_queries_has_an_example_here() -> None:
    classes = {
        found
        for _, found in inspect.getmembers(query_errors, inspect.isclass)
        if issubclass(found, AtlasError) and found.__module__ == query_errors.__name__
    }
    assert classes - {query_errors.QueryError} == {type(example) for example in EXAMPLES}


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_an_error_survives_the_way_from_a_worker(error: AtlasError) -> None:
    arrived = from_wire(json.loads(json.dumps(to_wire(error))))
    assert (type(arrived), str(arrived), vars(arrived)) == (type(error), str(error), vars(error))
    assert problem_of(arrived) == problem_of(error)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (query_errors.QuerySyntaxError("no", 1, 2, "x y"), 400),
        (query_errors.UndeclaredPrefix("foaf", 1, 2, "foaf:a"), 400),
        (query_errors.ServiceForbidden(), 403),
        (query_errors.UnknownThing("x"), 404),
        (MethodNotAllowed("PUT", ["GET"]), 405),
        (NotAcceptable("image/png", ["text/csv"]), 406),
        (query_errors.QueryTooSlow(3), 503),
        (query_errors.TooBusy(), 503),
        (graph_errors.UnknownLanguage("jp", ["ja"]), 400),
    ],
    ids=lambda value: type(value).__name__,
)
def test_status(error: AtlasError, status: int) -> None:
    problem = problem_of(error)
    assert (problem.status, problem.members["status"]) == (status, status)
    assert problem.members["detail"] == str(error)


def test_members_that_help() -> None:
    members = problem_of(query_errors.QuerySyntaxError("no", 1, 2, "x y")).members
    assert (members["line"], members["column"], members["source_line"]) == (1, 2, "x y")
    assert problem_of(BadParameter("lang", "no", ["ja"])).members["parameter"] == "lang"
    assert problem_of(MethodNotAllowed("PUT", ["GET", "HEAD"])).headers == {"Allow": "GET, HEAD"}
    assert problem_of(query_errors.TooBusy(7)).headers == {"Retry-After": "7"}


@pytest.mark.parametrize("error", [ValueError("secret"), query_errors.EngineFault("secret")])
def test_what_is_our_fault_is_logged_and_not_shown(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        problem = problem_of(error)
    assert problem.status == 500
    assert b"secret" not in problem.as_json() + problem.as_page()
    assert caplog.records[0].exc_info is not None
    assert "secret" in str(caplog.records[0].exc_info[1])


def test_a_page_is_escaped() -> None:
    page = problem_of(query_errors.QuerySyntaxError("<b>", 1, 1, "<script>")).as_page()
    assert b"<script>" not in page
    assert b"&lt;script&gt;" in page
