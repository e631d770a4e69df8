"""Checks of transformers and generators, and of the data the power chain rests on."""

from __future__ import annotations

from facility.core.check import Check, Rule, Severity
from facility.core.sources import Source
from facility.model.facility import Site
from facility.physics.distribution import reactive_of_parts
from facility.power.chain_flow import recharging_va
from facility.power.chain_results import ChainFlow
from facility.power.chain_state import Power
from facility.power.chain_types import ChainDesign, GeneratorDesign
from facility.power.generator_sets import OWN_SET

_NAMEPLATE = Source("transformer rating", "continuous kVA of the nameplate")
_SETS = Source("generator rating", "kW and kVA of the set, derated for the site")

_MV_NORMAL = Rule(
    "TRANSFORMER-LOADING-NORMAL", "MV/LV transformer loading with all in service",
    Severity.VIOLATION, _NAMEPLATE, "Add transformers, or take larger ones.",
)  # fmt: skip
_MV_FAILURE = Rule(
    "TRANSFORMER-LOADING-FAILURE", "MV/LV transformer loading after the designed failure",
    Severity.VIOLATION, _NAMEPLATE, "Add transformers, or take larger ones.",
)  # fmt: skip
_MV_SPARE = Rule(
    "TRANSFORMER-SPARE", "MV/LV transformers on each system", Severity.VIOLATION,
    Source("redundancy scheme", "duty and spare transformers"),
    "Install the duty transformers and the spare ones that the redundancy names.",
)  # fmt: skip
_MV_RECHARGE = Rule(
    "TRANSFORMER-RECHARGE", "MV/LV transformer loading while the batteries recharge",
    Severity.WARNING, _NAMEPLATE, "Take larger transformers, or limit the recharge of the UPS.",
)  # fmt: skip
_PDU = Rule(
    "PDU-LOADING", "PDU transformer loading after the loss of a feed", Severity.VIOLATION,
    _NAMEPLATE, "Add PDUs on each feed, or take larger ones.",
)  # fmt: skip
_CAPACITY = Rule(
    "GENERATOR-CAPACITY", "generator load in kW, on the sets that are not spare",
    Severity.VIOLATION, _SETS, "Add sets, or take larger ones.",
)  # fmt: skip
_CAPACITY_VA = Rule(
    "GENERATOR-KVA", "generator load in kVA, on the sets that are not spare",
    Severity.VIOLATION, _SETS, "Add sets, or take larger alternators.",
)  # fmt: skip
_FREQUENCY = Rule(
    "GENERATOR-FREQUENCY", "frequency of the generator set", Severity.VIOLATION,
    Source("site", "utility frequency"), "Take a set of the site's frequency.",
)  # fmt: skip
MEMORY = Rule(
    "MEMORY-DATA", "data recalled and not read again", Severity.ADVICE,
    Source("reference data", "column verified"), "Replace it by the data sheet of the product.",
)  # fmt: skip
_RATED_ALTITUDE_M = 1000.0
_ALTITUDE = Rule(
    "ALTITUDE-RATING", "ratings of UPS and transformers at the altitude of the site",
    Severity.WARNING,
    Source("planning-value", "usual service conditions: up to 1,000 m", verified="memory"),
    "Ask the makers for the ratings at this altitude; lower max_loading accordingly.",
)  # fmt: skip
_CURVE = Rule(
    "UPS-CURVE", "loss curve of the UPS", Severity.ADVICE, Source("reference data", "ups"),
    "Give efficiency_25, efficiency_50, efficiency_75 and efficiency_100 of the product.",
)  # fmt: skip


def plant_checks(design: ChainDesign, flow: ChainFlow, site: Site) -> tuple[Check, ...]:
    """Return the checks of transformers, generators and data.

    Parameters
    ----------
    design : ChainDesign
        The chain.
    flow : ChainFlow
        The chain under the load with growth.
    site : Site
        Frequency of the utility.
    """
    return (
        *_transformers(design, flow),
        *_generators(design, flow, site),
        _altitude(site),
        *_data(design),
    )


