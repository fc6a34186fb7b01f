from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from models.arrays import Array
from models.errors import LabError
from models.tensors import as_mask, as_number, as_tensor, together


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1, 2], torch.float64),
        ([0.1], torch.float64),
        (Array([0.1]), torch.float64),
        (np.array([0.1], dtype=np.float32), torch.float32),
        (np.array([0.1], dtype=np.float16), torch.float32),
        (torch.tensor([1]), torch.float64),
        (torch.tensor([0.1], dtype=torch.bfloat16), torch.float32),
        (torch.tensor([0.1], dtype=torch.float32), torch.float32),
    ],
)
def test_dtypes(values, dtype):
    assert as_tensor(values).dtype == dtype


def test_a_tensor_keeps_its_gradient():
    q = torch.tensor([1.0], requires_grad=True)
    assert as_tensor(q) is q


def test_lists_and_arrays_follow_the_tensors():
    single = torch.tensor([1.0], dtype=torch.float32)
    assert {part.dtype for part in together([1, 2], single, np.array([0.1]))} == {torch.float32}
    assert {part.dtype for part in together(single, single.double())} == {torch.float64}
    assert {part.dtype for part in together([1], torch.tensor([1]))} == {torch.float64}


def test_masks():
    assert as_mask(None, (2, 3)).tolist() == [[True] * 3] * 2
    assert as_mask([1, 0, 1.0], (2, 3)).tolist() == [[True, False, True]] * 2
    assert as_mask(torch.tensor([[True], [False]]), (2, 3)).tolist() == [[True] * 3, [False] * 3]
    with pytest.raises(LabError, match=r"\(2, 3\) was expected, \(2,\) came"):
        as_mask([1, 0], (2, 3))
    with pytest.raises(LabError, match="other numbers"):
        as_mask([0.0, -math.inf, 0.0], (2, 3))


@pytest.mark.parametrize(("value", "number"), [(2, 2.0), ("1e-400", 0.0), (torch.tensor(3.0, requires_grad=True), 3.0)])
def test_numbers(value, number):
    assert as_number(value) == number


@pytest.mark.parametrize("value", [None, "", "abc", [1], torch.tensor([1.0, 2.0])])
def test_what_is_no_number_is_nan(value):
    assert math.isnan(as_number(value))
