"""Cases of failures: verdicts on the networks of the standard redundancy schemes."""

from __future__ import annotations

from functools import lru_cache

from facility.power.network.build.schemes import SchemeOptions, scheme_network
from facility.study.failures.study import FailureBasis, FailureStudy, network_failures
from facility.study.verification.inputs import CaseFunctions

_RACKS = 6


@lru_cache(maxsize=8)
def _study(scheme: str, load_w: float, module_w: float, feeds: str) -> FailureStudy:
    names = tuple(filter(None, feeds.split("+")))
    options = SchemeOptions(racks=_RACKS, feeds=names, module_w=module_w)
    return network_failures(scheme_network(scheme, load_w, options), FailureBasis(scheme=scheme))


def _verdict(scheme: str, load_w: float, module_w: float, key: str, feeds: str = "") -> str:
    found = getattr(_study(scheme, load_w, module_w, feeds), key)
    return "yes" if found.holds else "no"


def _single_point(scheme: str, load_w: float, module_w: float, kind: str, feeds: str = "") -> str:
    """Return whether some component of a kind drops load by its loss alone."""
    points = _study(scheme, load_w, module_w, feeds).single_points
    return "yes" if any(point.kind == kind for point in points) else "no"


def _single_points(scheme: str, load_w: float, module_w: float, feeds: str = "") -> float:
    return float(len(_study(scheme, load_w, module_w, feeds).single_points))


FUNCTIONS: CaseFunctions = {
    "failure.verdict": ("text", _verdict),
    "failure.single_point": ("text", _single_point),
    "failure.single_points": ("count", _single_points),
}
