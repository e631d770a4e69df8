"""Cooling candidates by result: plant type, facility-water source, equipment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from facility.cooling.air.ventilation import ventilation_heat
from facility.cooling.chain.electrical_units import electrical_units
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.chain.sizing import size_cooling, solve_cooling, solve_cooling_unchecked
from facility.cooling.chain.water import rejection_water
from facility.cooling.parts.air import AirHours
from facility.cooling.parts.loads import HeatLoad
from facility.core.check import Check, Severity
from facility.core.choice import Alternative, Selection, ranked
from facility.core.errors import FacilityError
from facility.core.rounding import reaches
from facility.core.trace import Quiet, Trace
from facility.model.cooling.chain import CoolingChain
from facility.model.cooling.thermal import LITTLE_K
from facility.model.facility import Facility, Weather
from facility.model.inputs.cooling.air import AirPathSection
from facility.model.inputs.cooling.liquid import CduSection, FacilityWaterSection
from facility.model.inputs.cooling.machines import ChillerSection, RejectionSection
from facility.model.inputs.cooling.plant import PlantSection
from facility.model.inputs.cooling.section import CoolingSection
from facility.model.inputs.scalars import Section
from facility.physics.air.psychrometrics import humidity_ratio_at_wet_bulb
from facility.power.it.load import ItLoad
from facility.power.train.results import PowerFlow
from facility.study.design.life_cycle import LifeCycle
from facility.study.loop import heat_of
from facility.study.resolve.cooling.chain import resolve_cooling

PLANT = "cooling.plant.heat_rejection"
WATER = "cooling.facility_water.source"
TERMINAL = "cooling.air.terminal"
PADS = "cooling.facility_water.rejection.pad_effectiveness"
SUPPLY = "cooling.facility_water.supply"
CDU = "cooling.cdu.model"
LARGEST = "cooling.plant.chiller.largest"

Entries = Mapping[str, str]
_Failed = Mapping[str, Severity]

_PLANTS: tuple[Entries, ...] = (
    {PLANT: "tower"},
    {PLANT: "dry_cooler"},
    {PLANT: "air_cooled"},
    {TERMINAL: "crac"},
)
_CRACS: Entries = {TERMINAL: "crac"}
_SOURCES: tuple[Entries, ...] = (
    {WATER: "dry_cooler"},
    {WATER: "tower"},
    {WATER: "dry_cooler_and_chiller"},
    {WATER: "tower_and_chiller"},
    {WATER: "chilled_water"},
)
_PADS: Entries = {WATER: "dry_cooler", PADS: "0.75"}
"""Adiabatic dry coolers; pads are rated for 0.6 to 0.85 of the wet-bulb depression."""
_RIDE = f"RIDE-THROUGH with under {LITTLE_K:g} K to the coolant limit"
_OF_PLANTS = ("CDU-", "CHW-", "COIL-", "CURVE-", "DRY-COOLER-", "FWS-", "TCS-", "TOWER-", _RIDE)
"""Prefixes of rules decided by source and plant."""
_CDU_APPROACH_K = 7.0
"""Difference of coolant limit and facility water that few CDUs with glycol on both sides reach."""


@dataclass(frozen=True)
class CoolingBasis:
    """Common basis for the comparison of candidates."""

    section: CoolingSection
    facility: Facility
    it: ItLoad
    hours: Weather | None
    flow: PowerFlow  # Power chain before the cooling is sized
    terms: LifeCycle | None  # Prices of cooling equipment; None if not stated

    def heat(self, chain: CoolingChain, weather: Weather, fraction: float = 1.0) -> HeatLoad:
        """Return the heat removed by a cooling chain, losses of the power chain included."""
        fresh_w = ventilation_heat(chain, weather)
        return heat_of(self.facility, self.it, self.flow, fraction, ventilation_w=fresh_w)


def plants_offered(section: CoolingSection, facility: Facility) -> tuple[tuple[Entries, ...], str]:
    """Return the candidate pairs of facility water and plant type, and the subject of the choice.

    Empty if the project states both, or a part of one type only.
    """
    water = section.facility_water
    open_ = facility.cooling.facility_water is not None and (
        water is None or (water.source is None and water.rejection is None)
    )
    sources, plants = (_SOURCES if open_ else ()), _plants(section, facility)
    if not sources and not plants:
        return (), ""
    parts = (("facility water", sources), ("cooling plant", plants))
    return _pairs(sources, plants), " and ".join(name for name, offered in parts if offered)


def choose_plant(
    basis: CoolingBasis, pairs: tuple[Entries, ...], subject: str
) -> tuple[Selection[Entries], Tried] | None:
    """Return the choice of facility water and cooling plant, with each pair designed.

    If every pair fails a rule, as for small plants in very hot or cold air, adiabatic dry coolers
    for the facility water with CRACs for the remaining heat are candidates too.
    """
    offered = _designable(basis, pairs)
    of_water = any(WATER in entries for entries in pairs)
    if of_water and all(_plant_fails(one.failed) for one in offered):
        offered += _designable(basis, [one for one in _small_plants(basis) if one not in pairs])
    found = chosen(subject, basis, offered)
    if found is None:
        return None
    choice, best = found
    return replace(choice, candidates=tuple(_represented(choice.candidates))), best


def _small_plants(basis: CoolingBasis) -> tuple[Entries, ...]:
    """Return the pairs of facility water and plant suitable for small plants in hot or cold air."""
    sources = (*_SOURCES[:2], *_adiabatic(basis.section, basis.facility))
    plants = _plants(basis.section, basis.facility)
    more = (*plants, _CRACS) if plants and _direct(basis.section) else plants
    return _pairs(sources, more)


def _pairs(sources: Sequence[Entries], plants: Sequence[Entries]) -> tuple[Entries, ...]:
    return tuple({**source, **plant} for source in sources or ({},) for plant in plants or ({},))


def _designable(basis: CoolingBasis, pairs: Sequence[Entries]) -> list[Tried]:
    """Return the pairs of source and plant with a valid design."""
    return [one for entries in pairs if (one := tried(basis, entries)) is not None]


def _plant_fails(failed: _Failed) -> bool:
    """Return whether a rule of plant, loops or CDUs fails; rack rules are independent of it."""
    found = (rule for rule, severity in failed.items() if severity is not Severity.ADVICE)
    return any(rule.startswith(_OF_PLANTS) for rule in found)


def _adiabatic(section: CoolingSection, facility: Facility) -> tuple[Entries, ...]:
    """Return dry coolers with pads; with concentrated glycol, at a CDU approach below the limit."""
    water, cdu = section.facility_water, facility.cooling.cdu
    stated = water is not None and water.supply is not None
    if stated or cdu is None or cdu.tcs_supply_max_c is None:
        return (_PADS,)
    warm = f"{cdu.tcs_supply_max_c - _CDU_APPROACH_K:g} degC"
    return _PADS, {**_PADS, SUPPLY: warm}


def with_choice(section: CoolingSection, entries: Entries) -> CoolingSection:
    """Return the cooling section with the choice as stated inputs.

    An empty name keeps the catalogue default.
    """
    for path, name in entries.items():
        if name:
            section = _with_entry(section, path, name)
    return section


def _with_entry(section: CoolingSection, path: str, name: str) -> CoolingSection:
    plant, part = section.plant or PlantSection.unstated(), path.split(".")[1]
    whole: Section
    if path in (WATER, PADS, SUPPLY):
        whole = _with_water(section.facility_water or FacilityWaterSection.unstated(), path, name)
    elif path == CDU:
        whole = (section.cdu or CduSection.unstated()).model_copy(update={"model": name})
    elif path == PLANT:
        whole = plant.model_copy(update={"heat_rejection": name})
    elif path == LARGEST:
        stated = (plant.chiller or ChillerSection.unstated()).model_dump(exclude_none=True)
        chiller = ChillerSection.model_validate({**stated, "largest": name})
        whole = plant.model_copy(update={"chiller": chiller})
    else:
        whole = (section.air or AirPathSection.unstated()).model_copy(update={"terminal": name})
    return section.model_copy(update={part: whole})


def _with_water(water: FacilityWaterSection, path: str, name: str) -> FacilityWaterSection:
    if path == WATER:
        return water.model_copy(update={"source": name})
    if path == PADS:
        pads = RejectionSection.model_validate({"pad_effectiveness": name})
        return water.model_copy(update={"rejection": pads})
    supply = FacilityWaterSection.model_validate({"supply": name}).supply
    return water.model_copy(update={"supply": supply})


def _plants(cooling: CoolingSection, facility: Facility) -> tuple[Entries, ...]:
    """Return the candidate plant types; empty if a part of the plant is stated."""
    if cooling.plant is not None or cooling.economizer is not None or cooling.storage is not None:
        return ()
    return _PLANTS if _direct(cooling) and facility.cooling.method == "air" else _PLANTS[:-1]


def _direct(cooling: CoolingSection) -> bool:
    """Return whether the hall units are not specified, CRACs permitted."""
    stated = (cooling.air, cooling.crah, cooling.thermal, cooling.supply_air)
    return all(one is None for one in stated)


def chosen(
    subject: str, basis: CoolingBasis, found: Sequence[Tried], counted: frozenset[str] = frozenset()
) -> tuple[Selection[Entries], Tried] | None:
    """Return the choice among candidates and the selected one; None without a valid design.

    counted: Advice rules that exclude a candidate like warnings.
    """
    if not found:
        return None
    found = [replace(one, failed=_counted(one.failed, counted)) for one in found]
    fewest = min(_count(one.failed) for one in found)
    common = frozenset.intersection(*(frozenset(one.failed) for one in found))
    recalled = frozenset.intersection(*(one.recalled for one in found))
    compared = [
        replace(
            one.figures,
            recalled=bool(one.recalled - recalled),
            excluded="" if _count(one.failed) == fewest else _named(one.failed, common),
        )
        for one in found
    ]
    order = ranked(compared)
    period = "design hour" if basis.hours is None else "mean of the year"
    choice = Selection(subject, f"cooling, {period}", tuple(order))
    return choice, found[next(n for n, one in enumerate(compared) if one is order[0])]


def _represented(order: Sequence[Alternative[Entries]]) -> list[Alternative[Entries]]:
    """Return the best candidate of each source and of each plant type."""
    best: dict[tuple[str, str], int] = {}
    for n, one in enumerate(order):
        for entry in one.item.items():
            best.setdefault(entry, n)
    return [order[n] for n in sorted(set(best.values()))]


def _name(check: Check) -> str:
    """Return the rule of a check, for advice with its subject."""
    of = f" of {check.subject}" if check.severity is Severity.ADVICE else ""
    return f"{check.rule}{of}"


def _counted(failed: _Failed, advice: frozenset[str]) -> _Failed:
    """Return the failed rules, with the given advice counted as warnings."""
    return {
        name: Severity.WARNING if name.partition(" of ")[0] in advice else severity
        for name, severity in failed.items()
    }


def _count(failed: _Failed) -> tuple[int, int]:
    """Return the numbers of violations and warnings."""
    severities = list(failed.values())
    return severities.count(Severity.VIOLATION), severities.count(Severity.WARNING)


def _named(failed: _Failed, common: frozenset[str]) -> str:
    """Return the failed rules, except rules that all candidates fail."""
    rules = [rule for rule, severity in failed.items() if severity is not Severity.ADVICE]
    return ", ".join(rule for rule in rules if rule not in common)


@dataclass(frozen=True)
class _Built:
    """A cooling candidate with priced equipment."""

    facility: Facility
    cooling: CoolingDesign
    cooling_flow: CoolingFlow
    trace: Trace


@dataclass(frozen=True)
class Tried:
    """A designed candidate: figures, failed rules, machines with unverified data."""

    figures: Alternative[Entries]
    cooling: CoolingDesign
    failed: _Failed
    recalled: frozenset[str]

    def named(self, name: str) -> Tried:
        """Return the candidate with another name."""
        return replace(self, figures=replace(self.figures, name=name))


def _makeup(design: CoolingDesign, flow: CoolingFlow, hours: Weather) -> float:
    """Return the make-up water of the heat rejection, mean of the hours [m3/s]."""
    weather = hours.dry_bulb_c, hours.wet_bulb_c, hours.pressure_pa
    dry_c, wet_c, pressure_pa = (np.asarray(one) for one in np.broadcast_arrays(*weather))
    humid = np.asarray(humidity_ratio_at_wet_bulb.si(dry_c, wet_c, pressure_pa))
    used = rejection_water(design, flow, AirHours(dry_c, wet_c, humid, pressure_pa))
    return float(np.mean(used.towers.makeup_m3_s + used.pads_m3_s + used.pads_bled_m3_s))


def tried(basis: CoolingBasis, entries: Entries) -> Tried | None:
    """Return a candidate designed at the common heat; None if that fails."""
    facility = basis.facility
    try:
        section = with_choice(basis.section, entries)
        chain = resolve_cooling(section, facility.it, facility.site, facility.criteria, Trace())
    except FacilityError:
        return None
    return designed(basis, entries, chain)


def designed(basis: CoolingBasis, entries: Entries, chain: CoolingChain) -> Tried | None:
    """Return the design of a candidate with a resolved cooling chain; None if that fails."""
    facility, site, steps = basis.facility, basis.facility.site, Trace()
    try:
        heat = basis.heat(chain, site.design)
        design = size_cooling(chain, site, facility.criteria, heat, None, Quiet())
        flow = solve_cooling(design, heat, site.design, steps)
        loss_w, water_m3_s = float(flow.power.total_w), 0.0
        if basis.hours is not None:
            part = basis.heat(chain, basis.hours, facility.load.mean)
            through = solve_cooling_unchecked(design, part, basis.hours)
            loss_w = float(np.mean(through.power.total_w))
            water_m3_s = _makeup(design, through, basis.hours) if basis.terms else 0.0
    except FacilityError:
        return None
    largest_w = facility.electrical.conductors.largest_pump_w
    units = electrical_units(design, flow, steps, largest_w)
    installed_w = sum(max(u.installed * u.rated_w, u.hour_w) for u in units)
    built = _Built(replace(facility, cooling=chain), design, flow, steps)
    checks = [check for check in (*design.checks, *flow.checks) if check.failed]
    failed = {_name(check): check.severity for check in checks}
    limit_c = chain.cdu.tcs_supply_max_c if chain.cdu is not None else None
    if limit_c is not None and not reaches(limit_c - flow.tcs_supply_c, LITTLE_K):
        failed[_RIDE] = Severity.VIOLATION
    machines = sum(unit.installed for unit in units)
    words = {PADS: "pad effectiveness ", SUPPLY: "water at "}
    return Tried(
        Alternative(
            ", ".join(words.get(path, "") + name for path, name in entries.items()),
            entries,
            loss_w,
            installed_w,
            machines,
            cost=None if basis.terms is None else basis.terms.of_cooling(built, loss_w, water_m3_s),
        ),
        design,
        failed,
        frozenset(check.subject for check in checks if check.rule == "MEMORY-DATA"),
    )
