"""The WSGI application in front of Flask: answers /sparql itself and finishes the answers of both."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

from compute_atlas.queries.errors import ServiceUnavailable, WorkerLost
from compute_atlas.server.cache import AnswerCache, Key, key_of
from compute_atlas.server.context import ENVIRON_KEY, Context, Contexts
from compute_atlas.server.description import describe
from compute_atlas.server.errors import HttpError, problem_of
from compute_atlas.server.exchange import Exchange
from compute_atlas.server.journal import Journal
from compute_atlas.server.protocol import METHODS, Request, Service, respond
from compute_atlas.server.responses import (
    ALLOWED_METHODS,
    Response,
    close,
    entity_tag,
    finish,
    is_unchanged,
    not_modified,
    problem_response,
    status_line,
)

ENDPOINT, QUERY_PAGE = "/sparql", "/query"
# Answers about this moment, which no graph's digest can vouch for.
_OF_NOW = ("/health/", "/metrics", "/running")
_HOST = re.compile(r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?\Z")

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


class Gateway:
    """Wraps Flask's application. Holds no state of requests but answers that can be given again."""

    def __init__(self, flask: Application, contexts: Contexts) -> None:
        self._flask, self.contexts = flask, contexts
        self._limits = contexts.settings
        self._cache = AnswerCache(self._limits.cache_mib << 20)
        self._journal = Journal(self._limits, contexts.counts)
        self._prefix = urlsplit(self._limits.public_url).path.rstrip("/")

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, at once if the same was answered before."""
        started = time.perf_counter()
        context = self.contexts.current()
        key = self._key(environ, context)
        entry = self._cache.find(key) if key else None
        if entry:
            status, headers, body = entry.reply(environ.get("HTTP_IF_NONE_MATCH"))
            self._journal.note_cached(environ, status, context.digest, body, started)
            start_response(status, headers)
            return body
        exchange = Exchange(environ, started, self._journal)
        response = self._finish(environ, context)
        if key and response.headers.get("Atlas-Graph") == context.digest:
            self._cache.keep(key, response)
        headers = [*response.headers.items(), ("Server-Timing", f"total;dur={exchange.took_ms():.2f}")]
        start_response(status_line(response.status), headers)
        return exchange.follow(response)

    def _key(self, environ: Environ, context: Context) -> Key | None:
        """Return the key of the answer in the cache, None if it must not come from there."""
        if environ["REQUEST_METHOD"] != "GET" or not context.is_known or "HTTP_ATLAS_QUERY_ID" in environ:
            return None
        return key_of(environ, context.digest)

    def _finish(self, environ: Environ, context: Context) -> Response:
        """Return the finished answer; whatever goes wrong becomes a problem."""
        method = environ["REQUEST_METHOD"]
        try:
            response = self._respond(environ, method, context)
        except Exception as error:  # noqa: BLE001  (the one place: nothing may end without an answer)
            response = problem_response(problem_of(error), environ.get("HTTP_ACCEPT"))
        return finish(response, method, environ.get("HTTP_ACCEPT_ENCODING"))

    def _respond(self, environ: Environ, method: str, context: Context) -> Response:
        path = self._check(environ)
        body = self.contexts.read_body(environ)
        if method == "OPTIONS":
            return _preflight(environ, path)
        answer = self._respond_sparql if path.rstrip("/") == ENDPOINT else self._respond_flask
        newer: Context | None = context
        while newer:
            context = newer
            environ["wsgi.input"], environ[ENVIRON_KEY] = BytesIO(body), context
            try:
                response = answer(environ, method, context)
            except (ServiceUnavailable, WorkerLost):
                newer = self.contexts.after(context)
                if newer is None:
                    raise
            else:
                is_failed = response.status == HTTPStatus.SERVICE_UNAVAILABLE and not path.startswith(_OF_NOW)
                newer = self.contexts.after(context) if is_failed else None
        if context.is_known:
            response.headers["Atlas-Graph"] = context.digest
        return response

    def _check(self, environ: Environ) -> str:
        """Return the path below the public URL. Raises HttpError for one that is too long or not UTF-8."""
        length = len(environ["PATH_INFO"]) + len(environ.get("QUERY_STRING", ""))
        if length > self._limits.max_request_line_bytes:
            limit = self._limits.max_request_line_bytes
            raise HttpError(414, f"the request line has {length} bytes, at most {limit} are read; use POST")
        path = environ["PATH_INFO"]
        try:
            _raw(path).decode("utf-8")
        except UnicodeDecodeError:
            raise HttpError(400, "the path is not UTF-8 after percent-decoding; encode it as UTF-8") from None
        if self._prefix and path.startswith(self._prefix + "/"):
            environ["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + self._prefix
            path = environ["PATH_INFO"] = path.removeprefix(self._prefix)
        return str(path)

    def _respond_sparql(self, environ: Environ, method: str, context: Context) -> Response:
        request = Request(
            method,
            self.base_url(environ) + ENDPOINT,
            _raw(environ.get("QUERY_STRING", "")),
            _Fields(environ),
            environ["wsgi.input"].read(),
        )

        def show_page() -> Response:
            page = {**environ, "PATH_INFO": QUERY_PAGE, "QUERY_STRING": ""}
            return self._respond_flask(page, method, context)

        service = Service(
            context.run,
            context.digest,
            self._limits.timeout_s,
            lambda request, name: describe(request, name, context.about, show_page),
        )
        return respond(request, service)

    def base_url(self, environ: Environ) -> str:
        """Return the URL of the service as the client sees it, without a slash at its end."""
        if self._limits.public_url:
            return self._limits.public_url.rstrip("/")
        host = environ.get("HTTP_HOST", "")
        if not _HOST.match(host):
            host = f"{environ.get('SERVER_NAME', 'localhost')}:{environ.get('SERVER_PORT', 80)}"
        return f"{environ.get('wsgi.url_scheme', 'http')}://{host}{environ.get('SCRIPT_NAME', '')}"

    def _respond_flask(self, environ: Environ, method: str, context: Context) -> Response:
        tag = ""
        if method in ("GET", "HEAD") and not environ["PATH_INFO"].startswith(_OF_NOW):
            tag = self._tag(environ, context)
            if is_unchanged(environ.get("HTTP_IF_NONE_MATCH"), tag):
                return not_modified(tag, "Accept, Accept-Language")
        response = self._call_flask(environ)
        if tag and response.status == 200 and response.headers.get("Cache-Control") != "no-store":
            defaults = {"ETag": tag, "Cache-Control": "no-cache"}
            return Response(response.status, {**defaults, **response.headers}, response.body)
        return response

    def _tag(self, environ: Environ, context: Context) -> str:
        asked = [
            environ.get(name, "")
            for name in ("HTTP_ACCEPT", "HTTP_ACCEPT_LANGUAGE", "HTTP_COOKIE", "QUERY_STRING")
        ]
        return entity_tag(context.digest, self.base_url(environ), environ["PATH_INFO"], *asked)

    def _call_flask(self, environ: Environ) -> Response:
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
            started.append((status, headers))

        # Flask drops the body of HEAD itself; `finish` needs its length first.
        body = self._flask(
            {**environ, "REQUEST_METHOD": "GET"} if environ["REQUEST_METHOD"] == "HEAD" else environ, start
        )
        status, headers = started[0]
        fields = dict(headers)
        if fields.pop("Content-Length", None) is not None:
            body = _joined(body)
        return Response(int(status.split(" ", 1)[0]), fields, body)


def _preflight(environ: Environ, path: str) -> Response:
    asked = environ.get("HTTP_ACCESS_CONTROL_REQUEST_HEADERS", "*")
    allow = {"Allow": ", ".join(METHODS)} if path.rstrip("/") == ENDPOINT else {}
    headers = {
        **allow,
        "Access-Control-Allow-Methods": ALLOWED_METHODS,
        "Access-Control-Allow-Headers": re.sub(r"[^\w,* -]", "", asked),
        "Access-Control-Max-Age": "86400",
        "Vary": "Access-Control-Request-Headers",
    }
    return Response(204, headers)


def _joined(body: Iterable[bytes]) -> list[bytes]:
    try:
        return [b"".join(body)]
    finally:
        close(body)


def _raw(text: str) -> bytes:
    """Return the bytes behind a text of the environment (PEP 3333 has them as Latin-1)."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8")


class _Fields(Mapping[str, str]):
    """The header fields in the environment, by their names in lower case."""

    def __init__(self, environ: Environ) -> None:
        self._environ = environ

    def __getitem__(self, name: str) -> str:
        value: str = self._environ[_variable(name)]
        return value

    def get(self, name: str, default: Any = None) -> Any:
        """Return a field; most are absent, and an exception for each would cost more than the rest."""
        return self._environ.get(_variable(name), default)

    def __iter__(self) -> Iterator[str]:
        return (name[5:].replace("_", "-").lower() for name in self._environ if name.startswith("HTTP_"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@lru_cache(maxsize=64)
def _variable(name: str) -> str:
    return "CONTENT_TYPE" if name == "content-type" else f"HTTP_{name.upper().replace('-', '_')}"
