"""Voltages, wiring losses and panelboards between UPS and racks, resolved."""

from __future__ import annotations

import math

from facility.catalogue import table
from facility.catalogue.altitude import rating_at
from facility.core.errors import FacilityError
from facility.core.rounding import within
from facility.core.sources import PROJECT, RULE
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.section import RACK_SYSTEMS, DistributionSection, rack_system
from facility.model.power.chain import TransformerBasis, WiringBasis
from facility.model.power.hall_distribution import Numbering, PanelBasis
from facility.model.power.redundancy import Scheme
from facility.physics.circuits.currents import three_phase_current
from facility.physics.circuits.harmonics import K_RATINGS
from facility.power.panels.board.breakers import standard_breakers
from facility.power.panels.board.layout import LAYOUTS
from facility.power.substation.study import pdu_loading_limit
from facility.power.substation.units import pdu_units
from facility.study.resolve.reader import Reader

USUAL_RACK_SYSTEMS = {
    "NEC": ("415Y/240", "480Y/277", "208Y/120"),
    "IEC": ("400Y/230", "415Y/240", "380Y/220"),
}
"""Rack voltage systems by code, the default first."""
_LV_OF_LOW_RACK_VOLTAGE_V = 480.0
_MIN_LV_V = 380.0
_LOSS_STAGES = 4
_PANEL_ROW = "RPP 400 A 84 pole"
_MIN_BREAKER_A = 15.0
_SAME_VOLTAGE = 0.005


def resolve_wiring(
    section: DistributionSection, criteria: Criteria, trace: Trace, elevation_m: float
) -> WiringBasis:
    """Return voltages, PDU transformers and loss fractions.

    Raises ``PDU_CONTRADICTION`` for PDU transformers without a voltage change, ``NOT_ONE_OF``
    for a nonstandard K rating, and ``VOLTAGE_CONTRADICTION`` for racks at a higher voltage than
    their supply.
    """
    read = Reader(section, "power", trace)
    system = _rack_system(section, criteria, trace)
    rack_v = RACK_SYSTEMS[system][0]
    usual_v = usual_lv_voltage(rack_v)
    words = (
        "UPS, LV boards and MV/LV transformer secondaries at rack voltage"
        if usual_v == rack_v
        else "floor PDUs step 480 V down to the racks"
    )
    lv_v = read("voltage", usual_v, words)
    if lv_v < rack_v * (1.0 - _SAME_VOLTAGE):
        raise FacilityError(
            "VOLTAGE_CONTRADICTION",
            "power.distribution",
            f"the racks are on {system} (rack_system), above the {lv_v:.0f} V of UPS and LV boards"
            " (voltage, or site.utility_voltage of a service at low voltage); PDU transformers "
            "step down.",
            "Enter a rack_system of at most that voltage, or a higher voltage.",
        )
    if lv_v == rack_v:
        _refuse_pdus(section, rack_v)
    if section.pdu_k_rating is not None:
        if section.pdu_k_rating not in K_RATINGS:
            raise FacilityError(
                "NOT_ONE_OF",
                "power.distribution.pdu_k_rating",
                f"K-{section.pdu_k_rating} is not a UL 1561 K-factor rating.",
                f"Available: {', '.join(map(str, K_RATINGS))}. Use the next lower one.",
            )
        trace.given("power.pdu_k_rating", section.pdu_k_rating, "ratio", PROJECT)
    row = table("cooling/default_assumptions").get("distribution loss besides UPS")
    fraction = row.si("share_pct") / _LOSS_STAGES
    loss_words = (
        f"{row.text('value')} % of the IT load, UPS excluded, split evenly over rack PDU, branch,"
        " feeder and LV board; varies with the square of the IT load; replaced by conductor data"
    )
    cite = row.cite("value")
    branch, feeder, board = [
        read(f"{part}_loss", fraction, loss_words, cite) for part in ("branch", "feeder", "board")
    ]
    return WiringBasis(
        lv_voltage_v=lv_v,
        rack_voltage_v=rack_v,
        rack_system=system,
        pdu_rating_va=read.si("pdu_transformer"),
        pdu_count=section.pdus,
        pdu_max_loading=(
            read.at_altitude("pdu_max_loading", "dry-type transformer", elevation_m)
            if lv_v != rack_v
            else 1.0
        ),
        pdu_k_rating=section.pdu_k_rating,
        branch_loss=branch,
        feeder_loss=feeder,
        lv_loss=board,
        losses_stated=_any_given(section.branch_loss, section.feeder_loss, section.board_loss),
        feeder_in_hall=read("feeder_in_hall"),
        ties=read.flag("ties"),
        pdu_rating_left=rating_at("dry-type transformer", elevation_m)[0],
    )


def _any_given(*fields: object) -> bool:
    return any(one is not None for one in fields)


def _refuse_pdus(section: DistributionSection, rack_v: float) -> None:
    given = section.pdu_transformer, section.pdus, section.pdu_k_rating, section.pdu_max_loading
    if _any_given(*given):
        raise FacilityError(
            "PDU_CONTRADICTION",
            "power.distribution",
            f"PDU transformers are specified, but UPS and racks are both on {rack_v:.0f} V.",
            "Enter distribution.voltage (e.g. 480 V), or remove the PDU transformers.",
        )


