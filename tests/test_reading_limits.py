"""Whatever a document holds, reading it ends soon: with claims, with what was left out, or with a clear error."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from compute_atlas.graph.errors import AtlasError, UnreadableFile
from compute_atlas.graph.reading.document import MAX_ROWS, parse
from compute_atlas.graph.reading.edition import NothingRead, Reading, read
from compute_atlas.graph.reading.lexicon import Lexicon, load
from compute_atlas.graph.reading.pages import read_file
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

CORPORA = Path(__file__).parent / "corpora"
PAGES = [(path.name, path.read_bytes()) for path in sorted(CORPORA.glob("page-*"))]
LANGUAGES = ("en", "ja", "it", "de", "nl")
# Of processor time, for 2 MB of whatever is worst.
LIMIT_S = 30
TABLE = "| GPU Architecture | Azure VM series | Supported CUDA versions |\n|---|---|---|\n| Volta | NCv3 | 9.0+ |\n\n"
HEAD = f"# Compute isolation\n\n{TABLE}"


@pytest.fixture(scope="module")
def lexicons() -> dict[str, Lexicon]:
    return {language: load(language) for language in LANGUAGES}


def attempt(content: bytes, lexicon: Lexicon) -> Reading | None:
    """Read a page; anything but a result or an error of ours fails the test."""
    try:
        return read(parse("page", content), lexicon)
    except (NothingRead, UnreadableFile) as error:
        message = str(error)
    assert message.startswith("page")
    assert len(message) < 500
    return None


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(page=st.sampled_from(PAGES), end=st.integers(0, 4000), language=st.sampled_from(LANGUAGES))
def test_a_page_cut_off_anywhere(
    page: tuple[str, bytes], end: int, language: str, lexicons: dict[str, Lexicon]
) -> None:
    reading = attempt(page[1][:end], lexicons[language])
    lines = page[1].count(b"\n") + 1
    assert reading is None or all(0 < line <= lines for claim in reading.claims for line in claim.lines)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=3000), language=st.sampled_from(LANGUAGES))
def test_random_bytes(content: bytes, language: str, lexicons: dict[str, Lexicon]) -> None:
    attempt(content, lexicons[language])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parts=st.lists(
        st.sampled_from(
            [
                *"|*[]()#>-+`_\n\n: ",
                "| ",
                " |",
                "NC",
                "Yes",
                "9.0+",
                "[a](",
                "nv-series.md)",
                "<br>",
                "&nbsp;",
            ]
        ),
        max_size=400,
    ),
    language=st.sampled_from(LANGUAGES),
)
def test_random_markup(parts: list[str], language: str, lexicons: dict[str, Lexicon]) -> None:
    attempt((HEAD + "".join(parts)).encode(), lexicons[language])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(HEAD + "| a " * 10_000 + "|\n", "only the first 100 of the row's", id="wide-row"),
        pytest.param(TABLE.strip() + "\n" + "| a " * 4_000 + "|\n", "only the first 100", id="wide-row-of-text"),
        pytest.param(HEAD + "".join(f"{'  ' * i}* x\n" for i in range(1000)), "nested deeper", id="deep-list"),
        pytest.param(HEAD + "* x\n" * 300_000, None, id="long-list"),
        pytest.param(TABLE.strip() + "\n| Volta | NCv3 | 9.0+ |" * 60_000, "only the first 2,000 rows", id="long-table"),
        pytest.param(HEAD + "[" * 1_000_000, "only the first 20,000 of", id="brackets"),
        pytest.param(HEAD + ("**a " * 4_900 + "\n") * 90, None, id="stars"),
        pytest.param(HEAD + ("compute target run training script " * 500 + ".\n\n") * 100, "sentence of", id="cue-words"),
        pytest.param("# a\n" * 100_000 + HEAD, None, id="headings"),
        pytest.param(HEAD + '<a name="x' * 1_900 + "\n", None, id="anchors"),
        pytest.param(HEAD + "* a*\n" * 30_000 + "\n*x\n", None, id="footnotes"),
    ],
)  # fmt: skip
def test_what_is_too_large_is_read_in_part_and_said(
    text: str, said: str | None, lexicons: dict[str, Lexicon]
) -> None:
    start = time.process_time()
    reading = attempt(text.encode(), lexicons["en"])
    assert time.process_time() - start < LIMIT_S
    assert reading is not None
    assert ("architecture/volta", "min_cuda_version", "9.0") in {
        (c.subject, c.predicate, c.object) for c in reading.claims
    }
    assert said is None or any(said in finding.what for finding in reading.findings)


def test_a_table_as_long_as_may_be_is_read_whole() -> None:
    more = "\n| Volta | NCv3 | 9.0+ |" * (MAX_ROWS - 1)
    assert parse("page.md", (HEAD.strip() + more).encode()).findings == ()


def test_fifty_megabytes_are_refused_at_once(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    with page.open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    start = time.process_time()
    with pytest.raises(AtlasError, match=r"more than 2 MiB, which is no page; give one page"):
        read_file(page, "en")
    assert time.process_time() - start < 2
