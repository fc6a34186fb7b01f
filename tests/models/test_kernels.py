from __future__ import annotations

import pytest
import torch

from models.errors import LabError
from models.kernels import KERNELS
from tests.reference import assert_close, golden, numbers

DTYPES = ("float64", "float32")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("entry", golden("n_eff", "kernel_values"), ids=lambda entry: entry["id"])
def test_values_are_the_golden_ones(entry, dtype):
    distances = torch.tensor(entry["inputs"]["distances"], dtype=getattr(torch, dtype))
    rows = entry["expected"]["rows"]
    for name in rows[0].keys() - {"distance"}:
        wanted = numbers([row[name] for row in rows])
        assert_close(entry, name, KERNELS[name](distances / entry["inputs"]["width"]), dtype, [str(x) for x in wanted])


def test_epanechnikov():
    assert KERNELS["epanechnikov"]([0, 0.5, -0.5, 1, 2]).tolist() == [1, 0.75, 0.75, 0, 0]


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_is_even_falls_from_one_and_has_finite_slopes(name):
    u = torch.tensor([0, 0.3, 1, 1.7, 40, 1e300, float("inf")], dtype=torch.float64)
    values = KERNELS[name](u)
    assert values[0] == 1
    assert (values >= 0).all()
    assert (values.diff() <= 0).all()
    assert torch.equal(KERNELS[name](-u), values)
    finite = u[:-2].clone().requires_grad_()
    (KERNELS[name](finite) + finite * 0).sum().backward()
    assert finite.grad.isfinite().all()


def test_an_unknown_kernel_lists_the_known_ones():
    with pytest.raises(LabError, match="gaussian, boxcar"):
        KERNELS["tophat"]
