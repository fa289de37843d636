"""MkDocs hook: mark the terms of Compute Atlas in each page and give them hover cards.

In mkdocs.yml:

    hooks: [mkdocs_compute_atlas.py]
    extra:
      compute_atlas: {url: "http://127.0.0.1:8765", lang: ja}

The service is asked while the site is built, not by its readers. Standard library only.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

_SHOW = """
<script>
for (const term of document.querySelectorAll("[data-atlas-card]")) {
  const box = document.createElement("span");
  box.className = "atlas-box";
  box.append(document.getElementById(term.dataset.atlasCard).content.cloneNode(true));
  term.append(box);
}
</script>
<style>
.atlas-term { position: relative; border-bottom: 1px dotted; }
.atlas-box { display: none; position: absolute; left: 0; top: 100%; z-index: 9; border: 1px solid #999; }
.atlas-term:hover > .atlas-box, .atlas-term:focus > .atlas-box { display: block; }
</style>
"""


def on_page_content(html: str, *, config: Any, **_: Any) -> str:
    """Return the page with the first mention of each thing marked, and the cards at its end."""
    settings = config.extra["compute_atlas"]
    url, lang = settings["url"].rstrip("/"), settings["lang"]
    mentions = {mention["id"]: mention for mention in reversed(_annotations(url, lang, html))}
    parts, end = [], len(html)
    for mention in sorted(mentions.values(), key=lambda mention: -mention["start"]):
        card = f'<span class="atlas-term" tabindex="0" data-atlas-card="{_card_id(mention["id"])}">'
        parts += [html[mention["end"] : end], f"{mention['surface']}</span>", card]
        end = mention["start"]
    marked = html[:end] + "".join(reversed(parts))
    cards = [f'<template id="{_card_id(id_)}">{_card(url, lang, id_)}</template>' for id_ in sorted(mentions)]
    return "\n".join([marked, *cards, _SHOW]) if cards else html


def _annotations(url: str, lang: str, html: str) -> list[dict[str, Any]]:
    body = json.dumps({"text": html, "lang": lang, "format": "html"}).encode()
    request = Request(f"{url}/annotate", body, {"Content-Type": "application/json"})
    with urlopen(request, timeout=60) as response:
        found: list[dict[str, Any]] = json.load(response)["annotations"]
    return found


@cache
def _card(url: str, lang: str, id_: str) -> str:
    with urlopen(
        f"{url}/card?{urlencode({'of': id_, 'lang': lang, 'format': 'html'})}", timeout=60
    ) as response:
        page: str = response.read().decode()
    return page[page.index("<article") : page.index("</body>")]


def _card_id(id_: str) -> str:
    return "atlas-" + "".join(sign if sign.isalnum() else "-" for sign in id_)
