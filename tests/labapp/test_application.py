"""The program as a process: nothing heavy before the first paint, and an end that is always clean."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("torch", "h5py", "scipy", "ziamath")
COMPUTING = ("torch", "h5py", "scipy")

START = """
import sys
from PySide6.QtCore import QSettings, QTimer
from labapp import application
from labapp.settings import Settings
{before}
import main
assert not set({heavy!r}) & set(sys.modules), set({heavy!r}) & set(sys.modules)
application.Settings = lambda: Settings(QSettings("settings.ini", QSettings.Format.IniFormat))
fill = application.fill
def filled(window, file=None):
    fill(window, file)
    act(window)
application.fill = filled
{act}
sys.exit(application.start(lambda: {parts}))
"""
TOY = "__import__('tests.labapp.toy', fromlist=['']).toy_parts(warm_up=main.make_parts().warm_up)"


def start(
    tmp_path: Path, act: str, before: str = "", send: int | None = None, parts: str = TOY
) -> subprocess.CompletedProcess[str]:
    """Run the lab in a process of its own; ``act`` defines what happens once the window is filled."""
    code = START.format(before=before, act=act, heavy=HEAVY, parts=parts)
    environment = {**os.environ, "PYTHONPATH": os.getcwd(), "QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stderr
    line = process.stdout.readline()
    if send is not None:
        process.send_signal(send)
    out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(process.args, process.returncode, line + out, err)


def test_nothing_heavy_is_loaded_before_the_panels_are_painted_and_torch_is_afterwards(tmp_path: Path) -> None:
    before = f"""
from labapp.window import LabWindow
original = LabWindow.build
def build(self, awake=True):
    original(self, awake)
    warm_up = self.warm_up
    def watched():
        print([name for name in {COMPUTING} if name in sys.modules], flush=True)
        warm_up()
    self.warm_up = watched
LabWindow.build = build
"""
    act = """
def act(window):
    def look():
        if window.hosts[0].is_current:
            print("torch" in sys.modules, window.hosts[0].banner.isHidden(), flush=True)
            timer.stop()
            window.close()
    window.timer = timer = QTimer(interval=5)
    timer.timeout.connect(look)
    timer.start()
"""
    done = start(tmp_path, act, before, parts="main.make_parts()")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[]", "True True"]


STUCK = """
import threading, time
began = threading.Event()
def stuck(job):
    began.set()
    while True:
        sum(range(1000))
def act(window):
    window.warm_up = lambda: None
    window.runner.request("fit", stuck, ())
    window.runner.release(first="fit")
    began.wait(30)
    def close():
        print(time.monotonic(), flush=True)
        window.close()
    QTimer.singleShot(0, close)
"""


def test_closing_under_a_computation_that_never_checks_ends_with_code_0(tmp_path: Path) -> None:
    done = start(tmp_path, STUCK)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without asking it")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_cleanly_and_the_layout_is_kept(tmp_path: Path, number: int) -> None:
    act = """
def act(window):
    window.warm_up = lambda: None
    print("ready", flush=True)
"""
    done = start(tmp_path, act, send=number)
    assert (done.returncode, done.stderr) == (0, "")
    assert "docks=" in (tmp_path / "settings.ini").read_text()


def test_closing_while_torch_is_loading_ends_with_code_0(tmp_path: Path) -> None:
    act = """
def act(window):
    QTimer.singleShot(200, window.close)
"""
    done = start(tmp_path, act)
    assert (done.returncode, done.stderr) == (0, "")
