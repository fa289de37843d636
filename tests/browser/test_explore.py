"""Explore in a browser: search in any language, by keyboard, with an input method; cards and exports."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import Reader
from tests.browser.conftest import NewReader


@pytest.mark.parametrize(
    ("language", "text", "path", "heading"),
    [
        pytest.param("ja", "コンピューティング クラスター", "/target/compute_cluster", "コンピューティング クラスター", id="ja"),
        pytest.param("ja", "ｺﾝﾋﾟｭｰﾃｨﾝｸﾞ ｸﾗｽﾀ", "/target/compute_cluster", "コンピューティング クラスター", id="half-width"),
        pytest.param("it", "cluster di elab", "/target/compute_cluster", "cluster di elaborazione", id="it"),
        pytest.param("en", "NC24rs_v3", "/size/Standard_NC24rs_v3", "Standard_NC24rs_v3", id="size"),
    ],
)  # fmt: skip
def test_search_suggests_in_any_language(
    new_reader: NewReader, language: str, text: str, path: str, heading: str
) -> None:
    page = new_reader(language).open("/")
    field = page.get_by_role("combobox")
    field.press_sequentially(text)
    first = page.get_by_role("option").first
    expect(first).to_contain_text(heading)
    field.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", str(first.get_attribute("id")))
    field.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    assert urlsplit(page.url).path == path


def test_nothing_is_asked_while_an_input_method_composes(new_reader: NewReader) -> None:
    reader = new_reader("ja")
    page = reader.open("/")
    field = page.get_by_role("combobox")
    field.focus()
    keyboard = reader.context.new_cdp_session(page)
    asked = len(reader.requests)
    for composed in ("く", "くら", "くらす", "クラス"):
        keyboard.send(
            "Input.imeSetComposition",
            {"text": composed, "selectionStart": len(composed), "selectionEnd": len(composed)},
        )
    # Enter that takes a conversion: the browser reports it with the key code of an input method.
    keyboard.send(
        "Input.dispatchKeyEvent",
        {"type": "rawKeyDown", "key": "Process", "windowsVirtualKeyCode": 229, "nativeVirtualKeyCode": 229},
    )
    page.wait_for_timeout(200)
    assert len(reader.requests) == asked
    assert urlsplit(page.url).path == "/"
    keyboard.send("Input.insertText", {"text": "クラスター"})
    expect(page.get_by_role("option").first).to_be_visible()
    assert "suggest" in reader.requests[-1].url


def test_the_language_switch_keeps_the_page_and_is_remembered(reader: Reader) -> None:
    page = reader.open("/path?from=size/Standard_NC24rs_v3&to=cuda/11.0")
    page.get_by_role("link", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.get_by_role("combobox", name="終点")).to_have_value("CUDA 11.0")
    reader.open("/series/NCv3")
    expect(page.get_by_role("heading", name="つながり")).to_be_visible()
    page.get_by_role("link", name="Italiano").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("NCv3")
    expect(page.get_by_role("heading", name="Collegamenti")).to_be_visible()


def test_a_tour_by_keyboard_alone(reader: Reader) -> None:
    page = reader.open("/overview")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="To the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("/")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("Volta")
    expect(page.get_by_role("option").first).to_contain_text("Volta")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Volta")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="gexf")).to_be_visible()
    chip = page.locator("svg a").first
    chip.focus()
    name = str(chip.text_content()).strip()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_escape_leaves_the_suggestions_and_enter_searches(reader: Reader) -> None:
    page = reader.open("/")
    field = page.get_by_role("combobox")
    field.press_sequentially("comp")
    expect(page.get_by_role("option").first).to_be_visible()
    field.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(field).to_have_attribute("aria-expanded", "false")
    field.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("results for “comp”")


def test_a_card_shows_evidence_and_leads_to_the_line(new_reader: NewReader) -> None:
    page = new_reader("it").open("/target/kubernetes")
    doubtful = page.locator("tr", has=page.locator(".doubt")).first
    expect(doubtful).to_contain_text("in dubbio")
    places = page.locator(".facts .place a").all_inner_texts()
    assert all(re.fullmatch(r"[\w.-]+(:\d+)?", place) for place in places)
    page.locator(".facts .place a").first.click()
    expect(page.get_by_role("table")).to_be_visible()


def test_a_relation_of_many_shows_seven_and_leads_to_the_rest(reader: Reader) -> None:
    page = reader.open("/series/NCv3")
    assert page.locator("svg .rest + text").all_text_contents() == ["+17"]
    page.locator("svg a", has_text="+17").click()
    expect(page.locator("tr#to-supportsCuda")).to_contain_text("CUDA 12.9")
    assert urlsplit(page.url).fragment == "to-supportsCuda"


def test_every_export_link_gives_a_file(reader: Reader) -> None:
    page = reader.open("/architecture/volta")
    links = page.locator("a[href*='/export/']")
    addresses = {str(link.get_attribute("href")) for link in links.all()}
    assert len(addresses) >= 16
    for address in sorted(addresses):
        answer = reader.context.request.get(reader.url + address)
        assert answer.status == 200, f"{address}: {answer.text()[:300]}"
        assert answer.body()
