"""Checks of transformers, generators and the underlying power data."""

from __future__ import annotations

from collections.abc import Iterator

from facility.catalogue.altitude import rating_at
from facility.core.check import Check
from facility.core.rounding import within
from facility.core.sources import Source
from facility.model.facility import Criteria, Site
from facility.physics.circuits.currents import three_phase_current
from facility.power.backup.sections import bus_voltage
from facility.power.backup.sets import OWN_SET, smaller_set
from facility.power.backup.voltages import (
    LOW_VOLTAGE_V,
    MAX_ON_ONE_BUS,
    same_voltage,
    standard_set_voltages,
)
from facility.power.panels.design.lineups import pdu_peak
from facility.power.rules import RULES
from facility.power.substation.interrupting_ratings import assembly_ratings
from facility.power.train.results import ChainFlow
from facility.power.train.types import MAX_SURPLUS, ChainDesign, GeneratorDesign

_MIN_RESISTOR_V = 480.0
"""Minimum voltage of a system with impedance-grounded neutral, NEC 250.36."""

_HIGHEST_CLASS_V = {"NEC": 15e3, "IEC": 24e3}
"""Highest voltage of the class with impedances in `electrical/mv_transformers`."""
_RATED_ALTITUDE_M = 1000.0
_MV_ALTITUDE = Source(
    "planning-value", "usual service conditions of IEC 62271-1, IEEE C37.100.1", verified="memory"
)


def plant_checks(
    design: ChainDesign, flow: ChainFlow, site: Site, criteria: Criteria
) -> tuple[Check, ...]:
    """Return the checks of transformers, generators and data.

    flow: Power flow with growth.
    site, criteria: Utility frequency; code.
    """
    limit, transformers = design.chain.transformer.max_loading, design.transformers
    subject = f"{transformers.count} x {transformers.unit.rating_va / 1e3:,g} kVA"
    checks = []
    if transformers.present:
        checks.append(_mv_failure(design, flow.transformers.failure, limit, subject))
    if design.pdus is not None:
        name = f"{design.pdus.count} x {design.pdus.unit.rating_va / 1e3:,.0f} kVA PDU"
        highest = flow.pdus.failure * pdu_peak(design.chain, design.pdus.per_carrier)
        maximum = design.chain.wiring.pdu_max_loading
        why = (
            "each panel is fed from one PDU: compare power.distribution.pdu_transformer and pdus"
            f" with the load of panels of {design.chain.panels.bus_a:,.0f} A (panel_bus, panels)"
        )
        checks.append(RULES["PDU-LOADING"].at_most(name, highest, maximum, "fraction", why))
    return (
        *checks,
        *_neutral(design),
        *_resistor(design, criteria),
        *_generators(design, site),
        *_generator_bus(design, flow, criteria),
        *_surplus(design, flow),
        *_altitude(design, site),
        *_data(design, criteria),
    )


def _altitude(design: ChainDesign, site: Site) -> Iterator[Check]:
    """Yield the checks of permitted loadings and equipment ratings at the site altitude.

    Sizing uses the permitted loadings; breakers and switchgear are sized at sea-level ratings.
    """
    chain, elevation_m = design.chain, site.elevation_m
    loadings = [("UPS", "UPS", chain.ups.max_loading)]
    if design.transformers.present:
        kind = "liquid-immersed transformer"
        loadings.append(("MV/LV transformers", kind, chain.transformer.max_loading))
    if design.pdus is not None:
        kind = "dry-type transformer"
        loadings.append(("PDU transformers", kind, chain.wiring.pdu_max_loading))
    for subject, kind, used in loadings:
        left, _, source = rating_at(kind, elevation_m)
        why = f"maximum loading {used:.1%}; rating derated to {left:.1%} at"
        yield (
            RULES["ALTITUDE-RATING"]
            .by(source)
            .at_most(subject, used, left, "fraction", f"{why} {elevation_m:,.0f} m")
        )
    left, up_to_m, source = rating_at("LV breaker", elevation_m)
    remedy = "Select breakers and boards according to the manufacturer's ratings at this altitude."
    why = f"site at {elevation_m:,.0f} m; ratings apply up to {up_to_m:,.0f} m"
    if left < 1.0:
        why += f": current derated to {left:.1%}, and voltage derated too"
    yield (
        RULES["ALTITUDE-RATING"]
        .by(source, remedy)
        .at_most("LV breakers and boards", elevation_m, up_to_m, "length", why)
    )
    if design.transformers.present:
        remedy = "Request MV switchgear and transformer bushings insulated for this altitude."
        why = (
            f"site at {elevation_m:,.0f} m; air insulation is rated up to"
            f" {_RATED_ALTITUDE_M:,.0f} m"
        )
        yield (
            RULES["ALTITUDE-RATING"]
            .by(_MV_ALTITUDE, remedy)
            .at_most("MV insulation", elevation_m, _RATED_ALTITUDE_M, "length", why)
        )


