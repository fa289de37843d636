"""Tokens of queries: what is a string, an IRI, a comment, a name, and where it stands."""

from __future__ import annotations

import time

import pytest
from compute_atlas.queries.tokens import place, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("?a<?b", "variable ?a|symbol <|variable ?b", id="less-than"),
        pytest.param("?a<b>", "variable ?a|iri <b>", id="iri"),
        pytest.param(r"<http://e/\u00e9>", r"iri <http://e/\u00e9>", id="escape-in-iri"),
        pytest.param("'a\"b' \"c'd\"", "string 'a\"b'|string \"c'd\"", id="quotes-in-quotes"),
        pytest.param(r'"a\"b" c', r'string "a\"b"|word c', id="escaped-quote"),
        pytest.param('"""a"b""c\n"""d', 'string """a"b""c\n"""|word d', id="long-string"),
        pytest.param("'''a''b'''", "string '''a''b'''", id="long-string-single"),
        pytest.param('"" ""', 'string ""|string ""', id="empty-strings"),
        pytest.param('"a\nb"', 'symbol "|word a|word b|symbol "', id="line-break-ends-no-string"),
        pytest.param("a#b\nc", "word a|word c", id="comment"),
        pytest.param("<a#b>", "iri <a#b>", id="hash-in-iri"),
        pytest.param("ex:a.b. ex:c.", "prefixed ex:a.b|symbol .|prefixed ex:c|symbol .", id="dots"),
        pytest.param(
            r"ex:a\,b ex:%41 :x ex:", r"prefixed ex:a\,b|prefixed ex:%41|prefixed :x|prefixed ex:", id="names"
        ),
        pytest.param("_:b.x", "blank _:b.x", id="blank-node"),
        pytest.param('"x"@ja-Hira', 'string "x"|tag @ja-Hira', id="language"),
        pytest.param("シリーズ:あ", "prefixed シリーズ:あ", id="japanese"),
        pytest.param("1.5e3.", "number 1.5e3|symbol .", id="number"),
    ],
)
def test_tokens(text: str, tokens: str) -> None:
    assert "|".join(f"{token.kind} {token.text}" for token in tokenize(text)) == tokens


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_place_counts_lines_however_they_end(line_break: str) -> None:
    text = f"あ{line_break}bc d"
    assert place(text, text.index("d")) == (2, 4, "bc d")


def test_place_at_the_end() -> None:
    assert place("a\nb", 3) == (2, 2, "b")


def test_a_literal_of_megabytes_is_one_quick_token() -> None:
    text = "'''" + "x'" * 100_000 + "y" * 4_000_000 + "'''"
    started = time.perf_counter()
    assert [token.kind for token in tokenize(text)] == ["string"]
    assert time.perf_counter() - started < 1