def _altitude(site: Site) -> Check:
    why = (
        f"{site.elevation_m:,.0f} m; ratings of UPS and transformers hold up to"
        f" {_RATED_ALTITUDE_M:,.0f} m and are not derated here"
    )
    return _ALTITUDE.compare(
        "UPS and transformers", site.elevation_m, "<=", _RATED_ALTITUDE_M, "length", why
    )


def _transformers(design: ChainDesign, flow: ChainFlow) -> list[Check]:
    limit, transformers = design.chain.transformer.max_loading, design.transformers
    subject = f"{transformers.count} x {transformers.unit.rating_va / 1e3:,.0f} kVA"
    spare = design.chain.transformer.spare * design.ups.buses
    checks = (
        []
        if not transformers.present
        else [
            _MV_NORMAL.compare(subject, flow.transformers.normal, "<=", limit, "fraction"),
            _mv_failure(design, flow.transformers.failure, limit, subject),
            _MV_RECHARGE.compare(subject, _recharging(design, flow), "<=", limit, "fraction"),
        ]
    )
    if spare and transformers.present:
        needed = transformers.duty_per_carrier + spare
        checks.append(_MV_SPARE.compare(subject, transformers.per_carrier, ">=", needed, "count"))
    if design.pdus is not None:
        name = f"{design.pdus.count} x {design.pdus.unit.rating_va / 1e3:,.0f} kVA PDU"
        most = design.chain.wiring.pdu_max_loading
        checks.append(_PDU.compare(name, flow.pdus.failure, "<=", most, "fraction"))
    return checks


def _mv_failure(design: ChainDesign, found: float, limit: float, subject: str) -> Check:
    spare = design.chain.transformer.spare * design.ups.buses
    installed = design.transformers.per_carrier
    if design.chain.scheme.one_system and installed <= spare:
        return _MV_FAILURE.verdict(
            subject, False, f"{spare} out of service: none of the {installed} installed is left"
        )
    return _MV_FAILURE.compare(subject, found, "<=", limit, "fraction")


def _recharging(design: ChainDesign, flow: ChainFlow) -> float:
    """Return the loading with all in service of the fullest system while batteries recharge."""
    boards = [
        Power(system.board_w, reactive_of_parts.si(system.board_va, system.board_w))
        for system in flow.systems
    ]
    transformers = design.transformers
    installed_va = transformers.per_carrier * transformers.unit.rating_va
    return recharging_va(design.ups, boards, design.chain.ups.recharge) / installed_va


def _generators(design: ChainDesign, flow: ChainFlow, site: Site) -> list[Check]:
    plant, load = design.generators, flow.generators
    usable = max(0, plant.count - plant.spare) * plant.derate * plant.max_loading
    why = (
        f"{plant.count} sets, {plant.spare} spare, {plant.model}; derated to {plant.derate:.0%},"
        f" loaded to {plant.max_loading:.0%} at most"
    )
    return [
        _CAPACITY.compare(
            plant.model, load.load_w, "<=", usable * plant.rating_w, "active_power", why
        ),
        _CAPACITY_VA.compare(
            plant.model, load.load_va, "<=", usable * plant.rating_va, "apparent_power", why
        ),
        _frequency(plant, site),
    ]


def _frequency(plant: GeneratorDesign, site: Site) -> Check:
    if plant.model == OWN_SET:
        return _FREQUENCY.not_evaluated(
            plant.model, f"taken as a {site.frequency_hz:.0f} Hz set; the project does not state it"
        )
    return _FREQUENCY.verdict(
        plant.model,
        plant.frequency_hz == site.frequency_hz,
        f"a {plant.frequency_hz:.0f} Hz set on a {site.frequency_hz:.0f} Hz site",
    )


def _data(design: ChainDesign) -> list[Check]:
    module = design.ups.module
    used = [
        (f"UPS {module.model}", module.memory),
        ("MV/LV transformers", design.transformers.unit.memory),
        (f"generator {design.generators.model}", design.generators.memory),
    ]
    if design.pdus is not None:
        used.append(("PDU transformers", design.pdus.unit.memory))
    checks = [
        MEMORY.verdict(
            name, not recalled, f"recalled: {', '.join(recalled)}" if recalled else "all data read"
        )
        for name, recalled in used
    ]
    curve = _CURVE.verdict(f"UPS {module.model}", module.own_curve, f"loss curve {module.curve}")
    return [*checks, curve]
