"""One module touches the HDF5 library, nobody runs what a file says, and the window loads nothing of it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ROOMS = ("labapp", "models", "panels", "assets")
DOOR = ROOT / "labapp" / "session" / "hdf5.py"
BANNED_MODULES = {"pickle", "_pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "tables"}
BANNED_CALLS = {"eval", "exec", "compile", "__import__"}
BANNED_LOADS = {("np", "load"), ("numpy", "load"), ("torch", "load"), ("np", "loads"), ("numpy", "fromregex")}


def sources() -> list[Path]:
    found = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return found + sorted(ROOT.glob("*.py"))


def imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    if isinstance(node, ast.ImportFrom) and not node.level:
        yield (node.module or "").partition(".")[0]


def sins(source: str, door: bool = False) -> list[str]:
    """What a source does that it mustn't."""
    found = []
    for node in ast.walk(ast.parse(source)):
        modules = set(imported(node))
        found += sorted(modules & BANNED_MODULES)
        if "h5py" in modules and not door:
            found.append("h5py")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BANNED_CALLS:
            found.append(node.func.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found += [f"{node.value.id}.{node.attr}"] if (node.value.id, node.attr) in BANNED_LOADS else []
        if isinstance(node, ast.ImportFrom) and node.module in ("numpy", "torch"):
            found += [f"{node.module}.{alias.name}" for alias in node.names if alias.name == "load"]
    return found


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_source_opens_another_door(path: Path) -> None:
    assert sins(path.read_text(encoding="utf-8"), door=path == DOOR) == []


@pytest.mark.parametrize(
    "line",
    [
        "import h5py.h5d",
        "from h5py import File",
        "import pickle",
        "np.load('x')",
        "torch.load('x')",
        "from torch import load",
        "eval('1')",
        "exec('1')",
        "def f():\n    import h5py",
    ],
)
def test_the_walk_sees_what_it_looks_for(line: str) -> None:
    assert len(sins(line)) == 1


def test_the_face_of_sessions_loads_no_library() -> None:
    code = (
        "import sys, labapp.session.sessions, labapp.session.codec\n"
        "sys.exit(', '.join(m for m in ('h5py', 'cattrs', 'torch', 'PySide6') if m in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.stderr.strip() == ""


def test_plug_ins_are_off_before_the_library_loads() -> None:
    code = "import os, labapp.session.hdf5; assert os.environ['HDF5_PLUGIN_PRELOAD'] == '::'"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0
    lines = DOOR.read_text(encoding="utf-8")
    assert lines.index("HDF5_PLUGIN_PRELOAD") < lines.index("\nimport h5py")
