"""The embedded graph is built once: what is kept of it is the same, and never trusted when it is not whole."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from compute_atlas.graph.build import embedded
from compute_atlas.server.kept import embedded_quads

Run = Callable[..., object]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with what is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "compute-atlas"


def test_what_is_kept_is_what_was_built(folder: Path) -> None:
    built, read = embedded_quads(), embedded_quads()
    assert built == read == embedded()
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("content", ["", "\n", "# sha256:0\n<http://e/s> <http://e/p> <http://e/o> .\n"])
def test_a_damaged_file_is_written_again(folder: Path, content: str) -> None:
    built = embedded_quads()
    [kept] = folder.iterdir()
    whole = kept.read_bytes()
    kept.write_text(content)
    assert embedded_quads() == built
    assert kept.read_bytes() == whole


def test_without_a_folder_to_write_to_it_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert embedded_quads() == embedded()


def test_a_query_without_a_server_is_quick(cli: Run) -> None:
    cli("query", "ASK {}")
    used_s = []
    for _ in range(8):
        before = os.times()
        cli("query", "ASK {}")
        after = os.times()
        used_s.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    assert min(used_s) < 0.15, "on a free processor this is the time that it takes"
