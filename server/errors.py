"""Turn each error into a status and a problem (RFC 9457); the only place that knows both."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus
from typing import Any

from compute_atlas.graph.errors import AtlasError, UnknownTerm
from compute_atlas.graph.export.formats import UnknownFormat
from compute_atlas.queries import errors as query_errors

MEDIA_TYPE = "application/problem+json"
_FACTS = ("parameter", "line", "column", "source_line", "allowed", "suggestions")
_log = logging.getLogger(__name__)


class HttpError(AtlasError):
    """A request that is wrong as a request; `detail` says what was wrong and what to do."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        parameter: str | None = None,
        allowed: Sequence[str] | None = None,
        headers: dict[str, str] | None = None,
    ):
        super().__init__(detail)
        self.status = status
        self.parameter, self.allowed = parameter, list(allowed) if allowed is not None else None
        self.headers = headers or {}


class BadParameter(HttpError):
    """A parameter that is missing, unknown, malformed or has a value that cannot be used."""

    def __init__(self, parameter: str, detail: str, allowed: Sequence[str] | None = None):
        super().__init__(400, detail, parameter=parameter, allowed=allowed)


class NotAcceptable(HttpError):
    """No format the client accepts is one that this answer can have."""

    def __init__(self, asked: str, available: Sequence[str]):
        detail = f'this cannot be answered as "{asked}"; use one of: {", ".join(available)}'
        super().__init__(406, detail, allowed=available, headers={"Vary": "Accept"})


class MethodNotAllowed(HttpError):
    """A method that the resource does not have."""

    def __init__(self, method: str, allowed: Sequence[str]):
        detail = f"{method} is not possible here; use one of: {', '.join(allowed)}"
        super().__init__(405, detail, allowed=allowed, headers={"Allow": ", ".join(allowed)})


# The most specific class of an error decides.
STATUSES: dict[type[AtlasError], int] = {
    AtlasError: 400,
    UnknownTerm: 404,
    UnknownFormat: 404,
    query_errors.ServiceForbidden: 403,
    query_errors.UnknownThing: 404,
    query_errors.NotExpressible: 406,
    query_errors.EngineFault: 500,
    query_errors.QueryTooSlow: 503,
    query_errors.OutOfMemory: 503,
    query_errors.TooBusy: 503,
    query_errors.QueryCancelled: 503,
    query_errors.WorkerLost: 503,
    query_errors.ServiceUnavailable: 503,
}
_RETRY_AFTER_S = 1


@dataclass(frozen=True)
class Problem:
    """A status with the members of a problem document, and headers that belong to it."""

    status: int
    members: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> bytes:
        """Return the document."""
        return json.dumps(self.members, ensure_ascii=False).encode()

    def as_page(self) -> bytes:
        """Return the same text as a page of HTML."""
        title, detail = escape(self.members["title"]), escape(self.members["detail"])
        source = f"<pre>{escape(self.members['source_line'])}</pre>" if "source_line" in self.members else ""
        return (
            f"<!doctype html>\n<html lang=en><meta charset=utf-8><title>{title}</title>"
            f"<h1>{self.status} {title}</h1><p>{detail}</p>{source}</html>\n"
        ).encode()


def problem_of(error: Exception) -> Problem:
    """Return the problem to show for an error; what is our fault is logged with its traceback."""
    status = _status(error)
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        _log.error("unexpected error", exc_info=error)
        detail = "the service failed on this request; the operator finds the reason in the log"
    else:
        detail = str(error)
    facts = {name: value for name in _FACTS if (value := getattr(error, name, None)) is not None}
    headers = dict(getattr(error, "headers", None) or {})
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.setdefault("Retry-After", str(getattr(error, "retry_after_s", _RETRY_AFTER_S)))
    members = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **facts,
    }
    return Problem(status, members, headers)


def _status(error: Exception) -> int:
    if isinstance(error, HttpError):
        return error.status
    known = (STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)
    return next(known, HTTPStatus.INTERNAL_SERVER_ERROR)
