"""Power section resolved to the power chain: scheme, feeds and UPS."""

from __future__ import annotations

from facility.catalogue import table
from facility.catalogue.altitude import rating_at
from facility.core.errors import FacilityError
from facility.core.sources import RULE
from facility.core.trace import Trace
from facility.model.facility import Criteria, Goal
from facility.model.inputs.power.faults import FaultSection
from facility.model.inputs.power.plant import GeneratorSection, TransformerSection
from facility.model.inputs.power.section import DistributionSection, PowerSection, UpsSection
from facility.model.power.chain import PowerChain, TransformerBasis, UpsBasis, WiringBasis
from facility.model.power.redundancy import Scheme, build_scheme, default_feeds, meets, scheme_name
from facility.physics.machines.ups import rating_of_power_factor
from facility.power.faults.network import path_of_group
from facility.power.ups.modules import CLASS_CURVE
from facility.study.resolve.power.plant import (
    refuse_above_unity,
    resolve_generator,
    resolve_transformer,
)
from facility.study.resolve.power.wiring import resolve_panels, resolve_wiring
from facility.study.resolve.reader import Reader

_CONDUCTOR_SPARE = 0.015


def resolve_power(
    section: PowerSection, criteria: Criteria, trace: Trace, elevation_m: float = 0.0
) -> PowerChain:
    """Return the power chain; unspecified values are assumed, or selected by the design.

    criteria: Code, which determines default voltages, transformer family and panel layout.
    elevation_m: Elevation above sea level, used only for derating.

    Raises ``REDUNDANCY_CONTRADICTION`` for feeds, systems or blocks that do not fit the scheme, and
    for a scheme below the redundancy goal; ``PDU_CONTRADICTION`` for PDU transformers without a
    voltage change; ``COUNT_NOT_EVEN`` for modules that do not divide by the buses of a system;
    ``VECTOR_GROUP`` for an unsupported group or one without a neutral for the racks;
    ``GROUNDING_CONTRADICTION`` for high-resistance grounding of a neutral that the racks use.
    """
    scheme, feeds = _scheme(section, criteria.goal, trace)
    if not scheme.one_system:
        trace.ledger.add_text(
            "power.losses_after_failure",
            "as with all in service",
            "the reported loadings use the conductor and PDU transformer losses with all in"
            " service; the modules are sized for the losses with a feed lost, and the power flow"
            " of the outages uses these",
            RULE,
        )
    read = Reader(section, "power", trace)
    distribution = section.distribution or DistributionSection.unstated()
    wiring = resolve_wiring(distribution, criteria, trace, elevation_m)
    # Tolerance of impedances relative to the nameplate; recorded by the fault study.
    tolerance = Reader(section.faults or FaultSection.unstated(), "faults", Trace())(
        "transformer_tolerance"
    )
    given = section.transformer or TransformerSection.unstated()
    transformer = resolve_transformer(given, scheme, tolerance, elevation_m, trace)
    _refuse_without_neutral(transformer, wiring)
    return PowerChain(
        scheme=scheme,
        feeds=feeds,
        ups=_ups(
            section.ups or UpsSection.unstated(), scheme, criteria, wiring, elevation_m, trace
        ),
        wiring=wiring,
        transformer=transformer,
        generator=resolve_generator(section.generator or GeneratorSection.unstated(), trace),
        panels=resolve_panels(distribution, wiring, transformer, scheme, feeds, criteria, trace),
        mechanical_power_factor=read("mechanical_power_factor"),
        house_power_factor=read("house_power_factor"),
        house_third_harmonic=read.si("house_third_harmonic"),
    )


def _refuse_without_neutral(transformer: TransformerBasis, wiring: WiringBasis) -> None:
    where = "power.transformer.vector_group"
    path = path_of_group(transformer.vector_group, where)
    if transformer.grounding_a is not None and (path == "open" or not wiring.has_pdu_transformers):
        raise FacilityError(
            "GROUNDING_CONTRADICTION",
            "power.transformer.grounding",
            "high-resistance grounding requires a neutral without load: "
            + (
                f"{transformer.vector_group} has none"
                if path == "open"
                else f"racks on {wiring.rack_system} are fed from the LV boards"
            )
            + ".",
            "Select Dyn11 and PDU transformers (power.distribution.voltage above the rack_system),"
            " or solid grounding.",
        )
    if path == "open" and not wiring.has_pdu_transformers:
        raise FacilityError(
            "VECTOR_GROUP",
            where,
            f"{transformer.vector_group} has no neutral, and racks on {wiring.rack_system} are"
            " fed from the LV boards without PDU transformers.",
            "Select Dyn11, or PDU transformers (power.distribution.voltage above the rack_system).",
        )


