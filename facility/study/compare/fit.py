"""The variant of a way to cool that works best: its chilled water, and its kind of rear door."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facility.cooling.chain.design import CoolingDesign
from facility.core.errors import FacilityError
from facility.core.ledger import Ledger
from facility.core.rounding import rounded, whole_units
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.it.supplies import refuse_air_only
from facility.study.compare.limits import broken_limit, limit_checks, room_checks
from facility.study.compare.variants import Variant
from facility.study.loop import OperatingPoint, converge, operate
from facility.study.resolve.facility import resolve

COLDEST_C = 6.0
"""Coldest chilled water that a comparison tries."""
_STEP_K = 2.0
_OVER_AIR = 1.25


@dataclass(frozen=True)
class _Tried:
    """A variant in balance; `fits` where its coils do not ask for more units than its air does."""

    variant: Variant
    facility: Facility
    cooling: CoolingDesign
    point: OperatingPoint
    fits: bool

    @property
    def feasible(self) -> bool:
        """Whether no limit is broken."""
        checks = (
            *limit_checks(self.variant.name, self.facility, self.cooling),
            *self.cooling.checks,
            *self.point.cooling.checks,
            *room_checks(
                self.variant.name, self.facility, self.cooling, self.point.cooling, self.point.heat
            ),
        )
        return broken_limit(checks) is None

    @property
    def faults(self) -> tuple[bool, bool]:
        """What a good variant has none of: a broken limit, a misfit."""
        return not self.feasible, not self.fits

    @property
    def power_w(self) -> float:
        """Cooling power at the design hour."""
        return self.point.cooling.power.total_w


def best_variant(found: Sequence[Variant], usual_c: float) -> Variant:
    """Return the variant to design: the feasible one that takes least power.

    A way to cool that is not the project's own gets the warmest chilled water, in steps of 2 K
    down from that of the project, at which its coils do not ask for over a quarter more units
    than its air flow. Where none is feasible the first is returned, for its refusal.

    usual_c: Chilled water of the project.

    Raises what refuses the first variant, where none can be designed.
    """
    if found[0].own:
        return found[0]
    tried: list[_Tried] = []
    refused: FacilityError | None = None
    for variant in found:
        try:
            tried.append(_fitted(variant, usual_c))
        except FacilityError as error:
            refused = refused or error
    if refused is not None and not tried:
        raise refused
    return min(tried, key=lambda one: (*one.faults, rounded(one.power_w))).variant


def _fitted(variant: Variant, usual_c: float) -> _Tried:
    """Return the variant with the warmest chilled water that fits, or the nearest to it."""
    first: _Tried | None = None
    refused: FacilityError | None = None
    candidate, own_c = variant, usual_c
    try:
        facility, _ = resolve(variant.project, Trace(Ledger()))
    except FacilityError as error:
        refused = error
    else:
        refuse_air_only(facility.it.racks, facility.cooling.method)
        own_c = facility.cooling.chilled_water.supply_c
    for supply_c in _waters(own_c):
        try:
            if supply_c != own_c:
                candidate = variant.at_chilled_water(supply_c)
            found = _tried(candidate)
        except FacilityError as error:
            refused = refused or error
        else:
            if found.fits:
                return found
            first = first or found
    if first is None:
        assert refused is not None
        raise refused
    return first


def _waters(warmest_c: float) -> Iterator[float]:
    """Yield chilled-water temperatures from `warmest_c` down to the coldest."""
    yield warmest_c
    for step in range(1, int((warmest_c - COLDEST_C) // _STEP_K) + 1):
        yield warmest_c - step * _STEP_K


def _tried(variant: Variant) -> _Tried:
    facility, it = resolve(variant.project, Trace(Ledger()))
    sized, _ = converge(facility, it)
    point = operate(facility, it, sized, facility.site.design)
    crah = sized.cooling.crah
    by_air = whole_units(crah.airflow_m3_s / facility.cooling.crah.unit.air_flow_m3_s)
    groups = len(facility.cooling.crah.path.groups)
    fits = crah.duty <= _OVER_AIR * by_air + groups
    return _Tried(variant, facility, sized.cooling, point, fits)