def _rack_system(section: DistributionSection, criteria: Criteria, trace: Trace) -> str:
    if section.rack_system is not None:
        return rack_system(section.rack_system)
    if section.voltage is not None:
        for name, (line_v, _) in RACK_SYSTEMS.items():
            if line_v == section.voltage.si and name != "480Y/277":
                words = "distribution voltage, without PDU transformers"
                return trace.ledger.add_text("power.rack_system", name, words, RULE)
    name = USUAL_RACK_SYSTEMS[criteria.code][0]
    pdus = "without" if section.voltage is None else "downstream of"
    words = f"{criteria.code}: supplies on line-to-neutral voltage, {pdus} PDU transformers"
    return trace.ledger.add_text("power.rack_system", name, words, RULE)


def usual_lv_voltage(rack_v: float) -> float:
    """Return the default UPS and LV board voltage for racks on `rack_v` [V]."""
    return _LV_OF_LOW_RACK_VOLTAGE_V if rack_v < _MIN_LV_V else rack_v


def resolve_panels(
    section: DistributionSection,
    wiring: WiringBasis,
    transformer: TransformerBasis,
    scheme: Scheme,
    feeds: tuple[str, ...],
    criteria: Criteria,
    trace: Trace,
) -> PanelBasis:
    """Return the data of the hall panelboards."""
    row = table("equipment/rpps").get(_PANEL_ROW)
    read = Reader(section, "power", trace)
    bus = row.si("rated_a"), f"bus of the {_PANEL_ROW} RPP", row.cite("rated_a")
    bus_a = read("panel_bus", *bus)
    standard = [a for a in standard_breakers(criteria.code, criteria.edition) if a <= bus_a]
    words = "equal to the bus" if bus_a in standard else "largest standard rating up to the bus"
    main_a = read("panel_main", standard[-1] if standard else bus_a, words)
    poles = section.panel_poles
    if poles is None:
        words = f"one of the two panelboards of the {_PANEL_ROW} RPP"
        poles = read.count("panel_poles", None, words, row.cite("poles"))
    numbering: Numbering = "US" if criteria.code == "NEC" else "IEC"
    LAYOUTS[numbering].refuse_broken(poles, "power.distribution.panel_poles")
    listed = read.flag("listed_100")
    line_v = wiring.rack_voltage_v
    return PanelBasis(
        system=wiring.rack_system,
        v_ll=line_v,
        v_ln=line_v / 3.0**0.5,
        feeds=feeds,
        fed_from=tuple(_origin(feed, wiring, scheme) for feed in feeds),
        bus_a=bus_a,
        main_a=main_a,
        poles=poles,
        listed_100=listed,
        breaker_sizes_a=_breakers(section, criteria, min(bus_a, main_a)),
        numbering=numbering,
        tag_prefix="RPP",
        transformer_a=_carried_by_pdu(wiring, transformer, criteria),
        main_open=section.panel_main is None,
    )


def _carried_by_pdu(
    wiring: WiringBasis, transformer: TransformerBasis, criteria: Criteria
) -> float:
    """Return the permitted rack line current of the largest PDU transformer, with growth [A]."""
    if not wiring.has_pdu_transformers:
        return math.inf
    carried_va = pdu_loading_limit(wiring, transformer) * pdu_units(wiring)[-1].rating_va
    grown = (1.0 + criteria.growth) * (1.0 + wiring.branch_loss + wiring.feeder_loss)
    return float(three_phase_current.si(carried_va / grown, wiring.rack_voltage_v))


def _origin(feed: str, wiring: WiringBasis, scheme: Scheme) -> str:
    if wiring.has_pdu_transformers:
        return f"PDU-{feed}"
    if scheme.reserve:
        return f"STS-{feed}"
    return f"UPS-{scheme.systems[0]}" if scheme.one_system else f"UPS-{feed}"


def _breakers(section: DistributionSection, criteria: Criteria, max_a: float) -> tuple[float, ...]:
    """Return the candidate breakers for bus and main, `max_a` the lower of the two."""
    if section.breakers == ():
        raise FacilityError(
            "MISSING_FIELD",
            "power.distribution.breakers",
            "the list is empty.",
            "Enter the required ratings, or omit breakers.",
        )
    for number, size in enumerate(section.breakers or ()):
        if not within(size.si, max_a):
            raise FacilityError(
                "CONTRADICTION",
                f"power.distribution.breakers[{number}]",
                f"the {size.text} branch breaker exceeds the {max_a:g} A panel.",
                "Omit it, or specify larger panelboards (panel_bus, panel_main).",
            )
    if section.breakers is not None:
        return tuple(sorted({size.si for size in section.breakers}))
    minimum = _MIN_BREAKER_A if criteria.code == "NEC" else 0.0
    standard = standard_breakers(criteria.code, criteria.edition)
    return tuple(a for a in standard if minimum <= a <= max_a)
