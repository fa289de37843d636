"""Fixtures for all tests: the embedded graph, golden files, the command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from compute_atlas.graph import build
from compute_atlas.graph.store import open_store
from pyoxigraph import Quad, Store

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="write tests/golden again; read the diff")


@pytest.fixture(scope="session")
def quads() -> list[Quad]:
    """The quads of the embedded graph."""
    return build.embedded()


@pytest.fixture(scope="session")
def store(quads: list[Quad]) -> Store:
    """The embedded graph. Loaded once and never changed."""
    return open_store(quads)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the real documents, where it lies beside the project."""
    if not SHARED.is_dir():
        pytest.skip("the real documents are not here (../shared)")
    return SHARED


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a file in tests/golden, or write it with --rewrite-golden."""

    def compare(name: str, text: str) -> None:
        path = ROOT / "tests" / "golden" / name
        if request.config.getoption("--rewrite-golden"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text

    return compare


@pytest.fixture
def cli() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `compute-atlas` with arguments, as a user would."""

    def run(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = [str(Path(sys.executable).with_name("compute-atlas")), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=cwd)

    return run
