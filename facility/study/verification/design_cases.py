"""Cases of whole facilities: projects of the table ``cases/projects``, resolved or designed."""

from __future__ import annotations

from functools import lru_cache

from facility.catalogue import table
from facility.core.check import Severity
from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.inputs.document import Project, read_document
from facility.physics.air.psychrometrics import (
    humidity_ratio_of_vapor,
    saturation_pressure,
    specific_volume,
)
from facility.physics.air.sensible import air_temperature_rise, moist_air_specific_heat
from facility.physics.facility.metrics import SECONDS_PER_YEAR, energy, monthly_cost
from facility.power.it.load import ItLoad
from facility.study.annual.study import no_weather
from facility.study.design.design import Design, design
from facility.study.failures.study import FailureStudy, failures
from facility.study.resolve.facility import resolve
from facility.study.verification.inputs import CaseFunctions, fields_of, nested

_JOULES_PER_KWH = 3.6e6
_RESULT_KINDS = (
    "active_power", "count", "heat_flow", "hour_price", "money", "ratio", "temperature",
    "water_per_energy",
)  # fmt: skip
_LOAD_KINDS = ("active_power", "heat_flow")


def case_project(id: str) -> Project:
    """Return the project `id` of the table ``cases/projects``.

    Raises ``UNKNOWN_MODEL`` for an id not in the table, and the errors of the project.
    """
    row = table("cases/projects").get(id, "cases/projects")
    return read_document(nested(fields_of(row.text("fields"), row.label), row.label))


@lru_cache(maxsize=16)
def _design(project: str) -> Design:
    return design(case_project(project))


@lru_cache(maxsize=16)
def _load(project: str) -> ItLoad:
    return resolve(case_project(project), Trace())[1]


def _result(project: str, key: str, times: float = 1.0) -> float:
    found = _design(project)
    of_year = found.year.results if found.year is not None and key not in found.results else {}
    return float((of_year.get(key) or found.results[key]).si) * times


def _per_it(project: str, keys: str) -> float:
    """Return a sum of money per W of IT load."""
    return sum(_result(project, key) for key in keys.split("+")) / _result(project, "load.it")


def _part(project: str, keys: str, over: str) -> float:
    """Return a sum of results divided by another result."""
    return sum(_result(project, key) for key in keys.split("+")) / _result(project, over)


def _load_of(project: str, key: str, part: float = 1.0) -> float:
    return float(getattr(_load(project), key)) / part


def _load_sum(project: str, key: str, other_project: str, other_key: str) -> float:
    return _load_of(project, key) + _load_of(other_project, other_key)


def _closure(project: str, whole: str, parts: str) -> float:
    """Return the residual of a total less its parts, relative to the total."""
    total = _result(project, whole)
    return (total - sum(_result(project, part) for part in parts.split("+"))) / total


def _room_parts(project: str) -> float:
    """Return the residual of the room heat less its components."""
    found = _design(project)
    house = found.facility.house
    room_w = _result(project, "heat.room")
    parts_w = (
        found.it.air_w,
        found.flow.hall_w,
        house.lighting_w,
        house.people * house.people_w,
        house.envelope_w,
    )
    return (room_w - sum(parts_w)) / room_w


def _room_air(project: str) -> float:
    """Return the residual of the room air temperature rise less heat divided by flow."""
    found = _design(project)
    flow, pressure_pa = found.cooling_flow, found.facility.site.pressure_pa
    vapor_pa = saturation_pressure.si(found.facility.cooling.room_dew_point_c)
    ratio = humidity_ratio_of_vapor.si(vapor_pa, pressure_pa)
    volume = specific_volume.si(flow.supply_air_c, ratio, pressure_pa)
    rise_k = air_temperature_rise.si(
        _result(project, "heat.room"),
        flow.crah_airflow_m3_s,
        volume,
        moist_air_specific_heat.si(ratio),
    )
    return float((flow.return_air_c - flow.supply_air_c - rise_k) / rise_k)


