"""Language tags: well-formed or not, and which one fits best."""

from __future__ import annotations

import pytest
from compute_atlas.graph.errors import InvalidValue, MalformedLanguage
from compute_atlas.graph.languages import acceptable, checked, fits, lookup
from compute_atlas.graph.lookup.spoken import page_language, spoken_languages, text_language


@pytest.mark.parametrize(
    "tag",
    ["ja", "ja-JP", "zh-Hant-TW", "de-1996", "sl-rozaj-biske", "x-private", "i-klingon", "en-a-bbb-x-a"],
)
def test_well_formed_tags_pass(tag: str) -> None:
    assert checked(tag) == tag


@pytest.mark.parametrize(
    "tag", ["", "ja_JP", "ja_JP.UTF-8", "j", "ja-", "ja--JP", "日本語", "ja JP", "toolonglanguage"]
)
def test_malformed_tags_are_refused(tag: str) -> None:
    with pytest.raises(MalformedLanguage, match="BCP 47") as error:
        checked(tag, "labellang")
    assert error.value.parameter == "labellang"


@pytest.mark.parametrize("tag", ["*", "und"])
def test_any_language_has_two_names(tag: str) -> None:
    assert checked(tag) == "*"


@pytest.mark.parametrize(
    ("wanted", "available", "found"),
    [
        ("ja-JP", ["ja", "it"], "ja"),
        ("IT", ["ja", "it"], "it"),
        ("ja", ["ja-JP"], "ja-JP"),
        ("ja", ["jam"], None),
        ("pt-BR", ["pt-PT", "en"], "pt-PT"),
        ("zh-Hant-TW", ["zh-Hans", "zh-Hant"], "zh-Hant"),
        ("de-x-a-b", ["de"], "de"),
        ("ga", ["en", "ja"], None),
    ],
)
def test_lookup_finds_the_best_tag(wanted: str, available: list[str], found: str | None) -> None:
    assert lookup(wanted, available) == found


def test_a_region_is_the_same_language_but_another_region_is_not() -> None:
    assert fits("ja", "ja-JP")
    assert fits("ja-JP", "ja")
    assert not fits("pt-PT", "pt-BR")
    assert not fits("jam", "ja")
    assert not fits(None, "ja")


def test_a_query_in_a_language_without_labels_says_so() -> None:
    spoken = spoken_languages(["en", "ja"], "ga")
    assert (spoken.used, spoken.is_fallback, spoken.is_sure) == ("en", True, False)
    assert spoken_languages(["en", "ja"], "ga", only=True).used is None


def test_accepted_languages_count_where_none_is_given() -> None:
    assert spoken_languages(["en", "ja"], None, ["ja-JP"]).used == "ja"
    assert not spoken_languages(["en", "ja"], None, ["ja-JP"]).is_sure
    assert spoken_languages(["en", "ja"], None).used == "en"


@pytest.mark.parametrize(
    ("weighted", "languages"),
    [
        pytest.param([("it", 1), ("ja", 0.5), ("*", 0.1)], ["it", "ja"], id="by-weight"),
        pytest.param([("ja", 0)], ["en", "it"], id="refused"),
        pytest.param([("*", 1), ("en-GB", 0)], ["ja", "it"], id="refused-beside-any"),
        pytest.param([("it", 1), ("*", 0)], ["it"], id="all-others-refused"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_refused_languages_are_not_acceptable(
    weighted: list[tuple[str, float]], languages: list[str]
) -> None:
    assert acceptable(weighted) == languages


def test_the_language_of_a_page_must_be_known() -> None:
    assert page_language(["en", "ja"], "ja-JP") == "ja"
    assert page_language(["ja"], None) == "ja"
    with pytest.raises(
        InvalidValue, match='lang="ga": no term is known in this language; use one of: en, ja'
    ):
        page_language(["en", "ja"], "ga")


def test_a_text_may_be_in_any_language() -> None:
    assert [text_language(["en", "ja"], tag) for tag in (None, "und", "ga", "ja-JP")] == ["*", "*", "*", "ja"]
