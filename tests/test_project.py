"""The project's own files: locks, wheel, and what must never stand in a file."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOCKS = sorted(ROOT.glob("requirements*.txt"))
ROOMS = ("ontology", "graph", "queries", "server")


def tracked(*patterns: str) -> list[str]:
    """Return the files that git tracks or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(name for name in listed.splitlines() if (ROOT / name).is_file())


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_locks_carry_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    assert "index-url" not in text
    pins = re.findall(r"^[a-z].*==", text, re.MULTILINE)
    assert len(pins) >= 1
    assert text.count("--hash=sha256:") >= len(pins)


def test_the_lock_of_the_node_tools_carries_hashes_and_no_address() -> None:
    text = (ROOT / "tests" / "node" / "package-lock.json").read_text()
    assert "://" not in text, "take the members `resolved` and `funding` out"
    assert text.count('"integrity": "sha') > 100


def test_locks_cover_what_the_project_declares() -> None:
    sources = sorted(path.stem for path in ROOT.glob("requirements*.in"))
    assert sorted(lock.stem for lock in LOCKS) == sources
    assert len(sources) == 4
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    listed = (ROOT / "requirements.in").read_text().split()
    assert sorted(declared) == sorted(listed), "pyproject.toml and requirements.in name the same"


def test_the_wheel_holds_every_module_and_data_file(tmp_path: Path) -> None:
    build: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        tmp_path,
    ]
    copy = tmp_path / "copy"
    for name in tracked():
        if name.partition("/")[0] in (*ROOMS, "pyproject.toml", "README.md", "LICENSE"):
            target = copy / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    subprocess.run([*build, copy], check=True, capture_output=True)
    wheel = next(tmp_path.glob("*.whl"))
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("compute_atlas/")}
    wanted = {f"compute_atlas/{name}" for name in tracked(*ROOMS)}
    assert len(wanted) > 60
    assert wanted - packed == set(), "add the folder or ending to pyproject.toml"
    assert packed - wanted == set()


def test_no_file_holds_a_path_of_this_machine_or_a_registry() -> None:
    places = [str(ROOT), "pypi" + ".org", "registry." + "npmjs", "files.python" + "hosted"]
    offenders = []
    for name in tracked():
        content = (ROOT / name).read_bytes()
        offenders += [f"{name}: {place}" for place in places if place.encode() in content]
    assert offenders == []


def test_links_for_type_checkers_lead_to_the_rooms() -> None:
    for name in ROOMS:
        assert (ROOT / ".dev" / "compute_atlas" / name).resolve() == ROOT / name
