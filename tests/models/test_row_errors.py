"""Errors at sampled rows: each row as with all the data, only the mean is over fewer."""

from __future__ import annotations

import numpy as np
import pytest

from models import row_errors as module
from models.leave_one_out import leave_one_out_errors, training_errors
from models.prepared import Prepared
from models.row_errors import errors_at, row_errors, rows_measured


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> Prepared:
    """More rows than are measured one by one, of which the sample is all."""
    monkeypatch.setattr(module, "MOST_ROWS", 500)
    monkeypatch.setattr(module, "SAMPLE", 600)
    generator = np.random.default_rng(1)
    x = np.concatenate([5 * generator.random(590), 5 * generator.random(5), [9.0, 9.0, 9.5, 20.0, 40.0]])
    return Prepared.of(x, np.sin(x) + generator.standard_normal(600))


@pytest.mark.parametrize("kernel", ["gaussian", "boxcar", "triangular", "epanechnikov"])
@pytest.mark.parametrize("width", [0.0005, 0.01, 0.3, 3.0])
def test_sample_of_all_rows_is_the_error_of_all(prepared: Prepared, kernel: str, width: float) -> None:
    found, widths = errors_at(prepared, width, kernel), np.array([width])
    others = leave_one_out_errors(prepared, widths, kernel)
    np.testing.assert_allclose(found.training, training_errors(prepared, widths, kernel).error[0], rtol=1e-9)
    np.testing.assert_allclose(found.leave_one_out, others.error[0], rtol=1e-7)
    assert found.alone == others.undefined[0]


def test_a_sample_is_near_the_whole(prepared: Prepared, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = row_errors(prepared, np.array([0.3, 1.0]), "gaussian", leave_out=True).error
    monkeypatch.setattr(module, "SAMPLE", 300)
    assert rows_measured(prepared) == 300
    sampled = row_errors(prepared, np.array([0.3, 1.0]), "gaussian", leave_out=True).error
    np.testing.assert_allclose(sampled, whole, rtol=0.3)


def test_one_point_has_no_leave_one_out_error() -> None:
    found = errors_at(Prepared.of([1.0], [2.0]), 0.5, "gaussian")
    assert (found.training, found.alone) == (0.0, 1)
    assert np.isnan(found.leave_one_out)