def _neutral(design: ChainDesign) -> list[Check]:
    """Return the effect of the transformer vector group on the LV neutral."""
    group = design.chain.transformer.vector_group
    if not design.transformers.present:
        return []
    words = {
        "Yyn": "without a delta winding, the neutral carries about 10 % of the rated current;"
        " sizing excludes the neutral current of unbalanced racks and their third harmonics",
        "Dd": "no neutral: it does not ground the LV boards, and ground-fault protection and"
        " line-to-ground fault currents do not apply to them",
        "YNyn": "zero-sequence current of the racks flows to the utility neutral, which must"
        " carry it",
    }
    why = words.get(group.rstrip("0123456789"), "the delta winding blocks zero-sequence current")
    four_wire = not design.chain.wiring.has_pdu_transformers
    permitted = group.startswith("Dyn") or (group.startswith("Y") and not four_wire)
    return [
        RULES["TRANSFORMER-NEUTRAL"].verdict("MV/LV transformers", permitted, f"{group}: {why}")
    ]


def _resistor(design: ChainDesign, criteria: Criteria) -> list[Check]:
    """Return the high-resistance grounding requirements of the LV boards."""
    grounding_a, volts = design.chain.transformer.grounding_a, design.chain.wiring.lv_voltage_v
    if grounding_a is None:
        return []
    why = (
        f"{grounding_a:,g} A through each neutral: the first ground fault raises an alarm, no"
        " device trips, and a second one may flow between lines through one pole; no"
        " line-to-neutral load is permitted; the resistor current must exceed the charging current"
    )
    found = [RULES["NEUTRAL-RESISTOR"].verdict("LV boards", False, why)]
    if criteria.code == "NEC":
        found.append(
            RULES["NEUTRAL-RESISTOR-VOLTAGE"].at_least(
                "LV boards", volts, _MIN_RESISTOR_V, "line_voltage"
            )
        )
    return found


def _mv_failure(design: ChainDesign, found: float, limit: float, subject: str) -> Check:
    rule = RULES["TRANSFORMER-LOADING-FAILURE"]
    spare = design.chain.transformer.spare * design.ups.buses
    installed = design.transformers.per_carrier
    if design.chain.scheme.one_system and installed <= spare:
        return rule.verdict(
            subject, False, f"{spare} out of service: none of the {installed} installed remains"
        )
    return rule.at_most(subject, found, limit, "fraction")


def _generators(design: ChainDesign, site: Site) -> list[Check]:
    plant = design.generators
    if not plant.count:
        why = "no set is installed (power.generator.count: 0)"
        rules = RULES["GENERATOR-CAPACITY"], RULES["GENERATOR-KVA"], RULES["GENERATOR-FREQUENCY"]
        return [rule.not_evaluated("generators", why) for rule in rules]
    return [_frequency(plant, site)]


def _generator_bus(design: ChainDesign, flow: ChainFlow, criteria: Criteria) -> list[Check]:
    """Return the checks of generator voltage, sets per bus and generator bus current."""
    plant, bus_v = design.generators, bus_voltage(design)
    if not plant.count:
        return []
    made = standard_set_voltages(plant.frequency_hz, plant.rating_va)
    listed = ", ".join(f"{volts:,.0f}" for volts in made) or "unknown voltages"
    words = f"{plant.voltage_v:,.0f} V; sets of {plant.rating_va / 1e3:,.0f} kVA at"
    words += f" {plant.frequency_hz:.0f} Hz are available for {listed} V"
    if plant.step_up is not None:
        words += f"; {plant.count} step-up transformers to {bus_v:,.0f} V"
    fits = any(same_voltage(volts, plant.voltage_v) for volts in made)
    on_bus = plant.section_sets(0)
    checks = [
        RULES["GENERATOR-VOLTAGE"].verdict(plant.model, fits, words),
        RULES["GENERATOR-ONE-BUS"].at_most(
            plant.model,
            on_bus,
            MAX_ON_ONE_BUS,
            "count",
            f"{on_bus} of {plant.count} sets on "
            + ("1 bus" if plant.sections == 1 else f"each of {plant.sections} buses"),
        ),
    ]
    assembly = "mv-switchgear" if bus_v > LOW_VOLTAGE_V else "lv-board"
    ratings = assembly_ratings(assembly, criteria.code, bus_v)
    load_va = float(flow.generators.load_va) * max(design.chain.generator.section_parts)
    current_a = float(three_phase_current.si(load_va, bus_v))
    subject = f"generator bus at {bus_v:,.0f} V"
    if not ratings:
        why = f"{current_a:,.0f} A; the table has no switchgear for this voltage"
        return [*checks, RULES["GENERATOR-BUS-CURRENT"].not_evaluated(subject, why)]
    max_a = ratings[-1].bus_max_a
    why = f"most loaded section {current_a:,.0f} A, largest switchgear bus {max_a:,.0f} A"
    return [
        *checks,
        RULES["GENERATOR-BUS-CURRENT"].at_most(subject, current_a, max_a, "current", why),
    ]


