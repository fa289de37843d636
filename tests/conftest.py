"""Fixtures for all tests: the embedded graph, golden files, the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from compute_atlas.graph import build
from compute_atlas.graph.reading.claims import as_json
from compute_atlas.graph.reading.edition import Reading
from compute_atlas.graph.store import open_store
from pyoxigraph import Quad, Store

from tests.serving import Service, running

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


SAMPLE = """
@prefix e: <http://kg.test/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:NCv3 a e:VMSeries ; rdfs:label "NCv3 シリーズ"@ja , "Serie NCv3"@it ; e:next e:Volta .
GRAPH e:g { e:Volta a e:Arch ; rdfs:label "Volta"@it , "<b>&"@en ; e:next e:CUDA9 }
GRAPH e:h { e:Volta a e:Arch . e:CUDA9 rdfs:comment "line\\r\\nbreak", "control \\u0001" . [] e:p e:Volta }
"""


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service on a small graph, with a time limit of 3 s. Never changed."""
    folder = tmp_path_factory.mktemp("served")
    data = folder / "sample.trig"
    data.write_text(SAMPLE, encoding="utf-8")
    token = {"COMPUTE_ATLAS_OPERATOR_TOKEN": "secret"}
    with running(folder, "--data", str(data), "--timeout", "3", **token) as service:
        yield service


@pytest.fixture(scope="session")
def embedded_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service on the embedded graph. Never changed."""
    with running(tmp_path_factory.mktemp("embedded")) as service:
        yield service


@pytest.fixture
def score(shared: Path, tmp_path: Path) -> Callable[[str, Reading], dict[str, Any]]:
    """Score what was read against the facts of a real document read by hand; aliases count."""

    def run(name: str, reading: Reading) -> dict[str, Any]:
        facts = tmp_path / f"{name}.json"
        facts.write_text(json.dumps([as_json(claim, reading.document) for claim in reading.claims]))
        scorer: list[str | Path] = [sys.executable, shared / "editions" / "score.py", "--alias"]
        result = tmp_path / "score.json"
        command = [*scorer, shared / "editions" / f"{name}.json", facts, "--json", result]
        subprocess.run(command, capture_output=True, check=True)
        found: dict[str, Any] = json.loads(result.read_text())[0]
        return found

    return run
