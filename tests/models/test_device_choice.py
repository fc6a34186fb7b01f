"""How a device is found, probed and turned down, and that none is touched where the CPU was chosen."""

from __future__ import annotations

import logging
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from models.backend import CPU, DEVICES, Backend, Place, find_place, probe
from models.errors import LabError
from tests.cases import case
from tests.models.faked_card import FakedCard, FakedPlace

OLD_DRIVER = "CUDA initialization: The NVIDIA driver on your system is too old (found version 11040). Please update."


def refuse(error: Exception) -> Callable[[str], Place | None]:
    """A machine whose CUDA device raises and which has no other."""

    def find(device: str) -> Place | None:
        if device == "cuda":
            raise error
        return None

    return find


def test_without_a_device_the_cpu_computes_and_nothing_is_said() -> None:
    backend = Backend("auto", lambda device: None)
    assert (backend.label, backend.place, backend.notice) == ("", CPU, "")
    assert backend.label == "CPU · float64"


def test_a_device_that_was_asked_for_and_is_not_there_is_told() -> None:
    backend = Backend("xpu", lambda device: None)
    assert backend.place == CPU
    assert backend.notice == "This machine has no XPU device that torch can use; the lab computes on the CPU."


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(LabError, match="choose one of auto, cpu"):
        Backend("gpu")


def test_the_next_device_follows_one_that_fails() -> None:
    places = {"mps": Place("mps", "float32")}

    def find(device: str) -> Place | None:
        if device == "cuda":
            raise RuntimeError("CUDA error: no kernel image is available for execution on the device")
        return places.get(device)

    backend = Backend("auto", find)
    assert backend.place.device == "mps"
    assert backend.notice == (
        "CUDA can't be used: this version of torch has no program for this card. "
        "The lab computes on MPS instead, with the same numbers."
    )


@pytest.mark.parametrize("asked", ["auto", "cuda"])
def test_t02_the_reason_is_shown_once_and_the_user_can_retry(asked: str, caplog: pytest.LogCaptureFixture) -> None:
    text = case("T-02")["input"]["stand-in"]
    assert "no kernel image" in text
    with caplog.at_level(logging.WARNING, "lookuplab.device"):
        backend = Backend(asked, refuse(RuntimeError(text)))
        assert backend.run(lambda place: place) == backend.place == CPU
    assert backend.notice.startswith("CUDA can't be used: this version of torch has no program for this card.")
    assert "no kernel image" in caplog.text
    card = FakedCard()
    assert Backend(asked, card.find).place.device == "cuda"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (OLD_DRIVER, "its driver is too old for this version of torch"),
        ("CUDA out of memory. Tried to allocate 20.00 MiB.", "it has too little free memory"),
        ("a small matrix product came out wrong", "it computes wrong numbers"),
        ("CUDA unknown error", "it has stopped answering"),
        ("Torch not compiled with CUDA enabled", "this version of torch was built without it"),
    ],
)
@pytest.mark.parametrize("kind", [RuntimeError, AssertionError, torch.cuda.DeferredCudaCallError])
def test_reasons_are_plain(kind: type[Exception], text: str, reason: str) -> None:
    backend = Backend("cuda", refuse(kind(text)))
    assert backend.place == CPU
    assert (
        backend.notice == f"CUDA can't be used: {reason}. The lab computes on the CPU instead, with the same numbers."
    )


def test_why_torch_finds_a_card_unavailable_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """``is_available`` then warns and says no; without a card it only says no."""

    def is_available() -> bool:
        warnings.warn(OLD_DRIVER, UserWarning, stacklevel=1)
        return False

    monkeypatch.setattr(torch.cuda, "is_available", is_available)
    backend = Backend("auto")
    assert backend.place == CPU
    assert "CUDA can't be used: its driver is too old" in backend.notice
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert find_place("cuda") is None


def test_available_but_of_no_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here torch is built without CUDA: its first call raises an AssertionError."""
    if torch.backends.cuda.is_built():
        pytest.skip("this torch is built with CUDA")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    backend = Backend("auto")
    assert backend.place == CPU
    assert "this version of torch was built without it" in backend.notice


def test_a_device_without_float64_gets_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Place.tensor

    def tensor(self: Place, values: Any) -> torch.Tensor:
        if self.device == "xpu" and self.dtype == "float64":
            raise RuntimeError("Required aspect fp64 is not supported on the device")
        return whole(Place("cpu", self.dtype), values)

    monkeypatch.setattr(torch.xpu, "is_available", lambda: True)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    monkeypatch.setattr(Place, "tensor", tensor)
    for device in ("xpu", "mps"):
        assert find_place(device) == Place(device, "float32")


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("off", [0.0, 1e-3])
def test_the_probe_finds_wrong_numbers(monkeypatch: pytest.MonkeyPatch, dtype: str, off: float) -> None:
    """Off by 1/1000, as in matrix products of reduced precision."""
    card = FakedCard()
    put = card.put
    monkeypatch.setattr(card, "put", lambda tensor: put(tensor * (1 + off)))
    place = FakedPlace("cuda", dtype, card=card)
    if not off:
        probe(place)
    else:
        with pytest.raises(RuntimeError, match="came out wrong"):
            probe(place)


WATCHED = """
    import torch
    touched = []

    def watch(module, name):
        whole = getattr(module, name)
        def spy(*args, **kwargs):
            touched.append(f"{module.__name__}.{name}")
            return whole(*args, **kwargs)
        setattr(module, name, spy)

    for module, names in {
        torch.cuda: "is_available device_count current_device get_device_name init _lazy_init empty_cache synchronize",
        torch.xpu: "is_available device_count current_device get_device_name init _lazy_init empty_cache",
        torch.backends.mps: "is_available",
        torch.accelerator: "is_available device_count current_accelerator current_stream empty_cache",
    }.items():
        for name in names.split():
            if hasattr(module, name):
                watch(module, name)
"""


def watched(code: str, folder: Path) -> str:
    """What ``code`` prints, run where every way to a device is watched."""
    script = textwrap.dedent(WATCHED) + textwrap.dedent(code)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_nothing_touches_a_device_where_the_cpu_was_chosen(repository: Path) -> None:
    """Warming up, every section of every panel, the versions of the About box. The last line: the watch sees."""
    said = watched(
        """
        import main
        from models.backend import Backend, warm_up
        from models.job import DirectJob
        from tests.models.device_questions import COMPUTATIONS, SECTIONS

        job = DirectJob(Backend("cpu"))
        main.make_parts().versions()
        print(warm_up("cpu", job))
        for compute in (*COMPUTATIONS.values(), *SECTIONS.values()):
            compute(job)
        print(len(SECTIONS), touched, torch.cuda.is_initialized())
        torch.optim.Adam([torch.ones(1)]).step()
        print(bool(touched))
        """,
        repository,
    )
    assert said.splitlines() == ["CPU · float64", "11 [] False", "True"]


def test_every_device_of_the_menu_can_be_asked_for() -> None:
    for device in DEVICES:
        assert Backend(device, lambda name: None).place == CPU
