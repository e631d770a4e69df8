"""Checks of transformers and generators, and of the data the power chain rests on."""

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
from facility.power.backup.voltages import LOW_VOLTAGE_V, MOST_ON_ONE_BUS, made_for, same_voltage
from facility.power.panels.design.lineups import pdu_peak
from facility.power.rules import RULES
from facility.power.substation.interrupting_ratings import assembly_ratings
from facility.power.train.results import ChainFlow
from facility.power.train.types import MOST_SURPLUS, ChainDesign, GeneratorDesign

_LEAST_RESISTOR_V = 480.0

_HIGHEST_CLASS_V = {"NEC": 15e3, "IEC": 24e3}
"""Highest voltage of the class that `electrical/mv_transformers` has impedances of."""
_RATED_ALTITUDE_M = 1000.0
_MV_ALTITUDE = Source(
    "planning-value", "usual service conditions of IEC 62271-1, IEEE C37.100.1", verified="memory"
)


def plant_checks(
    design: ChainDesign, flow: ChainFlow, site: Site, criteria: Criteria
) -> tuple[Check, ...]:
    """Return the checks of transformers, generators and data.

    flow: The chain under the load with growth.
    site, criteria: Frequency of the utility; code.
    """
    limit, transformers = design.chain.transformer.max_loading, design.transformers
    subject = f"{transformers.count} x {transformers.unit.rating_va / 1e3:,g} kVA"
    checks = []
    if transformers.present:
        checks.append(_mv_failure(design, flow.transformers.failure, limit, subject))
    if design.pdus is not None:
        name = f"{design.pdus.count} x {design.pdus.unit.rating_va / 1e3:,.0f} kVA PDU"
        fullest = flow.pdus.failure * pdu_peak(design.chain, design.pdus.per_carrier)
        most = design.chain.wiring.pdu_max_loading
        why = (
            "a panel hangs whole on one PDU: power.distribution.pdu_transformer and pdus against"
            f" what hangs on panels of {design.chain.panels.bus_a:,.0f} A (panel_bus, panels)"
        )
        checks.append(RULES["PDU-LOADING"].at_most(name, fullest, most, "fraction", why))
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
    """Yield the highest loadings against what the altitude leaves, and the height of the gear.

    Sizing keeps to the loadings; ratings of breakers and switchgear are chosen as at the sea.
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
        why = f"loaded to {used:.1%} at most; {left:.1%} of the rating are left at"
        yield (
            RULES["ALTITUDE-RATING"]
            .by(source)
            .at_most(subject, used, left, "fraction", f"{why} {elevation_m:,.0f} m")
        )
    left, up_to_m, source = rating_at("LV breaker", elevation_m)
    remedy = "Choose breakers and boards by their maker's current and voltage at this altitude."
    why = f"{elevation_m:,.0f} m; ratings hold up to {up_to_m:,.0f} m"
    if left < 1.0:
        why += f": {left:.1%} of the current are left, and less of the voltage"
    yield (
        RULES["ALTITUDE-RATING"]
        .by(source, remedy)
        .at_most("LV breakers and boards", elevation_m, up_to_m, "length", why)
    )
    if design.transformers.present:
        remedy = "Ask for MV switchgear and transformer bushings insulated for this altitude."
        why = f"{elevation_m:,.0f} m; insulation in air holds up to {_RATED_ALTITUDE_M:,.0f} m"
        yield (
            RULES["ALTITUDE-RATING"]
            .by(_MV_ALTITUDE, remedy)
            .at_most("MV insulation", elevation_m, _RATED_ALTITUDE_M, "length", why)
        )


def _neutral(design: ChainDesign) -> list[Check]:
    """Return what the vector group means for the neutral of the LV boards."""
    group = design.chain.transformer.vector_group
    if not design.transformers.present:
        return []
    words = {
        "Yyn": "bears about 10 % of its rated current in the neutral without a delta winding; what"
        " unbalanced racks and their third harmonics ask for is not in the sizing",
        "Dd": "no neutral: the LV boards are not grounded by it, and ground-fault protection and"
        " figures of line-to-ground faults do not hold for them",
        "YNyn": "zero sequence of the racks passes to the utility, whose neutral must carry it",
    }
    why = words.get(group.rstrip("0123456789"), "zero sequence stays behind the delta winding")
    four_wire = not design.chain.wiring.has_pdu_transformers
    held = group.startswith("Dyn") or (group.startswith("Y") and not four_wire)
    return [RULES["TRANSFORMER-NEUTRAL"].verdict("MV/LV transformers", held, f"{group}: {why}")]


def _resistor(design: ChainDesign, criteria: Criteria) -> list[Check]:
    """Return what a high resistance in the neutral of the LV boards asks for."""
    grounding_a, volts = design.chain.transformer.grounding_a, design.chain.wiring.lv_voltage_v
    if grounding_a is None:
        return []
    why = (
        f"{grounding_a:g} A through each neutral: the first ground fault is detected and alarms, no"
        " device trips, and a second one may flow between lines through one pole; nothing hangs"
        " from line to neutral; the current must stand above the charging current"
    )
    found = [RULES["NEUTRAL-RESISTOR"].verdict("LV boards", False, why)]
    if criteria.code == "NEC":
        found.append(
            RULES["NEUTRAL-RESISTOR-VOLTAGE"].at_least(
                "LV boards", volts, _LEAST_RESISTOR_V, "line_voltage"
            )
        )
    return found


def _mv_failure(design: ChainDesign, found: float, limit: float, subject: str) -> Check:
    rule = RULES["TRANSFORMER-LOADING-FAILURE"]
    spare = design.chain.transformer.spare * design.ups.buses
    installed = design.transformers.per_carrier
    if design.chain.scheme.one_system and installed <= spare:
        return rule.verdict(
            subject, False, f"{spare} out of service: none of the {installed} installed is left"
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
    """Return the checks of voltage, and of the sets and the current on one bus."""
    plant, bus_v = design.generators, bus_voltage(design)
    if not plant.count:
        return []
    made = made_for(plant.frequency_hz, plant.rating_va)
    listed = ", ".join(f"{volts:,.0f}" for volts in made) or "none known"
    words = f"{plant.voltage_v:,.0f} V; sets of {plant.rating_va / 1e3:,.0f} kVA at"
    words += f" {plant.frequency_hz:.0f} Hz are made for {listed} V"
    if plant.step_up is not None:
        words += f"; {plant.count} step-up transformers to {bus_v:,.0f} V"
    fits = any(same_voltage(volts, plant.voltage_v) for volts in made)
    on_bus = plant.section_sets(0)
    checks = [
        RULES["GENERATOR-VOLTAGE"].verdict(plant.model, fits, words),
        RULES["GENERATOR-ONE-BUS"].at_most(
            plant.model,
            on_bus,
            MOST_ON_ONE_BUS,
            "count",
            f"{on_bus} of {plant.count} sets on each of {plant.sections} buses",
        ),
    ]
    assembly = "mv-switchgear" if bus_v > LOW_VOLTAGE_V else "lv-board"
    ratings = assembly_ratings(assembly, criteria.code, bus_v)
    load_va = float(flow.generators.load_va) * max(design.chain.generator.section_parts)
    current_a = float(three_phase_current.si(load_va, bus_v))
    subject = f"generator bus at {bus_v:,.0f} V"
    if not ratings:
        why = f"{current_a:,.0f} A; no switchgear of this voltage is in the table"
        return [*checks, RULES["GENERATOR-BUS-CURRENT"].not_evaluated(subject, why)]
    most_a = ratings[-1].bus_max_a
    why = f"{current_a:,.0f} A of the fullest section against {most_a:,.0f} A"
    return [
        *checks,
        RULES["GENERATOR-BUS-CURRENT"].at_most(subject, current_a, most_a, "current", why),
    ]


def _other_class(design: ChainDesign, criteria: Criteria) -> list[str]:
    """Return that the impedance is of a lower insulation class than the utility's voltage."""
    highest_v = _HIGHEST_CLASS_V[criteria.code]
    stated = design.chain.transformer.impedance is not None
    if stated or not design.transformers.present or design.utility_voltage_v <= highest_v:
        return []
    return [
        f"impedance of transformers up to {highest_v / 1e3:g} kV, at"
        f" {design.utility_voltage_v / 1e3:g} kV (power.transformer.impedance)"
    ]


