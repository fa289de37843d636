"""The web application: Flask for pages and small routes, a gateway in front of it."""

from __future__ import annotations

import flask
from compute_atlas.server import (
    annotation,
    cards,
    differences,
    editions,
    evidence,
    export,
    glossary,
    graph_store,
    inventory,
    lookup,
    openapi,
    operations,
    pages_compare,
    pages_explore,
    pages_overview,
    pages_path,
    pages_query,
    pages_static,
    paths,
    reconcile,
    requests,
    resources,
    saved_queries,
)
from compute_atlas.server.context import Contexts
from compute_atlas.server.errors import HttpError, problem_of
from compute_atlas.server.gateway import Gateway
from compute_atlas.server.owned import start_owner
from compute_atlas.server.pages import problem_page, wants_page
from compute_atlas.server.responses import problem_response
from compute_atlas.server.settings import Settings, read_settings
from werkzeug.exceptions import HTTPException, MethodNotAllowed

BLUEPRINTS = (
    operations.blueprint,
    graph_store.blueprint,
    resources.blueprint,
    lookup.blueprint,
    annotation.blueprint,
    paths.blueprint,
    evidence.blueprint,
    saved_queries.blueprint,
    export.blueprint,
    openapi.blueprint,
    glossary.blueprint,
    inventory.blueprint,
    reconcile.blueprint,
    cards.blueprint,
    editions.blueprint,
    differences.blueprint,
    pages_explore.blueprint,
    pages_path.blueprint,
    pages_query.blueprint,
    pages_compare.blueprint,
    pages_overview.blueprint,
    pages_static.blueprint,
)


def create_app(settings: Settings | None = None) -> flask.Flask:
    """Return the application for any WSGI server; settings come from the environment by default.

    Without `socket_dir` in the settings it starts query workers of its own, which end with this process.
    """
    settings = settings or read_settings()
    if not settings.socket_dir:
        settings = start_owner(settings)
    app = flask.Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_kib * 1024
    app.url_map.strict_slashes = False
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.before_request(requests.require_known_parameters)
    app.register_error_handler(Exception, show_problem)
    app.wsgi_app = Gateway(app.wsgi_app, Contexts(settings))  # type: ignore[method-assign]
    return app


def show_problem(error: Exception) -> flask.Response:
    """Show any error of a view, Flask's own included."""
    if isinstance(error, HTTPException):
        error = _as_http_error(error)
    problem = problem_of(error)
    if wants_page() and problem.status < 500:
        return problem_page(problem)
    return requests.to_flask(problem_response(problem, flask.request.headers.get("Accept")))


def _as_http_error(error: HTTPException) -> Exception:
    status = error.code or 500
    if isinstance(error, MethodNotAllowed):
        allowed = sorted(error.valid_methods or ())
        detail = f"{flask.request.method} is not possible here; use one of: {', '.join(allowed)}"
        return HttpError(405, detail, allowed=allowed, headers={"Allow": ", ".join(allowed)})
    if status == 404:
        return HttpError(404, f'there is nothing at "{flask.request.path}"; start at {requests.base_url()}/')
    if status >= 500:
        return error
    return HttpError(status, error.description or str(error))
