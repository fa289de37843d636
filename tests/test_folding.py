"""The two folds: what they make equal, and what they keep apart."""

from __future__ import annotations

import pytest
from compute_atlas.graph.lookup.folding import loose, strict
from hypothesis import given
from hypothesis import strategies as st

SAME_STRICT = [
    pytest.param("ＮＣｖ３", "NCv3", id="full-width"),
    pytest.param("ﾃﾞｻﾞｲﾅｰ", "デザイナー", id="half-width"),
    pytest.param("リモート　ＶＭ", "リモート vm", id="ideographic-space"),
    pytest.param("  a \u00a0 b\t", "a b", id="blanks"),
    pytest.param("l’area", "l'area", id="apostrophe"),
    pytest.param("サ-バ‐レス", "サーバーレス", id="dash-after-kana"),
    pytest.param("wor\u00adk\u200bspace", "workspace", id="invisible"),
    pytest.param("Sì", "SI\u0300", id="decomposed"),
]
SAME_LOOSE = [
    *SAME_STRICT,
    pytest.param("dell'area di lavoro", "area di lavoro", id="elided-article"),
    pytest.param("Funzionalita'", "Funzionalità", id="apostrophe-for-accent"),
    pytest.param("コンピュータ", "コンピューター", id="long-vowel"),
    pytest.param("シングル・ノード", "シングルノード", id="middle-dot"),
    pytest.param("こんぴゅーてぃんぐ", "コンピューティング", id="hiragana"),
    pytest.param('コンピューティング "クラスター"', "コンピューティング クラスター", id="quotes"),
    pytest.param("プール（プレビュー）", "プール プレビュー", id="brackets"),
    pytest.param("NC_Promo", "nc-promo", id="separators"),
]
DIFFERENT = [
    pytest.param("11.0+", "11.0", id="plus"),
    pytest.param("ハ゜", "ハ", id="voiced"),
    pytest.param("バッチ", "パッチ", id="dakuten"),
    pytest.param("11.0", "110", id="point"),
    pytest.param("non gestito", "gestito", id="negation"),
    pytest.param("lavoro", "avoro", id="l-without-apostrophe"),
]


@pytest.mark.parametrize(("left", "right"), SAME_STRICT)
def test_strict_fold_ignores_how_it_is_typed(left: str, right: str) -> None:
    assert strict(left) == strict(right)


@pytest.mark.parametrize(("left", "right"), SAME_LOOSE)
def test_loose_fold_ignores_how_it_is_spelt(left: str, right: str) -> None:
    assert loose(left) == loose(right)


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_loose_fold_keeps_what_means_something_else(left: str, right: str) -> None:
    assert loose(left) != loose(right)


def test_strict_fold_keeps_accents_and_long_vowels() -> None:
    assert strict("sì") != strict("si")
    assert strict("コンピューター") != strict("コンピュータ")


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert strict(strict(text)) == strict(text)
    assert loose(loose(text)) == loose(text)
