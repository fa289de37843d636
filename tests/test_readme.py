"""The README's examples run as they stand and answer what it prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```sh\n(.*?)```\n```text\n(.*?)```", README, re.DOTALL)


def test_the_readme_has_its_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize(("command", "answer"), EXAMPLES, ids=range(1, len(EXAMPLES) + 1))
def test_an_example_answers_what_the_readme_prints(command: str, answer: str) -> None:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    shown = subprocess.run(
        ["bash", "-euc", command],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    assert [line.rstrip() for line in shown.stdout.splitlines()] == answer.splitlines()


def test_every_command_is_described() -> None:
    from compute_atlas.server.cli import COMMANDS

    missing = [name for name in COMMANDS if f"compute-atlas {name}" not in README]
    assert missing == [], "say in the README what the command is for"