def _coolant_supply(project: str) -> float:
    return _design(project).cooling_flow.tcs_supply_c


def _pue_without(project: str, parts: str) -> float:
    """Return the annual PUE without parts that a site does not have or does not meter.

    parts: Groups or single parts of the annual energy, with a plus sign between them.
    """
    found = _design(project).year
    if found is None:
        raise no_weather(_design(project))
    of = {key: float(value.si) for key, value in found.results.items() if value.kind == "energy"}
    left_out = tuple(f"annual.{part}." for part in parts.split("+"))
    left_j = of["energy.annual"] - sum(of[key] for key in of if f"{key}.".startswith(left_out))
    return left_j / of["energy.annual.it"]


def _mean_power(project: str) -> float:
    return _result(project, "energy.annual") / SECONDS_PER_YEAR


def _breaks(project: str, rule: str, severity: str) -> float:
    """Return 1 if at least one check of a rule with that severity fails, else 0."""
    weight = Severity(severity)
    checks = [check for check in _design(project).checks if check.rule == rule]
    if not checks:
        raise FacilityError("UNKNOWN_RULE", rule, "the design has no check of this rule.")
    return float(any(check.failed and check.severity is weight for check in checks))


def _refused(project: str, code: str) -> float:
    """Return 1 if the project fails with the error `code`, 0 if it is designed."""
    try:
        design(case_project(project))
    except FacilityError as error:
        if error.code != code:
            raise
        return 1.0
    return 0.0


def _month(power_w: float, usd_per_kwh: float) -> float:
    annual_j = energy.si(power_w, SECONDS_PER_YEAR)
    return float(monthly_cost.si(annual_j, usd_per_kwh / _JOULES_PER_KWH))


def _swing_shown(project: str) -> str:
    """Return "shown" if step, ramp and smoothing energy of a job have results."""
    study = _design(project).moving_load.study
    points = ("utility", "ups", "generator")
    keys = [f"swing.{point}{what}" for point in points for what in ("", ".ramp")]
    found = {} if study is None else study.results
    missing = [key for key in (*keys, "swing.storage.energy") if key not in found]
    return f"{', '.join(missing)} missing" if missing else "shown"


@lru_cache(maxsize=4)
def _failures(project: str) -> FailureStudy:
    return failures(_design(project))


def _verdict(project: str, key: str) -> str:
    return "yes" if getattr(_failures(project), key).holds else "no"


def _single_point(project: str, kind: str) -> str:
    """Return whether the loss of a single component of a type drops load."""
    return "yes" if any(point.kind == kind for point in _failures(project).single_points) else "no"


FUNCTIONS: CaseFunctions = {
    "failure.verdict": ("text", _verdict),
    "failure.single_point": ("text", _single_point),
    "failure.single_points": ("count", lambda project: len(_failures(project).single_points)),
    **{f"design.{kind}": (kind, _result) for kind in _RESULT_KINDS},
    **{f"load.{kind}": (kind, _load_of) for kind in _LOAD_KINDS},
    "load.sum": ("active_power", _load_sum),
    "load.ratio": ("ratio", lambda project, key, over_w: over_w / _load_of(project, key)),
    "design.closure": ("ratio", _closure),
    "design.part": ("ratio", _part),
    "design.per_it": ("demand_price", _per_it),
    "design.room_parts": ("ratio", _room_parts),
    "design.room_air": ("ratio", _room_air),
    "design.coolant_supply": ("temperature", _coolant_supply),
    "year.pue_without": ("ratio", _pue_without),
    "design.mean_power": ("active_power", _mean_power),
    "design.breaks": ("count", _breaks),
    "design.refused": ("count", _refused),
    "cost.month": ("money", _month),
    "load.shown": ("text", _swing_shown),
    "cost.load_factor": ("ratio", lambda month_usd, **of: month_usd / _month(**of)),
}
