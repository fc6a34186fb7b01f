"""The house rules that a machine can check; each failure names what has outgrown its room or gone astray."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOMS = ("labapp", "panels", "models")
LONGEST_FUNCTION, MEDIAN_FUNCTION, LONGEST_CLASS, LONGEST_FILE, LONGEST_MAIN = 40, 10, 250, 350, 60
ROOTS = {
    ".ci": "the one command of the build",
    "assets": "data",
    "docs": "decisions and guides",
    "labapp": "the shell",
    "models": "the mathematics",
    "panels": "the panels",
    "tests": "what must hold",
}


def modules(repository: Path) -> Iterator[tuple[str, str]]:
    """Name and text of every module of the program."""
    for path in [
        repository / "main.py",
        *(path for room in ROOMS for path in sorted((repository / room).rglob("*.py"))),
    ]:
        yield str(path.relative_to(repository)), path.read_text(encoding="utf-8")


def lines_of(node: ast.AST) -> int:
    return node.end_lineno - node.lineno + 1  # type: ignore[attr-defined, no-any-return]


def run(repository: Path, *command: str) -> None:
    done = subprocess.run([sys.executable, *command], cwd=repository, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_imports_go_one_way(repository: Path) -> None:
    run(repository, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache")


def test_functions_classes_and_files_fit_their_rooms(repository: Path) -> None:
    outgrown: list[str] = []
    lengths: dict[str, list[int]] = {}
    for name, text in modules(repository):
        size = len(text.splitlines())
        if size >= (LONGEST_MAIN if name == "main.py" else LONGEST_FILE):
            outgrown.append(f"{name} has {size} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lengths.setdefault(name.partition("/")[0], []).append(lines_of(node))
                if lines_of(node) > LONGEST_FUNCTION:
                    outgrown.append(f"{name}:{node.lineno} function {node.name} has {lines_of(node)} lines")
            elif isinstance(node, ast.ClassDef) and lines_of(node) >= LONGEST_CLASS:
                outgrown.append(f"{name}:{node.lineno} class {node.name} has {lines_of(node)} lines")
    for room, each in lengths.items():
        if statistics.median(each) >= MEDIAN_FUNCTION:
            outgrown.append(f"{room} has functions of {statistics.median(each)} lines in the median")
    assert not outgrown, "\n".join(outgrown)


def test_every_folder_has_its_purpose(repository: Path) -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=repository, capture_output=True, text=True, check=False)
    if tracked.returncode:
        pytest.skip("no checkout: the folders of a copy hold what was built there")
    roots = {line.partition("/")[0] for line in tracked.stdout.splitlines() if "/" in line}
    assert roots <= set(ROOTS), f"folders without a purpose: {', '.join(sorted(roots - set(ROOTS)))}"


def test_assets_hold_data_only(repository: Path) -> None:
    files = [path for path in (repository / "assets").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    kinds = {path.suffix for path in files if path.name != "__init__.py"}
    assert kinds <= {".json", ".svg", ".png", ".ico", ".h5", ".txt"}, f"unexpected kinds of files: {kinds}"


def test_lint(repository: Path) -> None:
    run(repository, "-m", "ruff", "check", "--no-cache", ".")


def test_format(repository: Path) -> None:
    run(repository, "-m", "ruff", "format", "--check", "--no-cache", ".")


def test_types(repository: Path) -> None:
    run(repository, "-m", "mypy")
