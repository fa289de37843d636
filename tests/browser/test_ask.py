"""Paths, queries, comparison and differences in a browser."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import Reader
from tests.browser.conftest import NewReader

SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def ask(page: Page, query: str) -> None:
    """Write a query into the empty field and run it by keyboard."""
    field = page.get_by_role("textbox", name="SPARQL query")
    field.fill(query)
    field.press("Control+Enter")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The size Standard_NC24rs_v3 belongs to the series NCv3."),
        ("ja", "サイズ Standard_NC24rs_v3 は NCv3 シリーズに属します。"),
        ("it", "La dimensione Standard_NC24rs_v3 appartiene alla serie NCv3."),
    ],
)
def test_a_path_reads_as_sentences(new_reader: NewReader, language: str, sentence: str) -> None:
    page = new_reader(language).open("/path")
    start, end = page.get_by_role("combobox").all()[:2]
    for field, text in ((start, "NC24rs"), (end, "CUDA 11.0")):
        field.press_sequentially(text)
        expect(page.get_by_role("option").first).to_contain_text(text)
        field.press("ArrowDown")
        field.press("Enter")
    page.get_by_role("main").get_by_role("button").click()
    step = page.locator(".told li", has_text=sentence).first
    expect(step.locator(".place").first).to_be_visible()
    assert page.locator("svg.strip a").count() >= 5
    asked = parse_qs(urlsplit(page.url).query)
    assert (asked["from"], asked["to"]) == (["size/Standard_NC24rs_v3"], ["cuda/11.0"])


def test_where_no_path_leads_the_page_says_what_to_do(reader: Reader) -> None:
    page = reader.open("/path?from=series/NCv3&to=NCv3")
    expect(page.get_by_text("Both ends are the same thing.")).to_be_visible()
    reader.open("/path?from=cuda/11.0&to=series/NCv3")
    expect(page.get_by_text("No path leads forward")).to_be_visible()


def test_a_query_shows_labels_count_and_time_and_can_be_sorted(new_reader: NewReader) -> None:
    page = new_reader("ja").open("/query")
    field = page.get_by_role("textbox", name="SPARQL クエリ")
    field.fill("SELECT ?category (COUNT(?s) AS ?n) { ?s ca:hasCategory ?category } GROUP BY ?category")
    field.press("Control+Enter")
    count = page.locator("#result .count")
    expect(count).to_contain_text("6 行")
    assert re.search(r"\d+ ミリ秒", count.inner_text())
    cells = page.locator("#result td:nth-child(2)")
    page.get_by_role("button", name="n", exact=True).click()
    numbers = [int(text) for text in cells.all_inner_texts()]
    assert numbers == sorted(numbers)
    expect(page.get_by_role("columnheader", name="n", exact=True)).to_have_attribute("aria-sort", "ascending")
    expect(page.get_by_role("link", name="汎用")).to_have_attribute("href", "/category/general_purpose")
    assert "hasCategory" in parse_qs(urlsplit(page.url).query)["query"][0]


def test_an_error_leads_to_its_line_and_column(new_reader: NewReader) -> None:
    reader = new_reader()
    page = reader.open("/query")
    ask(page, "SELECT ?s {\n  ?s a ca:VMSeries ;; nonsense\n}")
    link = page.get_by_role("link", name=re.compile(r"Line 2, column \d+"))
    link.click()
    selected = page.evaluate("document.activeElement.selectionStart")
    assert selected >= len("SELECT ?s {\n")
    # The answer has the status of an error, which the browser reports; that is all it may report.
    assert all("400" in fault for fault in reader.faults)
    reader.faults.clear()


def test_stop_ends_the_query_in_the_service(reader: Reader) -> None:
    page = reader.open("/query")
    ask(page, SLOW)
    expect(page.get_by_text("Asking …")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("The query was stopped.")).to_be_visible(timeout=5000)
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    assert all("503" in fault for fault in reader.faults)
    reader.faults.clear()
    ask(page, "ASK { series:NCv3 ca:hasCategory category:gpu }")
    expect(page.locator(".truth")).to_contain_text("Yes.")


def test_the_answer_as_a_file_has_the_same_rows(reader: Reader) -> None:
    page = reader.open("/query?saved=series_by_category")
    shown = page.locator("#result tbody tr").count()
    address = str(page.get_by_role("link", name="CSV").get_attribute("href"))
    lines = reader.context.request.get(reader.url + address).text().splitlines()
    assert len(lines) == shown + 1 > 2
    answer = reader.context.request.get(reader.url + address.replace("format=csv", "format=json")).json()
    assert len(answer["results"]["bindings"]) == shown


def test_a_composed_graph_is_drawn(reader: Reader) -> None:
    page = reader.open("/query")
    ask(page, "CONSTRUCT { ?s ca:gpuArchitecture ?a } WHERE { ?s ca:gpuArchitecture ?a }")
    image = page.locator("#result img")
    expect(image).to_be_visible()
    page.wait_for_function("document.querySelector('#result img').naturalWidth > 0")
    expect(page.locator("#result")).to_contain_text("subject")


@pytest.mark.parametrize(
    ("typed", "option", "written"),
    [
        ("targ", "target:", "target:"),
        ("Volta", "Volta", "architecture:volta"),
        ("ca:hasCat", "category", "ca:hasCategory"),
        ("VM seri", "VM series", "VM ca:VMSeries"),
    ],
)
def test_names_are_completed_by_their_labels(reader: Reader, typed: str, option: str, written: str) -> None:
    page = reader.open("/query")
    field = page.get_by_role("textbox", name="SPARQL query")
    field.fill("")
    field.press_sequentially(typed)
    field.press("Control+ ")
    page.get_by_role("option", name=option).first.click()
    expect(field).to_have_value(written)


def test_a_saved_query_runs_with_its_parameters(new_reader: NewReader) -> None:
    page = new_reader("it").open("/query")
    page.get_by_role("link", name="Quali serie di macchine virtuali appartengono a una categoria?").click()
    field = page.get_by_role("combobox", name="category")
    field.fill("GPU")
    expect(page.get_by_role("option").first).to_contain_text("category/gpu")
    field.press("ArrowDown")
    field.press("Enter")
    page.get_by_role("button", name="Mostra").click()
    expect(page.get_by_role("link", name="NCv3", exact=True).first).to_be_visible()
    assert "category/gpu" in page.get_by_role("textbox", name="Query SPARQL").input_value()


def test_two_series_stand_side_by_side(new_reader: NewReader) -> None:
    page = new_reader("it").open("/compare")
    page.locator("summary").click()
    page.locator("label", has_text=re.compile("^categoria")).locator("select").select_option(label="GPU")
    expect(page.locator(".matrix tbody tr")).to_have_count(10)
    for name in ("NCv3", "ND", "NV", "NVv3"):
        page.get_by_label(f"Scegli {name} per il confronto", exact=True).check()
    expect(page.get_by_label("Scegli NC per il confronto", exact=True)).to_be_disabled()
    for name in ("NV", "NVv3"):
        page.get_by_label(f"Scegli {name} per il confronto", exact=True).uncheck()
    page.get_by_role("button", name="Fianco a fianco").click()
    table = page.locator("table.side")
    expect(table.locator("thead th")).to_have_text(["NCv3", "ND"])
    expect(table.locator("tr.differs", has_text="architettura GPU")).to_contain_text("Volta")
    expect(table.locator("tr", has_text="categoria")).not_to_have_class("differs")


def test_differences_are_filtered(reader: Reader) -> None:
    page = reader.open("/differences")
    page.get_by_label("Level").select_option("naming")
    page.wait_for_url("**level=naming**")
    shown = page.locator(".point").count()
    assert shown > 3
    assert set(page.locator(".point .level").all_inner_texts()) == {"naming"}
    address = str(page.get_by_role("link", name="JSON").get_attribute("href"))
    items = json.loads(reader.context.request.get(reader.url + address).text())["items"]
    assert len(items) == shown
    assert all(len(point.locator("dd").all()) >= 1 for point in page.locator(".point").all())
