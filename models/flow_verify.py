"""The section *Verify*: one Jacobian found in three ways, in two precisions, for every similarity."""

from __future__ import annotations

from dataclasses import dataclass, replace

from models.backend import CPU
from models.flow_book import Numbers, numbers, parameters_of
from models.flow_signal import COVARIANT
from models.job import Job
from models.scene import Scene
from models.similarities import SIMILARITIES, fitting
from models.verification import Verification, verify

PRECISIONS = ("float64", "float32")


@dataclass(frozen=True)
class VerifyQuestion:
    scene: Scene


@dataclass(frozen=True)
class Check:
    """∂o/∂q (d_v, d_k) by the closed form, by autograd, and by central differences with the best ``step``.

    ``errors`` (s,) are the largest differences of the last from the first, over ``steps`` (s,).
    """

    closed: Numbers
    autograd: Numbers
    numeric: Numbers
    step: float
    steps: Numbers
    errors: Numbers
    autograd_error: float
    numeric_error: float
    eigenvalues: Numbers | None


@dataclass(frozen=True)
class SimilarityCheck:
    """One similarity of the registry at the same query: size of ∂o/∂q, and its largest difference from autograd."""

    name: str
    norm: float
    autograd_error: float
    numeric_error: float
    covariance: bool
    """True where ∂o/∂q is a covariance of values and keys, up to a linear map."""


@dataclass(frozen=True)
class VerifyResult:
    """``checks`` by precision, and ``similarities``, empty until they are known."""

    inputs: VerifyQuestion
    checks: dict[str, Check]
    similarities: tuple[SimilarityCheck, ...] = ()


def compute_verify(question: VerifyQuestion, job: Job) -> VerifyResult:
    checks = {}
    for dtype in PRECISIONS:
        checks[dtype] = _check(_verified(question.scene, dtype))
        job.check()
    result = VerifyResult(question, checks)
    job.partial(result)
    rows = []
    for name in SIMILARITIES:
        rows.append(_of_similarity(question.scene, name))
        job.check()
    return replace(result, similarities=tuple(rows))


def _of_similarity(scene: Scene, name: str) -> SimilarityCheck:
    similarity = fitting(replace(scene.similarity, name=name), scene.keys.shape[1])
    found = _verified(replace(scene, similarity=similarity), "float64")
    norm = float(found.closed.norm())
    return SimilarityCheck(name, norm, found.autograd_error, found.numeric_error, name in COVARIANT)


def _verified(scene: Scene, dtype: str) -> Verification:
    """On the CPU: the two precisions are what is compared, and a device may have one alone."""
    return verify(
        scene.query.values,
        scene.keys.values,
        scene.values.values,
        scene.temperature,
        scene.similarity.name,
        scene.weighting,
        None if scene.mask_row is None else scene.mask_row.values.copy(),
        dtype,
        **parameters_of(scene, CPU),
    )


def _check(found: Verification) -> Check:
    return Check(
        numbers(found.closed),
        numbers(found.autograd),
        numbers(found.numeric),
        found.step,
        numbers(found.steps),
        numbers(found.errors),
        found.autograd_error,
        found.numeric_error,
        None if found.eigenvalues is None else numbers(found.eigenvalues),
    )
