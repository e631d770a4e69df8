"""Sizing of the generator plant: set, site derating and number of sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from facility.catalogue import Row, Table, table
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.trace import Quiet, Trace
from facility.model.facility import Site
from facility.model.power.chain import GeneratorBasis
from facility.physics.circuits.currents import three_phase_current
from facility.physics.machines.generator import between, between_two, site_derate
from facility.power.backup.sets import CHOICE_RULE, OWN_SET, candidates, ranked, with_duty
from facility.power.backup.voltages import same_voltage, set_voltage
from facility.power.choices import PowerChoices
from facility.power.substation.units import step_up_unit
from facility.power.train.state import Power
from facility.power.train.types import GeneratorDesign, GeneratorSet

_RULE = Source("planning-rule", "choice of the generator set", verified="computed")
_LOAD_LIMITS = Source("annex-manufacturer-sheets", "average load limits of LEHE1351-04")
_DERATE = "electrical/generator_derate"


def derating(altitude_m: float, ambient_c: float) -> tuple[float, float, float]:
    """Return the site derating factors: engine; alternator altitude; alternator ambient.

    Tables are interpolated linearly; below their range a set delivers its rating.

    Raises ``OUT_OF_RANGE`` above the altitude or temperature range of the tables.
    """
    tables = _tables(table(_DERATE))
    _within(altitude_m, float(tables.altitude_m[-1]), "site.elevation", "m")
    _within(ambient_c, float(tables.ambient_c[-1]), "site.design_weather", "°C")
    return (
        between_two(altitude_m, ambient_c, tables.altitude_m, tables.ambient_c, tables.engine),
        between(altitude_m, *tables.by_altitude),
        between(ambient_c, *tables.by_ambient),
    )


@dataclass(frozen=True, eq=False)
class _Tables:
    """Generator derating tables as arrays, each rising."""

    altitude_m: FloatArray  # Shape (altitudes,)
    ambient_c: FloatArray  # Shape (ambients,)
    engine: FloatArray  # Fraction of the rating; shape (altitudes, ambients)
    # Altitude or ambient, and fraction of the alternator rating.
    by_altitude: tuple[FloatArray, FloatArray]
    by_ambient: tuple[FloatArray, FloatArray]


@lru_cache(maxsize=1)
def _tables(found: Table) -> _Tables:
    """Return the table as arrays, for repeated use in the sizing iterations."""
    engine = found.select(kind="altitude_and_ambient")
    altitudes = np.array(sorted({row.si("altitude_m") for row in engine}))
    ambients = np.array(sorted({row.si("ambient_c") for row in engine}))
    factors = np.empty((altitudes.size, ambients.size))
    for row in engine:
        at = np.searchsorted(altitudes, row.si("altitude_m"))
        factors[at, np.searchsorted(ambients, row.si("ambient_c"))] = row["multiplier"]
    alternator = (
        _columns(found.select(part="alternator", kind=kind), kind)
        for kind in ("altitude_m", "ambient_c")
    )
    return _Tables(altitudes, ambients, factors, *alternator)


def _columns(rows: Sequence[Row], column: str) -> tuple[FloatArray, FloatArray]:
    at, parts = ([row.si(one) for row in rows] for one in (column, "multiplier"))
    return np.array(at), np.array(parts)


def _within(value: float, limit: float, where: str, unit: str) -> None:
    if value > limit:
        raise FacilityError(
            "OUT_OF_RANGE",
            where,
            f"the generator derating tables end at {limit:.0f} {unit}; the site has"
            f" {value:.0f} {unit}.",
            "Enter power.generator.derate from the manufacturer.",
        )


@dataclass(frozen=True)
class Connection:
    """Connection of the plant, LV or MV side of the transformers, with the reason."""

    side: str
    because: str


def plant_connection(
    basis: GeneratorBasis,
    site: Site,
    load: Power,
    min_w: float,
    lv_voltage_v: float,
    limit_a: float,
    floor: PowerChoices | None,
) -> Connection:
    """Return the plant connection: as specified, otherwise by the rated current at LV.

    basis: Project data of the plant.
    site: Elevation, design dry bulb and frequency.
    load: Plant load without transformer losses.
    min_w: Load without recharge [W].
    lv_voltage_v: Voltage of the LV boards [V].
    limit_a: Largest current of one LV board [A].
    floor: Set and count of a previous pass.
    """
    if basis.connection:
        return Connection(basis.connection, "as stated")
    derate = _derate(basis, site, Quiet())
    chosen = _choose(basis, site, load, min_w, derate, floor, alone=True)[0]
    plant = _design(chosen, basis, derate, floor)
    current_a = float(three_phase_current.si(plant.count * plant.rating_va, lv_voltage_v))
    because = (
        f"rated current of {plant.count} x {plant.rating_va / 1e3:,.0f} kVA at"
        f" {lv_voltage_v:.0f} V: {current_a:,.0f} A exceeds {limit_a:,.0f} A of one LV board;"
        " sets at medium voltage also carry the MV/LV transformer losses"
    )
    return Connection("MV" if current_a > limit_a else "LV", because)


def size_generators(
    basis: GeneratorBasis,
    site: Site,
    load: Power,
    min_w: float,
    connection: str,
    bus: tuple[float, str],
    floor: PowerChoices | None,
    trace: Trace,
) -> GeneratorDesign:
    """Return the generator plant for the site load, spare sets included.

    basis: Project data of the plant.
    site: Elevation, design dry bulb and frequency.
    load: Plant load: UPS input with recharge, cooling, building load, board losses; at MV also the
        losses of the MV/LV transformers.
    min_w: Load without recharge [W].
    connection: LV or MV side of the transformers.
    bus: Voltage of the bus [V], and the code, which determines the step-up transformer family.
    floor: Set and count of a previous pass, a lower limit.
    trace: Records ``generator.rating``, ``generator.count`` and their inputs.

    Raises ``NO_GENERATOR`` (exit code 4) if the catalogue has no set for the frequency;
    ``UNKNOWN_MODEL`` for an unknown model; ``OUT_OF_RANGE`` for a site outside the tables.
    """
    derate = _derate(basis, site, trace)
    chosen, others = _choose(basis, site, load, min_w, derate, floor, isinstance(trace, Quiet))
    words = f"{chosen.model}, {chosen.rating_basis} rating"
    if basis.model or chosen.model == OWN_SET:
        trace.given("generator.rating", chosen.rating_w, "active_power", chosen.source, words)
    else:
        because = f"{words}: {CHOICE_RULE}. Next: {', '.join(others[:2]) or 'none'}"
        trace.choose("generator.rating", chosen.rating_w, "active_power", because, _RULE)
        trace.ledger.add_text("power.generator.model", chosen.model, CHOICE_RULE, _RULE)
    trace.given("generator.rating_kva", chosen.rating_va, "apparent_power", chosen.source)
    if basis.max_loading is None:
        basis_words = (
            "average load limit of the rating (mission critical 85 %, standby 70 %), applied to the"
            " design load because synchronous training can sustain it for days"
        )
        trace.assume(
            "power.generator.max_loading", chosen.max_loading, "fraction", basis_words, _LOAD_LIMITS
        )
    chosen = with_duty(chosen, basis, float(load.w), float(load.va), derate, trace)
    plant = _design(chosen, basis, derate, floor)
    bus_v, code = bus
    voltage_v = basis.voltage_v
    if voltage_v is None:
        voltage_v = set_voltage(plant.frequency_hz, plant.rating_va, bus_v)
    step_up = None
    if not same_voltage(voltage_v, bus_v):
        step_up = step_up_unit(plant.rating_va, code, max(bus_v, voltage_v), min(bus_v, voltage_v))
    design = replace(plant, connection=connection, voltage_v=voltage_v, step_up=step_up)
    given = basis.count is not None
    why = "as built" if given else f"duty sets and {design.spare} spare"
    source, duty = PROJECT if given else DERIVED, "generator.count.duty"
    trace.choose("generator.count", design.count, "count", why, source, duty=duty)
    return design


def _choose(
    basis: GeneratorBasis,
    site: Site,
    load: Power,
    min_w: float,
    derate: float,
    floor: PowerChoices | None,
    alone: bool,
) -> tuple[GeneratorSet, list[str]]:
    """Return the selected set with its duty number, and the other models, best first.

    alone: Leave out the other models, which are not sized if a previous pass selected the set.
    """
    w, va, listed = float(load.w), float(load.va), candidates(basis, site)
    if alone and floor:
        listed = [one for one in listed if one.model == floor.generators.model] or listed
    sets = [with_duty(s, basis, w, va, derate) for s in listed]
    max_w = min_w / basis.operation.minimum_load
    found = ranked(sets, basis.spare * basis.sections, basis.count, max_w)
    chosen = next((s for s in found if floor and s.model == floor.generators.model), found[0])
    return chosen, [s.model for s in found if s is not chosen]


def _design(
    chosen: GeneratorSet, basis: GeneratorBasis, derate: float, floor: PowerChoices | None
) -> GeneratorDesign:
    """Return the plant with duty and spare sets; without the set voltage."""
    spare = basis.spare * basis.sections
    count = chosen.duty + spare
    if floor is not None:
        count = max(count, floor.generators.count)
    if basis.count is not None:
        count = basis.count
    return GeneratorDesign(**vars(chosen), derate=derate, count=count, spare=spare, connection="")


def _derate(basis: GeneratorBasis, site: Site, trace: Trace) -> float:
    if basis.derate is not None:
        return trace.given("generator.derate", basis.derate, "ratio", PROJECT)
    engine, by_altitude, by_ambient = derating(site.elevation_m, site.design.dry_bulb_c)
    why = f"at {site.elevation_m:.0f} m and {site.design.dry_bulb_c:.1f} °C"
    source = Source("generator-derate-manuals", "engine table of one manufacturer")
    trace.given("generator.derate.engine", engine, "ratio", source, why)
    return float(
        trace.do(
            "generator.derate",
            site_derate,
            why,
            engine="generator.derate.engine",
            alternator_altitude=by_altitude,
            alternator_ambient=by_ambient,
        )
    )