def _other_class(design: ChainDesign, criteria: Criteria) -> list[str]:
    """Return a note if the utility voltage exceeds the class of the tabulated impedance."""
    highest_v = _HIGHEST_CLASS_V[criteria.code]
    stated = design.chain.transformer.impedance is not None
    if stated or not design.transformers.present or design.utility_voltage_v <= highest_v:
        return []
    return [
        f"impedance of transformers up to {highest_v / 1e3:g} kV, at"
        f" {design.utility_voltage_v / 1e3:g} kV (power.transformer.impedance)"
    ]


def _surplus(design: ChainDesign, flow: ChainFlow) -> list[Check]:
    """Return the checks of installed capacity vs. demand at the permitted loading."""
    basis, ups, transformers = design.chain, design.ups, design.transformers
    plant = design.generators
    installed_w = ups.modules * ups.module.rating_w
    rows: list[tuple[str, float, float, str, bool]] = [
        (f"UPS, {ups.modules} x {ups.module.rating_w / 1e3:,.0f} kW", basis.ups.max_loading,
         max(float(flow.ups.loading.failure), float(flow.ups.loading_va.failure)),
         f"{ups.module.rating_w / 1e3:,.0f} kW modules", not within(installed_w, ups.min_w)),
    ]  # fmt: skip
    if transformers.present:
        kva = f"{transformers.unit.rating_va / 1e3:,g} kVA"
        rows.append((
            f"transformers, {transformers.count} x {kva}", basis.transformer.max_loading,
            float(flow.transformers.failure), f"{kva} units",
            not within(transformers.unit.rating_va, transformers.min_va),
        ))  # fmt: skip
    pdus = design.pdus
    if pdus is not None and basis.wiring.pdu_count is not None:
        kva = f"{pdus.unit.rating_va / 1e3:,g} kVA"
        rows.append((
            f"PDU transformers, {pdus.count} x {kva}", basis.wiring.pdu_max_loading,
            float(flow.pdus.failure), f"{kva} units", True,
        ))  # fmt: skip
    if plant.count:
        by_va = float(flow.generators.load_va) / (plant.on_duty * plant.rating_va * plant.derate)
        found = max(float(flow.generators.loading), by_va)
        rows.append((
            f"generators, {plant.count} x {plant.rating_w / 1e3:,.0f} kW", plant.max_loading,
            found, f"{plant.rating_w / 1e3:,.0f} kW sets",
            plant.count > plant.duty + plant.spare or smaller_set(basis.generator, plant),
        ))  # fmt: skip
    return [_surplus_check(*row) for row in rows if row[2] > 0.0]


def _surplus_check(subject: str, permitted: float, found: float, unit: str, smaller: bool) -> Check:
    """Return the check of installed units with the loading `found`, `permitted` at most."""
    rule, ratio = RULES["INSTALLED-SURPLUS"], permitted / found
    why = (
        f"{ratio:,.2f} x worst-state demand of {unit}; loading {found:.1%}, {permitted:.0%}"
        " permitted"
    )
    if not smaller and ratio > MAX_SURPLUS:
        return rule.verdict(subject, True, f"{why}; no smaller known size carries the load")
    return rule.at_most(subject, ratio, MAX_SURPLUS, "ratio", why)


def _frequency(plant: GeneratorDesign, site: Site) -> Check:
    rule = RULES["GENERATOR-FREQUENCY"]
    if plant.model == OWN_SET:
        return rule.not_evaluated(
            plant.model,
            f"assumed to be a {site.frequency_hz:.0f} Hz set; the project states no frequency",
        )
    return rule.verdict(
        plant.model,
        plant.frequency_hz == site.frequency_hz,
        f"{plant.frequency_hz:.0f} Hz set on a {site.frequency_hz:.0f} Hz site",
    )


def _data(design: ChainDesign, criteria: Criteria) -> list[Check]:
    module = design.ups.module
    used = [
        (f"UPS {module.model}", module.memory),
        ("MV/LV transformers", (*design.transformers.unit.memory, *_other_class(design, criteria))),
        (f"generator {design.generators.model}", design.generators.memory),
    ]
    if design.pdus is not None:
        used.append(("PDU transformers", design.pdus.unit.memory))
    checks = [
        RULES["MEMORY-DATA"].verdict(
            name,
            not recalled,
            f"unverified: {', '.join(recalled)}" if recalled else "all data read from sources",
        )
        for name, recalled in used
    ]
    curve = RULES["UPS-CURVE"].verdict(
        f"UPS {module.model}", module.own_curve, f"loss curve {module.curve}"
    )
    return [*checks, curve]
