"""Training and leave-one-out errors and their slopes, against the worked examples and term by term."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.errors import LabError
from models.kernels import KERNELS
from models.leave_one_out import leave_one_out_errors, leave_one_out_estimates, training_errors
from models.regression import Prepared, leave_one_out, nadaraya_watson
from tests.cases import case
from tests.models.test_regression import X, Y
from tests.models.test_regression_properties import SMOOTH, data_sets
from tests.reference import assert_close, golden


def direct(x, y, sigma, kernel):
    """Leave-one-out estimates from the full matrix, in double precision."""
    offset = x[:, None] - x
    if kernel == "gaussian":
        distance = np.abs(offset)
        np.fill_diagonal(distance, np.inf)
        near = distance.min(axis=1, keepdims=True)
        np.fill_diagonal(distance, near[:, 0])
        weights = np.exp((near - distance) / sigma * ((near + distance) / sigma) / 2)
    else:
        weights = KERNELS[kernel](offset / sigma).numpy().copy()
    np.fill_diagonal(weights, 0)
    with np.errstate(invalid="ignore"):
        return weights @ y / weights.sum(axis=1)


def test_loo_curve():
    (entry,) = golden("nw", "nw_loo_curve")
    found = leave_one_out(X, Y, entry["inputs"]["sigma"])
    assert_close(entry, "loo_mse", found, expected=[row["loo_mse"] for row in entry["expected"]["rows"]])


def test_training_error():
    (entry,) = golden("nw", "nw_train_error")
    found = training_errors(Prepared.of(X, Y), np.array(entry["inputs"]["sigma"], float), slopes=True)
    rows = entry["expected"]["rows"]
    for name, values in (
        ("train_mse", found.error),
        ("train_sum", found.error * len(X)),
        ("d_mse_d_log_sigma", found.slope),
    ):
        assert_close(entry, name, values, expected=[row[name] for row in rows])
    ends = training_errors(Prepared.of(X, Y), np.array([1e-6, 1e9])).error
    for name, value in zip(("limit_sigma_to_0", "limit_sigma_to_inf"), ends, strict=True):
        assert_close(entry, name, value)


def test_k03_and_s09_leaving_one_out():
    given = case("K-03")
    data, expected = given["input"], given["expected"]
    np.testing.assert_allclose(leave_one_out(data["x"], data["y"], data["sigma table"]), expected["LOO MSE"], atol=1e-9)
    assert leave_one_out(data["x"], data["y"], 1e-9) == pytest.approx(0.42644375, abs=1e-9)
    student = case("S-09")["expected"]["a"]
    prepared = Prepared.of(data["x"], data["y"])
    widths = np.array([0.1, 0.3, 0.5, 0.8, 1])
    np.testing.assert_allclose(leave_one_out_errors(prepared, widths).error, student["LOO (right)"], atol=1e-9)
    np.testing.assert_allclose(training_errors(prepared, widths).error, student["with own point"], atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_k05_one_row_is_left_out_by_its_index(dtype):
    data, expected = case("K-05")["input"], case("K-05")["expected"]["c"]
    x, y = np.array(data["x"], dtype), np.array(data["y"], dtype)
    prepared = Prepared.of(x, y)
    np.testing.assert_allclose(leave_one_out_estimates(prepared, 0.05), expected["predictions"], atol=1e-9)
    assert leave_one_out(x, y, 0.05) == pytest.approx(expected["MSE"], abs=1e-9)


def test_k04_one_point_is_too_few():
    single = case("K-04")["input"][2]
    with pytest.raises(LabError, match="needs 2 points"):
        leave_one_out(single["x"], single["y"], [1.0])
    constant = case("K-04")["input"][3]
    assert leave_one_out(constant["x"], constant["y"], [0.1, 10]).tolist() == [0, 0]


def test_an_isolated_point_is_undefined_and_counted():
    prepared = Prepared.of([0, 0.1, 5, 9, 9.1], [1, 2, 50, 4, 6])
    for kernel in ("boxcar", "triangular", "epanechnikov"):
        found = leave_one_out_errors(prepared, np.array([0.5, 1e-3]), kernel)
        assert found.undefined.tolist() == [1, 5]
        assert found.error[0] == pytest.approx((1 + 1 + 4 + 4) / 4)
        assert np.isnan(found.error[1])
        assert np.isnan(leave_one_out_estimates(prepared, 0.5, kernel)[2])
    assert leave_one_out_errors(prepared, np.array([0.5])).undefined.tolist() == [0]


@pytest.mark.parametrize("kernel", SMOOTH)
@pytest.mark.parametrize("n", [25, 330, 1200])
def test_every_way_agrees_with_the_full_matrix(n, kernel):
    for name, x in data_sets(n):
        y = 3 + np.sin(x)
        prepared = Prepared.of(x, y)
        span = float(np.subtract(*np.quantile(x, [0.99, 0.01])))
        for factor in (1e-6, 1e-3, 0.03, 0.5):
            right = direct(x, y, span * factor, kernel)
            found = leave_one_out_estimates(prepared, span * factor, kernel)
            np.testing.assert_allclose(found, right, rtol=1e-8, atol=1e-8, err_msg=f"{name} {factor}")
            total = leave_one_out_errors(prepared, np.array([span * factor]), kernel)
            assert total.undefined[0] == np.isnan(right).sum()
            if not np.isnan(right).all():
                assert total.error[0] == pytest.approx(np.nanmean((right - y) ** 2), rel=1e-8, abs=1e-20), name
            fit = training_errors(prepared, np.array([span * factor]), kernel).error[0]
            own = nadaraya_watson(x, x, y, span * factor, kernel).y
            assert fit == pytest.approx(np.mean((own - y) ** 2), rel=1e-8, abs=1e-18), name


@pytest.mark.parametrize("kernel", ["gaussian", "triangular", "epanechnikov"])
@pytest.mark.parametrize("n", [30, 900])
def test_slopes_agree_with_autograd(n, kernel):
    generator = torch.Generator().manual_seed(n)
    x = 5 * torch.rand(n, generator=generator, dtype=torch.float64)
    y = torch.sin(x) + torch.randn(n, generator=generator, dtype=torch.float64)
    prepared = Prepared.of(x, y)
    for sigma in (0.02, 0.3, 3.0):
        for errors, leave_out in ((training_errors, False), (leave_one_out_errors, True)):
            rho = torch.tensor(np.log(sigma), requires_grad=True)
            u = (x[:, None] - x).abs() / rho.exp()
            shape = KERNELS[kernel](u)
            scores = -(u**2) / 2 if kernel == "gaussian" else torch.log(shape)
            if leave_out:
                scores = scores.masked_fill(torch.eye(n, dtype=torch.bool), -torch.inf)
            kept = scores.max(dim=1).values > -torch.inf
            fit = torch.softmax(scores[kept], dim=1) @ y
            error = ((fit - y[kept]) ** 2).mean()
            error.backward()
            found = errors(prepared, np.array([sigma]), kernel, slopes=True)
            assert found.error[0] == pytest.approx(float(error.detach()), rel=1e-9)
            assert found.slope[0] == pytest.approx(float(rho.grad), rel=1e-7, abs=1e-9)


def test_many_rows_are_read_in_lots():
    rng = np.random.default_rng(5)
    x = rng.uniform(0, 5, 70_000)
    y = np.sin(x) + rng.normal(size=len(x))
    prepared = Prepared.of(x, y)
    some = rng.integers(0, len(x), 20)
    found = leave_one_out_estimates(prepared, 0.1)[some]
    for row, estimate in zip(some, found, strict=True):
        others = np.arange(len(x)) != row
        assert nadaraya_watson(x[row], x[others], y[others], 0.1).y == pytest.approx(estimate, rel=1e-9)


def test_weighted_rows_leave_out_their_weight():
    x, y, a = np.array([0, 1, 2.5]), np.array([1, 5, 2.0]), np.array([2, 1, 3.0])
    found = leave_one_out_estimates(Prepared.of(x, y, a), 1.0)
    kernel = np.exp(-((x[:, None] - x) ** 2) / 2) * a
    np.fill_diagonal(kernel, 0)
    np.testing.assert_allclose(found, kernel @ y / kernel.sum(axis=1), atol=1e-12)


def test_the_run_can_be_stopped():
    class StopError(Exception):
        pass

    class Stopping:
        backend = None
        seen = 0.0

        def check(self):
            if self.seen > 0.3:
                raise StopError

        def partial(self, result): ...

        def progress(self, fraction):
            self.seen = fraction

    job = Stopping()
    with pytest.raises(StopError):
        leave_one_out_errors(Prepared.of(X, Y), np.geomspace(0.1, 1, 10), job=job)
    assert job.seen == pytest.approx(0.4)


def test_squares_beyond_float64_get_a_sentence():
    with pytest.raises(LabError, match="overflow"):
        leave_one_out([0, 1], [-1e200, 1e200], [1.0])
