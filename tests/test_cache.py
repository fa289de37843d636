"""Answers that are kept: which, how many, and what a client gets that has the answer already."""

from __future__ import annotations

from typing import Any

import pytest
from compute_atlas.server.cache import AnswerCache, key_of
from compute_atlas.server.responses import Response

MIB = 1 << 20
ENVIRON = {
    "PATH_INFO": "/sparql",
    "QUERY_STRING": "query=ASK{}",
    "HTTP_HOST": "kg.test",
    "HTTP_ACCEPT": "a/b",
}


def answer(body: bytes = b"{}", **headers: str) -> Response:
    return Response(200, {"ETag": 'W/"1"', "Content-Type": "application/json", **headers}, [body])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PATH_INFO", "/lookup"),
        ("QUERY_STRING", "query=ASK%7B%7D"),
        ("HTTP_HOST", "other.test"),
        ("HTTP_ACCEPT", "text/csv"),
        ("HTTP_ACCEPT_ENCODING", "gzip"),
        ("HTTP_ACCEPT_LANGUAGE", "ja"),
        ("HTTP_COOKIE", "lang=ja"),
        ("SCRIPT_NAME", "/atlas"),
    ],
)
def test_whatever_an_answer_depends_on_makes_it_another(name: str, value: str) -> None:
    assert key_of({**ENVIRON, name: value}, "sha256:a") != key_of(ENVIRON, "sha256:a")
    assert key_of(ENVIRON, "sha256:b") != key_of(ENVIRON, "sha256:a")


def test_an_answer_is_given_again_without_the_id_of_its_query() -> None:
    cache = AnswerCache(MIB)
    cache.keep(("key",), answer(b"[1]", **{"Atlas-Query-Id": "one"}))
    entry = cache.find(("key",))
    assert entry is not None
    status, headers, body = entry.reply(None)
    assert (status, body) == ("200 OK", [b"[1]"])
    assert "Atlas-Query-Id" not in dict(headers)
    assert entry.reply('"0"')[0] == "200 OK"


def test_a_client_that_has_the_answer_gets_none() -> None:
    cache = AnswerCache(MIB)
    cache.keep(("key",), answer())
    entry = cache.find(("key",))
    assert entry is not None
    status, headers, body = entry.reply('"0", W/"1"')
    assert (status, body) == ("304 Not Modified", [])
    assert dict(headers)["ETag"] == 'W/"1"'
    assert "Content-Type" not in dict(headers)


@pytest.mark.parametrize(
    "response",
    [
        pytest.param(Response(404, {"ETag": '"1"'}, [b""]), id="error"),
        pytest.param(Response(200, {}, [b""]), id="no-tag"),
        pytest.param(Response(200, {"ETag": '"1"'}, iter([b""])), id="under-way"),
        pytest.param(Response(200, {"ETag": '"1"', "Set-Cookie": "lang=ja"}, [b""]), id="cookie"),
        pytest.param(answer(b"x" * (MIB // 8)), id="large"),
    ],
)
def test_some_answers_are_not_kept(response: Response) -> None:
    cache = AnswerCache(MIB)
    cache.keep(("key",), response)
    assert cache.find(("key",)) is None


def test_what_nobody_asked_for_lately_goes_first() -> None:
    cache = AnswerCache(MIB)
    keys: list[tuple[Any, ...]] = [(number,) for number in range(40)]
    for key in keys:
        cache.keep(key, answer(b"x" * 50_000))
        assert cache.find(keys[0])
    assert [key for key in keys if cache.find(key)] == [keys[0], *keys[-18:]]


def test_nothing_is_kept_without_memory_for_it() -> None:
    cache = AnswerCache(0)
    cache.keep(("key",), answer())
    assert cache.find(("key",)) is None
