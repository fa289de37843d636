"""What views need of the current request: checked parameters, its base URL, answers as Flask takes them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

import flask
from compute_atlas.queries.formats import Format
from compute_atlas.server.parameters import Parameters, parse
from compute_atlas.server.responses import Response

View = TypeVar("View", bound=Callable[..., object])


def accepts(*names: str) -> Callable[[View], View]:
    """Declare the parameters of a view; a request with any other is refused."""

    def declare(view: View) -> View:
        view.accepted_parameters = frozenset(names)  # type: ignore[attr-defined]
        return view

    return declare


def answers(*offers: Format) -> Callable[[View], View]:
    """Declare the formats that a view can answer in, the default first."""

    def declare(view: View) -> View:
        view.offers = offers  # type: ignore[attr-defined]
        return view

    return declare


def chooses(**choices: Collection[str]) -> Callable[[View], View]:
    """Declare which values the variable parts of a view's path can have."""

    def declare(view: View) -> View:
        view.path_choices = choices  # type: ignore[attr-defined]
        return view

    return declare


def accepts_any(view: View) -> View:
    """Declare that a view itself checks the names of its parameters."""
    view.accepted_parameters = None  # type: ignore[attr-defined]
    return view


def read_parameters() -> Parameters:
    """Return the parameters of the query string. Raises BadParameter if one is malformed."""
    return parse(flask.request.query_string)


def require_known_parameters() -> None:
    """Raise BadParameter if the request has a parameter that its view does not declare."""
    view = flask.current_app.view_functions.get(flask.request.endpoint or "")
    accepted: frozenset[str] | None = getattr(view, "accepted_parameters", frozenset())
    if view is not None and accepted is not None:
        read_parameters().require_known(accepted)


def base_url() -> str:
    """Return the URL of the service as the client sees it, without a slash at its end."""
    gateway = flask.current_app.wsgi_app
    return str(gateway.base_url(flask.request.environ))  # type: ignore[attr-defined]


def to_flask(response: Response) -> flask.Response:
    """Return a response as Flask takes it."""
    return flask.Response(response.body, response.status, response.headers)


def answer(body: bytes, media_type: str, **headers: str) -> flask.Response:
    """Return a complete answer of a media type that is text in UTF-8."""
    return flask.Response(
        body, 200, {"Content-Type": f"{media_type}; charset=utf-8", "Vary": "Accept", **headers}
    )
