"""What holds for every page: it works without script, for all readers, within its budget."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import DESKTOP, MOBILE, Reader
from tests.browser.conftest import NewReader

PAGES = {
    "start": "/",
    "found": "/?q=comp",
    "series": "/series/NCv3",
    "target": "/target/kubernetes",
    "class": "/resource?iri=https%3A%2F%2Fw3id.org%2Fcompute-atlas%2Fontology%23VMSeries",
    "ontology": "/ontology",
    "path": "/path?from=Standard_NC24rs_v3&to=cuda/11.0",
    "query": "/query?saved=series_matrix",
    "compare": "/compare",
    "side": "/compare?pick=series/NCv3&pick=series/ND",
    "differences": "/differences",
    "overview": "/overview",
}
MOST_BYTES, MOST_REQUESTS = 60_000, 5
AXE = Path(__file__).parents[1] / "node" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", ["en", "it", "ja"])
def test_a_page_keeps_to_its_budget(new_reader: NewReader, name: str, language: str) -> None:
    reader = new_reader(language)
    reader.open(PAGES[name])
    sent = [request for request in reader.requests if not request.url.startswith("data:")]
    sizes = {request.url: len(answer.body()) for request in sent if (answer := request.response())}
    assert len(sent) <= MOST_REQUESTS, sizes
    assert sum(sizes.values()) <= MOST_BYTES, sizes


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, MOBILE], ids=["desktop", "mobile"])
def test_axe_finds_nothing(new_reader: NewReader, scheme: str, size: tuple[int, int]) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci --prefix tests/node")
    reader = new_reader("ja", size=size, color_scheme=scheme, bypass_csp=True)
    program = AXE.read_text(encoding="utf-8")
    found = []
    for path in PAGES.values():
        page = reader.open(path)
        page.evaluate(program)
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        found += [(path, v["id"], v["nodes"][0]["html"][:200]) for v in result["violations"]]
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{path} is wider than the window"
    assert found == []


def test_open_suggestions_are_accessible_too(new_reader: NewReader) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci --prefix tests/node")
    page = new_reader("it", bypass_csp=True).open("/")
    page.get_by_role("combobox").press_sequentially("clu")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate("axe.run(document).then(result => result.violations.map(one => one.id))") == []


def test_without_script_every_page_does_its_work(new_reader: NewReader) -> None:
    reader = new_reader("it", java_script_enabled=False)
    page = reader.open("/")
    page.get_by_role("searchbox").fill("cluster di elaborazione")
    page.get_by_role("button", name="Cerca").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("cluster di elaborazione")
    page.get_by_text("Esporta").click()
    expect(page.get_by_role("link", name="gexf")).to_be_visible()

    reader.open("/path")
    page.get_by_label("Da", exact=True).fill("Standard_NC24rs_v3")
    page.get_by_label("A", exact=True).fill("CUDA 11.0")
    page.get_by_role("button", name="Trova percorsi").click()
    expect(page.locator(".told li").first).to_be_visible()

    reader.open("/query")
    page.get_by_role("textbox").fill("SELECT ?s { ?s a ca:VMSeries }")
    page.get_by_role("button", name="Esegui").click()
    expect(page.locator("#result")).to_contain_text("29 righe")

    reader.open("/compare?class=GPUArchitecture")
    for name in ("Volta", "Pascal"):
        page.get_by_label(f"Scegli {name} per il confronto").check()
    page.get_by_role("button", name="Fianco a fianco").click()
    expect(page.locator("table.side thead th")).to_have_count(2)

    reader.open("/differences")
    page.get_by_label("Tipo").select_option("tense_differs")
    page.get_by_role("button", name="Filtra").click()
    expect(page.locator(".point").first).to_contain_text("passato")

    reader.open("/overview")
    expect(page.get_by_role("heading", name="Classi", exact=True)).to_be_visible()


def test_a_card_is_styled_under_its_own_policy(reader: Reader) -> None:
    page = reader.open("/card/series/NCv3?lang=ja")
    box = page.locator(".atlas-card").bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["width"]) == (0, 0, 400)
    assert page.locator(".title").evaluate("element => getComputedStyle(element).fontWeight") == "600"


def test_a_page_on_paper_has_no_navigation(reader: Reader) -> None:
    page = reader.open("/series/NCv3")
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation").first).to_be_hidden()
    expect(page.get_by_role("table")).to_be_visible()