def _scheme(section: PowerSection, goal: Goal, trace: Trace) -> tuple[Scheme, tuple[str, ...]]:
    read = Reader(section, "power", trace)
    if section.redundancy is None:
        name: str = read.word("redundancy", None)
    else:
        name = scheme_name(section.redundancy, "power.redundancy")
        if name == "2(N+1)" and not section.redundancy.rstrip().endswith(")"):
            trace.ledger.add_text(
                "power.redundancy.meaning",
                name,
                f"{section.redundancy.strip()!r} is read as N+1 on each of two sides",
                RULE,
            )
    if goal.redundancy and not meets(name, goal.redundancy):
        raise FacilityError(
            "REDUNDANCY_CONTRADICTION",
            "criteria.redundancy_goal",
            f"power.redundancy {name} does not meet {goal.redundancy}.",
            f"Enter power.redundancy: {goal.redundancy}, leave it unspecified, or lower the goal.",
        )
    if section.blocks is not None and name != "block-redundant":
        raise FacilityError(
            "REDUNDANCY_CONTRADICTION",
            "power.blocks",
            f"{name} has no blocks; they apply to a block-redundant scheme.",
            "Remove blocks, or enter redundancy: block-redundant.",
        )
    blocks = section.blocks or 0
    if name == "block-redundant" and section.blocks is None:
        blocks = read.count("blocks")
    if section.feeds is None:
        feeds = default_feeds(name)
        words = "one per system" if len(feeds) > 2 or name.startswith("2") else "two sides, A and B"
        read.word("feeds", None, ", ".join(feeds), words)
    else:
        feeds = section.feeds
    scheme = build_scheme(name, feeds, blocks, "power")
    if section.systems is not None and section.systems != len(scheme.systems):
        raise FacilityError(
            "REDUNDANCY_CONTRADICTION",
            "power.systems",
            f"{name} has {len(scheme.systems)} UPS system(s); got {section.systems}.",
            "Remove systems, or select the scheme with that number of systems.",
        )
    return scheme, feeds


def _ups(
    section: UpsSection,
    scheme: Scheme,
    criteria: Criteria,
    wiring: WiringBasis,
    elevation_m: float,
    trace: Trace,
) -> UpsBasis:
    read = Reader(section, "power.ups", trace)
    fewest = 1 + scheme.spare_modules
    if section.max_parallel is not None and section.max_parallel < fewest:
        raise FacilityError(
            "UPS_CONTRADICTION",
            "power.ups.max_parallel",
            f"the limit is {section.max_parallel} on a bus; {scheme.name} requires at least"
            f" {fewest}.",
            f"Enter {fewest} or more, or a redundancy without spare modules.",
        )
    max_loading = read.at_altitude("max_loading", "UPS", elevation_m)
    recharge = read("recharge")
    module_w, module_va = _own_rating(section, read)
    points = ((load, read.si(f"efficiency_{load}")) for load in (25, 50, 75, 100))
    curve = tuple((load / 100.0, eta) for load, eta in points if eta is not None)
    if module_w is not None and not curve:
        words = "the only curve read in full; its shape as fractions of the rating"
        source = table("equipment/ups").get(CLASS_CURVE).cite("eff_dc_50_pct")
        trace.ledger.add_text("power.ups.loss_curve", f"curve of {CLASS_CURVE}", words, source)
    return UpsBasis(
        model=section.model or "",
        module_w=module_w,
        module_va=module_va,
        modules_per_system=section.modules_per_system,
        buses=_buses(section, read),
        buses_open=section.buses is None and section.modules_per_system is None,
        max_loading=max_loading,
        input_power_factor=_input_factor(read, module_w is not None),
        efficiency=curve,
        recharge=recharge,
        factors=read.factors(),
        input_limit_a=read.si("input_limit"),
        eco_mode=section.eco_mode is True,
        conductor_spare=_conductor_spare(section, criteria, wiring, read),
        shortlist=read.count("shortlist"),
        max_parallel=section.max_parallel,
        rating_left=rating_at("UPS", elevation_m)[0],
        code=criteria.code,
        eco_efficiency=read.si("eco_efficiency"),
    )


def _conductor_spare(
    section: UpsSection, criteria: Criteria, wiring: WiringBasis, read: Reader
) -> float:
    """Return the module margin for conductor losses: zero if the number is specified.

    Conductors with room for 125 % of the continuous load lose less: up to twice the assumed loss of
    the chain, on the most loaded phase and with a feed lost.
    """
    if section.modules_per_system is not None:
        return read.given("conductor_spare") or 0.0
    spare = _CONDUCTOR_SPARE
    if criteria.continuous_factor > 1.0:
        spare = min(spare, wiring.branch_loss + wiring.feeder_loss)
    return read(
        "conductor_spare",
        spare,
        "fraction of a module, if the module count is auto-sized: conductors loaded to their"
        " ampacity may lose more than the assumed losses (power.distribution); up to 1.2 % of the"
        " load of a side was found; with the 125 % factor at most branch and feeder loss again",
        RULE,
    )


def _buses(section: UpsSection, read: Reader) -> int:
    buses, modules = section.buses, section.modules_per_system
    if buses is not None and modules is not None and modules % buses:
        raise FacilityError(
            "COUNT_NOT_EVEN",
            "power.ups.modules_per_system",
            f"{modules} modules cannot be shared by {buses} buses.",
            f"Enter a multiple of {buses}.",
        )
    return read.count("buses")


def _input_factor(read: Reader, own: bool) -> float | None:
    if not own:
        return read.given("input_power_factor")
    row = table("equipment/ups").get(CLASS_CURVE)
    cell = "input_power_factor"
    return read("input_power_factor", row.si(cell), f"as {CLASS_CURVE}", row.cite(cell))


def _own_rating(section: UpsSection, read: Reader) -> tuple[float | None, float | None]:
    rating, rating_kva = section.module_rating, section.module_rating_kva
    if rating is None and rating_kva is None:
        return None, None
    if rating is not None and rating_kva is not None:
        refuse_above_unity("UPS_CONTRADICTION", "power.ups.module_rating", rating.si, rating_kva.si)
        return rating.si, rating_kva.si
    factor = read("output_power_factor")
    if rating is not None:
        return rating.si, rating.si / factor
    rating_va = rating_kva.si if rating_kva is not None else 0.0
    return float(rating_of_power_factor.si(rating_va, factor)), rating_va
