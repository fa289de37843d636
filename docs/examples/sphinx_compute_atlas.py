"""Sphinx extension: link terms of Compute Atlas from documents in any of its languages.

In conf.py:

    extensions = ["sphinx_compute_atlas"]
    language = "ja"
    compute_atlas_url = "http://127.0.0.1:8765"

`:term:` then finds all names in the document's language by intersphinx. The role `:atlas:` finds a thing by
any name that a lookup is sure of, in any language and any inflection, and shows its label on hovering.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxRole


class AtlasRole(SphinxRole):
    """Links to the page of the thing that the text names; warns where no thing is meant for sure."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link, the text alone if there is none."""
        found = _look_up(self.config, self.text)
        if found is None:
            message = self.inliner.reporter.warning(f'"{self.text}" names no single thing', line=self.lineno)
            return [nodes.Text(self.text)], [message]
        label = found["label"]["value"]
        link = nodes.reference(
            self.rawtext, self.text, refuri=f"{_url(self.config)}/{found['id']}", reftitle=label
        )
        return [link], []


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the setting and the role."""
    app.setup_extension("sphinx.ext.intersphinx")
    app.add_config_value("compute_atlas_url", "http://127.0.0.1:8765", "env", str)
    app.connect("config-inited", _map_inventory)
    app.add_role("atlas", AtlasRole())
    return {"version": "1", "parallel_read_safe": True}


def _map_inventory(app: Sphinx, config: Config) -> None:
    """Name the inventory of the document's language; its links start at the service's own address."""
    url = _url(config)
    config.intersphinx_mapping["compute-atlas"] = (
        f"{url}/",
        f"{url}/inventory/{config.language}/objects.inv",
    )


def _look_up(config: Config, name: str) -> dict[str, Any] | None:
    query = urlencode({"q": name, "labellang": config.language, "limit": 1})
    with urlopen(f"{_url(config)}/lookup?{query}", timeout=60) as response:
        results = json.load(response)["results"]
    return next((found for found in results if found["match"]), None)


def _url(config: Config) -> str:
    return str(config.compute_atlas_url).rstrip("/")
