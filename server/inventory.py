"""/inventory/{lang}/objects.inv: the names of things for Sphinx, with links to their pages."""

from __future__ import annotations

from importlib.metadata import version
from urllib.parse import quote

import flask
from compute_atlas.graph.exchange.glossary import choose_languages
from compute_atlas.graph.exchange.inventory import write_inventory
from compute_atlas.queries.formats import Format
from compute_atlas.server import requests
from compute_atlas.server.addresses import address
from compute_atlas.server.terms import current_terms

blueprint = flask.Blueprint("inventory", __name__)

OBJECTS = Format("inventory", ("application/octet-stream",), ".inv")


@blueprint.get("/inventory/<lang>/objects.inv")
@requests.answers(OBJECTS)
def show_inventory(lang: str) -> flask.Response:
    """Return the inventory of a language; its links start at the service's own address."""
    index = current_terms().index
    (language, *_) = choose_languages([lang], index.languages) or (lang,)
    content = write_inventory(
        index.things.values(), language, version("compute-atlas"), lambda iri: address("", iri).lstrip("/")
    )
    return flask.Response(content, 200, {"Content-Type": OBJECTS.media_types[0]})


@blueprint.get("/inventory/<lang>/<path:page>")
@requests.accepts_any
def follow_link(lang: str, page: str) -> flask.Response:
    """Lead on whoever takes the inventory's own address for where its links start."""
    query = flask.request.query_string.decode("ascii", "replace")
    path = quote(page, safe="/:@!$&'()*+,;=~")
    location = f"{requests.base_url()}/{path}" + (f"?{query}" if query else "")
    return flask.Response(status=308, headers={"Location": location})
