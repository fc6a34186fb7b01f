"""The wheel, installed into an empty folder elsewhere, starts and finds its assets."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PySide6.QtGui import QImage


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that nothing is left in the checkout."""
    root = Path(__file__).parent.parent
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "source"
    copy.mkdir()
    for name in ("main.py", "pyproject.toml", "README.md", "LICENSE", "assets", "labapp", "models", "panels"):
        if (root / name).exists():
            (copy / name).symlink_to(root / name)
    command = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(copy)]
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elsewhere")
    command = ["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(folder), str(wheel)]
    subprocess.run([sys.executable, *command], check=True)
    return folder


def lookuplab(elsewhere: Path, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command; the heavy libraries come from this environment, the lab from elsewhere."""
    start = (
        f"import sys; sys.path.insert(0, {str(elsewhere)!r}); import main, labapp, models, panels;"
        f"assert all(m.__file__.startswith({str(elsewhere)!r}) for m in (main, labapp, models, panels));"
        f"sys.argv[0] = 'lookuplab'; sys.exit(main.main())"
    )
    # -P: neither the working folder nor the checkout is searched for modules.
    command = [sys.executable, "-P", "-c", start, *arguments]
    environment = {**os.environ, "PYTHONPATH": "", "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_the_wheel_holds_code_and_assets_and_no_tests(wheel: Path) -> None:
    root = Path(__file__).parent.parent
    names = set(zipfile.ZipFile(wheel).namelist())
    assets = {
        str(path.relative_to(root)) for path in (root / "assets").rglob("*") if path.suffix in (".json", ".svg", ".png")
    }
    assert {"assets/scenes/rents.json", "assets/themes/dark.json"} <= assets
    assert assets <= names
    assert "main.py" in names
    assert not [name for name in names if name.startswith(("tests", "docs", "build"))]


def test_it_has_its_command(elsewhere: Path) -> None:
    assert (elsewhere / "bin" / "lookuplab").exists() or (elsewhere / "Scripts" / "lookuplab.exe").exists()


def test_it_lists_its_scenes(elsewhere: Path, tmp_path: Path) -> None:
    (tmp_path / "assets" / "scenes").mkdir(parents=True)  # another program's folder of that name does no harm
    done = lookuplab(elsewhere, tmp_path, "scenes")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("rents")
    assert "database" in done.stdout


def test_it_draws_a_picture(elsewhere: Path, tmp_path: Path) -> None:
    done = lookuplab(elsewhere, tmp_path, "render", "rents", "-o", "rents.png", "--size", "900x700")
    assert (done.returncode, done.stderr) == (0, "")
    image = QImage(str(tmp_path / "rents.png"))
    assert (image.width(), image.height()) == (900, 700)
    colours = {image.pixelColor(x, y).name() for x in range(0, 900, 3) for y in range(0, 700, 3)}
    assert len(colours) > 20
