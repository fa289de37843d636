#!/usr/bin/env python3
"""Make the project's environment when it is out of date, and run a task in it.

    python3 dev.py serve [OPTION…]   the service on http://127.0.0.1:8765 (options as `compute-atlas serve`)
    python3 dev.py test [OPTION…]    ruff, mypy and the tests (options go to pytest)
    python3 dev.py run COMMAND…      compute-atlas COMMAND…
    python3 dev.py bench NAME        measure: http, or any other module in tests/bench/
    python3 dev.py editions DIR      write the shipped editions again from the documents in DIR
    python3 dev.py lock              resolve the requirements again (needs a package index)

Needs Python 3.11 or later and nothing else.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / "python"
STAMP = VENV / "inputs.sha256"
LOCKS = ("requirements-build", "requirements", "requirements-dev", "requirements-bench")
BENCH = ROOT / ".venv-bench"
EDITIONS = {
    "ja-seed": ("ja", "ja-seed.txt"),
    "it-seed": ("it", "it-seed.txt"),
    "en-2024-01": ("en", "en-2024-01.md"),
}


def main(arguments: list[str]) -> int:
    """Run the task that the first argument names; return its exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036  (who runs this may have an older one)
        print(f"dev.py: Python 3.11 or later is needed, this is {sys.version.split()[0]}", file=sys.stderr)
        return 2
    name, *rest = arguments or ["help"]
    if name not in TASKS:
        print(__doc__.strip(), file=sys.stdout if name in ("help", "--help", "-h") else sys.stderr)
        return 0 if name in ("help", "--help", "-h") else 2
    try:
        prepare()
        return TASKS[name](rest)
    except subprocess.CalledProcessError as error:
        print(
            f"dev.py: `{' '.join(map(str, error.cmd))}` ended with exit code {error.returncode}",
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        return 130


def prepare() -> None:
    """Bring .venv up to the locked requirements; does nothing while no input has changed."""
    wanted = _inputs_digest()
    if STAMP.exists() and STAMP.read_text() == wanted:
        return
    print("dev.py: preparing .venv (once, and again when the requirements change) …", file=sys.stderr)
    if not PYTHON.exists() or not _is_current(PYTHON):
        _call([sys.executable, "-m", "venv", "--clear", VENV])
    pip: list[str | Path] = [PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    _call([*pip, "--require-hashes", "-r", ROOT / "requirements-dev.txt"])
    _call([*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT])
    STAMP.write_text(wanted)


def serve(arguments: list[str]) -> int:
    """Serve the embedded graph until interrupted."""
    return _hand_over([BIN / "compute-atlas", "serve", *arguments])


def run(arguments: list[str]) -> int:
    """Run any command of the product."""
    return _hand_over([BIN / "compute-atlas", *arguments])


def test(arguments: list[str]) -> int:
    """Lint, check types, run the tests."""
    _call([BIN / "ruff", "check", ROOT])
    _call([BIN / "ruff", "format", "--check", ROOT])
    _call([BIN / "mypy"])
    _call([BIN / "mypy", ROOT / "tests", ROOT / "dev.py"])
    return subprocess.run([PYTHON, "-m", "pytest", *arguments], cwd=ROOT, check=False).returncode


def bench(arguments: list[str]) -> int:
    """Run a benchmark; `http` gets the services it compares with into an environment of their own."""
    names = sorted(path.stem for path in (ROOT / "tests" / "bench").glob("[a-z]*.py"))
    name, *rest = arguments or [""]
    if name not in names:
        print(f'dev.py: no benchmark "{name}"; use one of: {", ".join(names)}', file=sys.stderr)
        return 2
    if name == "http" and not BENCH.exists():
        _call([sys.executable, "-m", "venv", BENCH])
        pip: list[str | Path] = [
            BENCH / "bin" / "python",
            "-m",
            "pip",
            "--quiet",
            "install",
            "--require-hashes",
        ]
        _call([*pip, "-r", ROOT / "requirements-bench.txt"])
    return subprocess.run([PYTHON, "-m", f"tests.bench.{name}", *rest], cwd=ROOT, check=False).returncode


def editions(arguments: list[str]) -> int:
    """Write ontology/editions/*.trig again from the documents in a folder."""
    if len(arguments) != 1:
        print("dev.py: editions takes the folder with the documents", file=sys.stderr)
        return 2
    for name, (language, file) in EDITIONS.items():
        target = ROOT / "ontology" / "editions" / f"{name}.trig"
        command: list[str | Path] = [BIN / "compute-atlas", "extract"]
        command += [Path(arguments[0]) / file, "--lang", language]
        made = subprocess.run(
            [*command, "--id", name, "--format", "trig"], stdout=subprocess.PIPE, check=True
        )
        target.write_bytes(made.stdout)
        print(f"dev.py: wrote {target.relative_to(ROOT)}", file=sys.stderr)
    return 0


def lock(_: list[str]) -> int:
    """Compile requirements*.in to hashed pins, without any address of an index."""
    for name in LOCKS:
        command: list[str | Path] = [
            BIN / "uv",
            "--quiet",
            "pip",
            "compile",
            "--universal",
            "--python-version",
            "3.11",
        ]
        command += ["--generate-hashes", "--no-header", "--no-emit-index-url", "--no-emit-find-links"]
        _call([*command, f"{name}.in", "--output-file", f"{name}.txt"])
    return 0


TASKS = {"serve": serve, "run": run, "test": test, "bench": bench, "editions": editions, "lock": lock}


def _is_current(python: Path) -> bool:
    """Tell whether the environment's Python is the one that runs this."""
    found = subprocess.run(
        [python, "-c", "import sys; print(sys.version)"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() == sys.version


def _inputs_digest() -> str:
    digest = hashlib.sha256(sys.version.encode() + str(ROOT).encode())
    for file in [ROOT / "pyproject.toml", *(ROOT / f"{name}.txt" for name in LOCKS[:3])]:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _call(command: list[str | Path]) -> None:
    subprocess.run([str(part) for part in command], cwd=ROOT, check=True)


def _hand_over(command: list[str | Path]) -> int:
    """Become the command where the system can, so that signals reach it and nothing stands in between."""
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(str(command[0]), [str(part) for part in command])
    return subprocess.run([str(part) for part in command], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
