"""Words of a language never seen, proposed by aligning a page with a known edition."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from compute_atlas.graph.comparing import outlines
from compute_atlas.graph.editions import as_outline
from compute_atlas.graph.reading import learning
from compute_atlas.graph.reading.lexicon import BadLexicon
from compute_atlas.graph.reading.outline import dump, load
from compute_atlas.graph.reading.pages import parse_file, read_file
from compute_atlas.ontology import files

CORPORA = Path(__file__).parent / "corpora"
Run = Callable[..., subprocess.CompletedProcess[str]]
Found = dict[str, dict[str, list[str]]]


@pytest.fixture(scope="module")
def found() -> Found:
    """What our Dutch page teaches."""
    return learning.learn(parse_file(CORPORA / "page-nl.md"), "nl", outlines.like("en-2024-01"))


@pytest.mark.parametrize(
    ("section", "meaning", "text"),
    [
        pytest.param("headings", "unmanaged_compute", "Onbeheerd", id="heading-by-anchor"),
        pytest.param("names", "ontology#VMCategory", "Soort", id="header"),
        pytest.param("names", "category/general_purpose", "Voor alles", id="cell"),
        pytest.param("names", "category/memory_optimized", "Veel geheugen", id="another-cell"),
        pytest.param("names", "target/compute_cluster", "Rekencluster", id="target"),
        pytest.param("names", "term/clusters_and_instances", "Rekenclusters en exemplaren", id="pair"),
        pytest.param("names", "capability/single_node_only", "Cluster met een knoop", id="cell-of-a-matrix"),
        pytest.param("words", "floor", "en hoger", id="floor"),
    ],
)
def test_a_page_teaches(found: Found, section: str, meaning: str, text: str) -> None:
    assert text in found[section][meaning]


def test_with_the_words_the_page_can_be_read(found: Found, tmp_path: Path) -> None:
    lexicon = tmp_path / "nl.toml"
    lexicon.write_text(learning.as_toml("nl", found, "page-nl.md"), encoding="utf-8")
    claims = read_file(CORPORA / "page-nl.md", "nl", lexicon=lexicon).claims
    stated = {(c.subject, c.predicate, c.object) for c in claims if not c.is_uncertain}
    assert ("series/FX", "supported_by", "target/compute_cluster") in stated
    assert ("series/M", "has_category", "category/memory_optimized") in stated
    assert ("architecture/turing", "min_cuda_version", "10.0") in stated
    assert ("target/compute_instance", "has_capability", "capability/autoscale") not in stated


def test_the_command_prints_toml(cli: Run) -> None:
    shown = cli("learn", CORPORA / "page-nl.md", "--lang", "nl", "--like", "en-2024-01")
    assert shown.returncode == 0
    assert set(tomllib.loads(shown.stdout)) == {"words", "headings", "names", "statements"}


def test_an_unknown_edition_lists_the_known(cli: Run) -> None:
    shown = cli("learn", CORPORA / "page-nl.md", "--lang", "nl", "--like", "en-1999")
    assert shown.returncode == 1
    assert 'no outline of "en-1999"; use one of: cs-2020-03' in shown.stderr


@pytest.mark.parametrize(
    "text", ["[words", "[words]\nyes = 1\n", "names = 3\n", '[statements]\nplaces = ["{a} {a}"]\n']
)
def test_a_bad_lexicon_is_an_error_that_names_it(text: str, tmp_path: Path) -> None:
    lexicon = tmp_path / "nl.toml"
    lexicon.write_text(text)
    with pytest.raises(BadLexicon, match=r"nl\.toml: "):
        read_file(CORPORA / "page-nl.md", "nl", lexicon=lexicon)


def test_an_outline_survives_its_file() -> None:
    parts = load(as_outline(read_file(CORPORA / "page-en.md", "en")))
    assert len(parts) > 20
    assert load(dump(parts)) == parts


def test_shipped_outlines_hold_no_sentences() -> None:
    paths = files.outlines()
    assert len(paths) == 5
    for path in paths:
        marks = [m for part in load(path.read_text("utf-8")) for s in part.sentences for m in s.marks]
        assert not [mark for mark in marks if " " in mark]


@pytest.mark.parametrize(
    ("name", "file", "least"),
    [
        pytest.param("de-2021-09", "de-2021-09.md", 0.85, id="de"),
        pytest.param("zh-cn-2021-08", "zh-cn-2021-08.md", 0.95, id="zh"),
        pytest.param("hu-2021-03", "hu-2021-03.md", 0.85, id="hu"),
        pytest.param("pt-br-2020-07", "pt-br-2020-07.md", 0.85, id="pt"),
    ],
)
def test_real_pages_as_if_never_seen(
    name: str, file: str, least: float, shared: Path, tmp_path: Path, score: Callable[..., dict[str, float]]
) -> None:
    """The outline of the page itself is held out, and its language goes by a tag without a lexicon."""
    known = [load(path.read_text("utf-8")) for path in files.outlines() if path.stem != name]
    page = shared / "editions" / file
    lexicon = tmp_path / "xx.toml"
    lexicon.write_text(learning.as_toml("nl", learning.learn(parse_file(page), "nl", known), file), "utf-8")
    result = score(name, read_file(page, "nl", lexicon=lexicon))
    assert result["precision"] >= 0.97
    assert result["recall"] >= least
    assert result["traps"] == 0
