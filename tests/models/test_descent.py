"""Descents: exact trajectories, going back, going on from a saved state, and what else may be learned."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from models.backend import Place
from models.checkpoint import LOWEST_LOG
from models.descent import Problem, Trajectory, advance, begin, checkpoint_at, descend
from models.errors import LabError
from models.flow import query_step
from models.job import DirectJob
from models.learnable import OPTIMISERS
from models.lookup import soft_lookup
from tests.reference import assert_close, golden

F64 = torch.float64
ENTRIES = golden("query_learning", "query_descent")
EVERYTHING = ("query", "keys", "values", "temperature")
K = [[1.0, 0.2], [-0.5, 0.8], [0.3, -1.1], [0.7, 0.9]]
V = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.5], [0.5, -1.0]]
Q, TARGET = [0.6, -0.4], [0.1, 0.6]


def learn(steps: int = 60, **settings: Any) -> Trajectory:
    return descend(Q, K, V, TARGET, steps=steps, **settings)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e["id"])
def test_trajectory_step_by_step(entry: dict[str, Any], dtype: str) -> None:
    inputs = entry["inputs"]
    problem = Problem(np_array(inputs["target"]), inputs["tau"], learning_rate=inputs["lr"])
    start = begin(problem, inputs["q0"], inputs["K"], inputs["V"])
    path = advance(problem, start, max(inputs["report_steps"]), place=Place("cpu", dtype))
    for row in entry["expected"]["rows"]:
        at = row["step"]
        q = path.queries[at].to(F64)
        _, gradient = query_step(q, inputs["K"], inputs["V"], inputs["target"], inputs["tau"])
        weights = soft_lookup(q, inputs["K"], inputs["V"], temperature=inputs["tau"]).weights
        for field, found in {
            "q": q,
            "loss": path.losses[at],
            "output": path.outputs[at],
            "grad": gradient,
            "weights": weights,
        }.items():
            assert_close(entry, "rows", found, dtype, expected=row[field])


def np_array(values: Any) -> Any:
    from models.arrays import Array

    return Array(values)


@pytest.mark.parametrize("learned", [("query",), EVERYTHING], ids=["query", "everything"])
@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_forward_and_back_give_the_same_state(optimiser: str, learned: tuple[str, ...]) -> None:
    path = learn(250, optimiser=optimiser, learn=learned)
    middle = checkpoint_at(path, 130)
    onward = advance(path.problem, middle, 73)
    assert onward.last.step == 203
    assert checkpoint_at(onward, 130) == middle
    assert checkpoint_at(path, 203) == onward.last
    assert middle.query == np_array(path.queries[130].numpy())


@pytest.mark.parametrize("learned", [("query",), EVERYTHING], ids=["query", "everything"])
@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_going_on_is_to_the_bit(optimiser: str, learned: tuple[str, ...]) -> None:
    whole = learn(140, optimiser=optimiser, learn=learned)
    half = learn(40, optimiser=optimiser, learn=learned)
    rest = advance(half.problem, pickle.loads(pickle.dumps(half.last)), 100)
    assert torch.equal(whole.queries[40:], rest.queries)
    assert torch.equal(whole.losses[40:], rest.losses)
    assert torch.equal(whole.temperatures[40:], rest.temperatures)
    assert whole.last == rest.last


def test_a_new_process_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    whole = learn(200, optimiser="adam", learn=EVERYTHING)
    before = checkpoint_at(whole, 100)
    (tmp_path / "state").write_bytes(pickle.dumps((whole.problem, before)))
    code = (
        "import pickle, sys; from models.descent import advance;"
        "problem, state = pickle.load(open(sys.argv[1], 'rb'));"
        "pickle.dump(advance(problem, state, 100).last, open(sys.argv[2], 'wb'))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "state"), str(tmp_path / "end")]
    root = Path(__file__).parents[2]
    subprocess.run(command, check=True, cwd=root, env={**os.environ, "PYTHONPATH": str(root)})
    assert pickle.loads((tmp_path / "end").read_bytes()) == whole.last


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_steps_are_those_of_plain_autograd(optimiser: str) -> None:
    """All four learned at once, against a loop that knows nothing of closed forms."""
    path = learn(25, optimiser=optimiser, learn=EVERYTHING, temperature=0.5)
    q, k, v = (torch.tensor(x, dtype=F64, requires_grad=True) for x in (Q, K, V))
    log = torch.tensor(0.5, dtype=F64).log().requires_grad_()
    moved = [q, k, v, log]
    momentum = {"sgd": 0.0, "momentum": 0.9}
    kind: Any = torch.optim.Adam(moved, lr=0.1)
    if optimiser != "adam":
        kind = torch.optim.SGD(moved, lr=0.1, momentum=momentum[optimiser])
    for step in range(26):
        loss = (torch.softmax(k @ q / log.exp(), -1) @ v - torch.tensor(TARGET, dtype=F64)).square().sum() / 2
        torch.testing.assert_close(path.queries[step], q.detach(), rtol=1e-9, atol=1e-11)
        torch.testing.assert_close(path.losses[step], loss.detach(), rtol=1e-9, atol=1e-11)
        torch.testing.assert_close(path.temperatures[step], log.detach().exp(), rtol=1e-9, atol=1e-11)
        kind.zero_grad()
        loss.backward()
        kind.step()


@pytest.mark.parametrize("weighting", ["softmax", "sparsemax", "entmax15"])
@pytest.mark.parametrize("similarity", ["scaled_dot", "squared_distance", "cosine"])
def test_a_small_step_lowers_the_loss(similarity: str, weighting: str) -> None:
    path = learn(30, similarity=similarity, weighting=weighting, learning_rate=0.02, temperature=2.0)
    assert bool((path.losses.diff() <= 0).all())
    assert float(path.losses[-1]) < float(path.losses[0])


def test_hard_lookup_never_moves() -> None:
    path = learn(20, weighting="nearest")
    assert torch.equal(path.queries, path.queries[:1].expand(21, -1))
    assert float(path.losses[0]) > 0
    assert path.gradient_norms.abs().max() == 0


def test_learned_temperature_stops_at_one_hundredth() -> None:
    """A target on the heaviest value asks for an ever lower temperature."""
    path = descend([1.0], [[0.0], [1.0]], [[0.0], [1.0]], [1.0], 1.0, 1.0, 20, "adam", learn=("temperature",))
    assert float(path.temperatures.min()) == pytest.approx(0.01, rel=1e-12)
    assert path.last.log_temperature == LOWEST_LOG
    assert torch.equal(path.queries, path.queries[:1].expand(21, -1))


def test_what_is_not_learned_stays() -> None:
    path = learn(20, learn=("keys",))
    assert path.last.query == path.marks[0].query
    assert path.last.values == path.marks[0].values
    assert path.last.keys != path.marks[0].keys
    assert float(path.losses[-1]) < float(path.losses[0])


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_several_starts_are_each_alone(optimiser: str) -> None:
    starts = [[0.6, -0.4], [0.0, 0.0], [-1.0, 2.0]]
    together = descend(starts, K, V, TARGET, steps=40, optimiser=optimiser)
    assert together.queries.shape == (41, 3, 2)
    assert together.losses.shape == (41, 3)
    for index, start in enumerate(starts):
        alone = descend(start, K, V, TARGET, steps=40, optimiser=optimiser)
        torch.testing.assert_close(together.queries[:, index], alone.queries, rtol=1e-12, atol=1e-13)


def test_masked_entries_pull_nothing() -> None:
    spoiled = [*V[:3], [np.nan, np.nan]]
    path = descend(Q, K, spoiled, TARGET, steps=20, mask=[True, True, True, False])
    alone = descend(Q, K[:3], V[:3], TARGET, steps=20)
    torch.testing.assert_close(path.queries, alone.queries, rtol=1e-12, atol=1e-13)


def test_plain_values_and_parameters_of_a_similarity() -> None:
    settings: dict[str, Any] = {"similarity": "squared_distance", "sigma": 10.0}
    path = descend([65.0], [[40.0], [60.0], [80.0]], [900.0, 1200.0, 1500.0], 1300.0, 1.0, 1e-3, 300, **settings)
    assert float(path.outputs[-1, 0]) == pytest.approx(1300.0, abs=0.1)


class Watched(DirectJob):
    """Counts, and stops after some looks."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.looks, self.shown = looks, []

    def check(self) -> None:
        self.looks -= 1
        if self.looks < 0:
            raise InterruptedError

    def partial(self, result: Any) -> None:
        self.shown.append(result)


def test_long_descents_stream_and_can_be_stopped() -> None:
    job = Watched(2000)
    whole = learn(1200, job=job)
    assert [len(part) for part in job.shown] == [499, 999]
    assert torch.equal(job.shown[0].queries, whole.queries[:500])
    assert job.shown[0].last == checkpoint_at(whole, 500)
    with pytest.raises(InterruptedError):
        learn(1200, job=Watched(1))
    assert 2000 - job.looks >= 1200  # at every step: a drag waits for nothing else


def test_no_step_and_unknown_names() -> None:
    path = learn(0)
    assert path.queries.tolist() == [Q]
    assert path.last == path.marks[0]
    with pytest.raises(LabError, match="optimiser"):
        learn(optimiser="newton")
    with pytest.raises(LabError, match="one or more of query"):
        learn(learn=("mask",))
    with pytest.raises(LabError, match="above 0"):
        learn(learning_rate=0.0)
    with pytest.raises(LabError, match="query alone"):
        descend([Q, Q], K, V, TARGET, learn=EVERYTHING)
    with pytest.raises(LabError, match="from 0 to 60"):
        checkpoint_at(learn(), 61)
    with pytest.raises(LabError, match="from 0 up"):
        learn(-1)
