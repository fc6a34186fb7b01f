"""Devices that fail: the computation ends on the CPU with the same numbers, and it is said once."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from labapp.runner import CancelledError
from models.backend import CPU, PATIENCE, Backend, Place, warm_up
from models.errors import LabError
from models.job import DirectJob
from models.lookup import soft_lookup
from tests.cases import case
from tests.models.device_questions import COMPUTATIONS
from tests.models.faked_card import FakedCard, assert_same

FAULTS: dict[str, Callable[[], Exception]] = {
    "no kernel image": lambda: torch.AcceleratorError("CUDA error: no kernel image is available for execution"),
    "driver too old": lambda: RuntimeError("The NVIDIA driver on your system is too old (found version 11040)."),
    "no float64": lambda: RuntimeError("Required aspect fp64 is not supported on the device"),
    "missing operation": lambda: NotImplementedError("The operator 'aten::sort' is not currently implemented for MPS."),
    "lost": lambda: torch.AcceleratorError("CUDA error: unspecified launch failure"),
    "not compiled": lambda: AssertionError("Torch not compiled with CUDA enabled"),
}
MEMORY: dict[str, Callable[[], Exception]] = {
    "allocator": lambda: torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
    "cublas": lambda: RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
    "mps": lambda: RuntimeError("MPS backend out of memory (MPS allocated: 17.00 GB, max allowed: 18.13 GB)."),
}
RAW = ("CUDA error", "aten::", "GiB", "CUBLAS", "MPS", "dtype", "version 11040")


@cache
def right(name: str) -> Any:
    return COMPUTATIONS[name](DirectJob())


@cache
def length(name: str) -> int:
    """So many operations on the device."""
    card = FakedCard()
    assert_same(COMPUTATIONS[name](DirectJob(Backend("cuda", card.find))), right(name))
    return card.calls


def compute_with(card: FakedCard, name: str) -> Backend:
    """The backend after the computation, whose numbers are the right ones."""
    backend = Backend("cuda", card.find)
    assert_same(COMPUTATIONS[name](DirectJob(backend)), right(name))
    return backend


def check_lost(name: str, kind: str, k: int) -> None:
    """Fails at operation k and ever after."""
    card = FakedCard(FAULTS[kind], lambda at, result: at >= k)
    backend = compute_with(card, name)
    assert card.faults == 1
    assert backend.place == CPU
    assert backend.notice.startswith("CUDA failed: ")
    assert "same numbers" in backend.notice
    assert not any(word in backend.notice for word in RAW)
    assert len(backend.notice) < 170
    said, calls = backend.notice, card.calls
    COMPUTATIONS[name](DirectJob(backend))
    assert (backend.notice, card.calls) == (said, calls)


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("name", COMPUTATIONS)
def test_a_failed_device_is_given_up(name: str, kind: str) -> None:
    """Each kind of fault at another place, from the first operation to the last."""
    check_lost(name, kind, list(FAULTS).index(kind) * (length(name) - 1) // (len(FAULTS) - 1))


@settings(max_examples=40)
@given(st.sampled_from(sorted(COMPUTATIONS)), st.sampled_from(sorted(FAULTS)), st.floats(0, 1, exclude_max=True))
def test_wherever_it_fails(name: str, kind: str, part: float) -> None:
    check_lost(name, kind, int(part * length(name)))


@settings(max_examples=40)
@given(
    st.sampled_from(sorted(COMPUTATIONS)),
    st.sampled_from(sorted(MEMORY)),
    st.floats(0, 1, exclude_max=True),
    st.integers(1, 6),
)
def test_out_of_memory_for_a_while(name: str, kind: str, part: float, often: int) -> None:
    first = int(part * length(name))
    card = FakedCard(MEMORY[kind], lambda k, result: k >= first and card.faults < often)
    backend = compute_with(card, name)
    notice = backend.notice
    assert 1 <= card.faults <= often
    assert "memory" in notice
    assert not any(word in notice for word in RAW)
    assert len(notice) < 170
    if backend.place.device == "cuda":  # it is free again, and works again
        calls, faults = card.calls, card.faults
        card._fails = lambda k, result: False
        assert backend.run(lambda place: float((place.tensor([1.0, 2.0]) * 2).sum())) == 6.0
        assert (card.calls > calls, card.faults, backend.notice) == (True, faults, notice)


@pytest.mark.parametrize("name", COMPUTATIONS)
def test_a_memory_that_stays_full_is_not_asked_for_ever(name: str) -> None:
    card = FakedCard(MEMORY["allocator"], lambda k, result: True)
    backend = compute_with(card, name)
    for _ in range(PATIENCE):
        assert_same(COMPUTATIONS[name](DirectJob(backend)), right(name))
    assert backend.place == CPU
    faults, notice = card.faults, backend.notice
    assert notice.startswith("CUDA failed: it has too little free memory.")
    COMPUTATIONS[name](DirectJob(backend))
    assert (card.faults, backend.notice) == (faults, notice)


@pytest.mark.parametrize("limit", [300, 120, 70])
def test_what_does_not_fit_is_done_in_pieces(limit: int) -> None:
    """``limit``: numbers that one tensor may hold. 481 queries times four rents are more."""
    card = FakedCard(MEMORY["allocator"], lambda k, result: result is not None and result.numel() > limit)
    backend = compute_with(card, "lookup of rents")
    assert backend.place.device == "cuda"
    assert backend.place.rows * 4 <= limit
    assert backend.notice.startswith("CUDA is short of memory.")
    faults, notice = card.faults, backend.notice
    assert_same(COMPUTATIONS["lookup of rents"](DirectJob(backend)), right("lookup of rents"))
    assert (card.faults, backend.notice) == (faults, notice), "the size that fits is remembered"


def test_t03_two_allocations_fail() -> None:
    """In pieces with the same numbers, said in one sentence; after that the device works on."""
    assert "first two allocations" in case("T-03")["input"]["stand-in"]
    card = FakedCard(MEMORY["allocator"], lambda k, result: card.faults < 2)
    backend = compute_with(card, "lookup of rents")
    assert backend.place == replace(backend.place, device="cuda", rows=121)
    assert_same(COMPUTATIONS["temperature of many scores"](DirectJob(backend)), right("temperature of many scores"))
    assert card.faults == 2


def test_the_memory_of_what_failed_is_free_before_the_next_try() -> None:
    card = FakedCard(MEMORY["allocator"], lambda k, result: k in (1, 3))
    held: list[weakref.ref[torch.Tensor]] = []
    alive: list[int] = []

    def compute(place: Place) -> float:
        alive.append(sum(one() is not None for one in held))
        tensor = place.tensor([1.0])
        held.append(weakref.ref(tensor))
        return float((tensor * 2).sum())

    assert Backend("cuda", card.find).run(compute, rows=100) == 2.0
    assert alive == [0, 0, 0]


@pytest.mark.parametrize("error", [RuntimeError("shapes"), TypeError("a bug"), AssertionError(), ZeroDivisionError()])
def test_an_error_of_the_computation_blames_no_device(error: Exception) -> None:
    card = FakedCard()
    backend = Backend("cuda", card.find)

    def compute(place: Place) -> None:
        raise error

    with pytest.raises(type(error)):
        backend.run(compute)
    assert (backend.place.device, backend.notice) == ("cuda", "")


@pytest.mark.parametrize("error", [LabError("no key"), CancelledError()])
def test_refusals_and_cancels_pass_at_once(error: Exception) -> None:
    card = FakedCard()
    backend, places = Backend("cuda", card.find), []

    def compute(place: Place) -> None:
        places.append(place.device)
        raise error

    with pytest.raises(type(error)) as met:
        backend.run(compute)
    assert met.value is error
    assert (places, backend.notice) == (["cuda"], "")


def test_a_device_that_is_gone_is_gone_though_the_rerun_is_cancelled() -> None:
    card = FakedCard(FAULTS["lost"], lambda k, result: True)
    backend = Backend("cuda", card.find)

    def compute(place: Place) -> None:
        place.tensor([1.0])
        raise CancelledError

    with pytest.raises(CancelledError):
        backend.run(compute)
    assert backend.place == CPU
    assert backend.notice


def test_t01_a_move_of_float64_that_is_refused() -> None:
    error = TypeError("Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64.")
    backend = compute_with(FakedCard(lambda: error, lambda k, result: True), "signal")
    assert backend.notice.startswith("CUDA failed: it lacks numbers of double precision.")


@pytest.mark.parametrize("name", COMPUTATIONS)
def test_t01_float32_is_as_good_as_the_screen(name: str) -> None:
    backend = Backend("cuda", FakedCard(dtype="float32").find)
    assert_same(COMPUTATIONS[name](DirectJob(backend)), right(name), case("T-01")["tolerance"]["abs"])
    assert (backend.label, backend.notice) == ("CUDA · float32", "")


@pytest.mark.parametrize("scores", [[1e300, 1.0], [1e-300, 0.0]])
def test_what_float32_alone_refuses_is_computed_on_the_cpu(scores: list[float]) -> None:
    backend = Backend("cuda", FakedCard(dtype="float32").find)

    def compute(place: Place) -> Any:
        keys = place.tensor([[score] for score in scores])
        return soft_lookup(place.tensor([1.0]), keys, place.tensor([0.0, 1.0]), temperature=1e-3).weights.cpu().numpy()

    np.testing.assert_allclose(backend.run(compute), compute(CPU), rtol=0, atol=1e-6)
    assert (backend.place.dtype, backend.notice) == ("float32", "")


def test_numbers_too_large_for_float32_become_infinite_in_silence() -> None:
    assert torch.isinf(Place("cpu", "float32").tensor([1e300])).all()


@pytest.mark.parametrize("k", range(4))
def test_warming_up_goes_on_with_the_cpu(k: int) -> None:
    card = FakedCard(FAULTS["lost"], lambda at, result: at >= k)
    job = DirectJob(Backend("cuda", card.find))
    threads = torch.get_num_threads()
    label = warm_up("cuda", job)
    torch.set_num_threads(threads)
    failed = card.faults > 0
    assert label == ("CPU · float64" if failed else "CUDA · float64")
    assert job.backend.notice.startswith("CUDA failed") == failed


def test_without_torch_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise OSError("[WinError 1114] c10.dll")

    monkeypatch.setattr("models.backend.load", broken)
    with pytest.raises(LabError, match="torch, which computes everything here, can't be loaded"):
        warm_up("auto", DirectJob())


@pytest.mark.device
@pytest.mark.parametrize("name", COMPUTATIONS)
def test_a_device_gives_the_numbers_of_the_cpu(name: str) -> None:
    backend = Backend("auto")
    if backend.place.device == "cpu":
        pytest.skip("no accelerator that torch can use")
    near = 1e-9 if backend.place.dtype == "float64" else 1e-3
    assert_same(COMPUTATIONS[name](DirectJob(backend)), right(name), near)
    assert backend.notice == ""


@pytest.mark.device
def test_a_device_works_on_after_it_was_asked_for_too_much() -> None:
    backend = Backend("auto")
    if backend.place.device == "cpu":
        pytest.skip("no accelerator that torch can use")

    def compute(place: Place) -> str:
        torch.empty(2**45 if place.device != "cpu" else 1, device=place.device)
        return place.device

    device = backend.place.device
    assert backend.run(compute) == "cpu"
    assert "is short of memory" in backend.notice
    assert backend.run(lambda place: place.tensor([1.0]).device.type) == device