def _surplus(design: ChainDesign, flow: ChainFlow) -> list[Check]:
    """Return what is installed over what is asked for, with what the permitted loading leaves."""
    basis, ups, transformers = design.chain, design.ups, design.transformers
    plant = design.generators
    installed_w = ups.modules * ups.module.rating_w
    rows: list[tuple[str, float, float, str, bool]] = [
        (f"UPS, {ups.modules} x {ups.module.rating_w / 1e3:,.0f} kW", basis.ups.max_loading,
         max(float(flow.ups.loading.failure), float(flow.ups.loading_va.failure)),
         f"{ups.module.rating_w / 1e3:,.0f} kW modules", not within(installed_w, ups.least_w)),
    ]  # fmt: skip
    if transformers.present:
        kva = f"{transformers.unit.rating_va / 1e3:,g} kVA"
        rows.append((
            f"transformers, {transformers.count} x {kva}", basis.transformer.max_loading,
            float(flow.transformers.failure), f"{kva} units",
            not within(transformers.unit.rating_va, transformers.least_va),
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
    """Return the check of installed units of which `found` is used where `permitted` may be."""
    rule, ratio = RULES["INSTALLED-SURPLUS"], permitted / found
    why = (
        f"{ratio:,.2f} times what the worst designed state asks of {unit}:"
        f" {found:.1%} of the rating where {permitted:.0%} is permitted"
    )
    if not smaller and ratio > MOST_SURPLUS:
        return rule.verdict(subject, True, f"{why}; none smaller is known that carries the load")
    return rule.at_most(subject, ratio, MOST_SURPLUS, "ratio", why)


def _frequency(plant: GeneratorDesign, site: Site) -> Check:
    rule = RULES["GENERATOR-FREQUENCY"]
    if plant.model == OWN_SET:
        return rule.not_evaluated(
            plant.model, f"taken as a {site.frequency_hz:.0f} Hz set; the project does not state it"
        )
    return rule.verdict(
        plant.model,
        plant.frequency_hz == site.frequency_hz,
        f"a {plant.frequency_hz:.0f} Hz set on a {site.frequency_hz:.0f} Hz site",
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
            name, not recalled, f"recalled: {', '.join(recalled)}" if recalled else "all data read"
        )
        for name, recalled in used
    ]
    curve = RULES["UPS-CURVE"].verdict(
        f"UPS {module.model}", module.own_curve, f"loss curve {module.curve}"
    )
    return [*checks, curve]
