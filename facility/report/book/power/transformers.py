"""The Transformers sheet: losses, efficiency, regulation, harmonics, currents, protection."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.errors import FacilityError
from facility.core.rounding import argmax_within_rounding
from facility.model.facility import Criteria
from facility.physics.circuits.currents import three_phase_current
from facility.physics.machines.transformer import (
    transformer_efficiency,
    transformer_loss,
    voltage_regulation,
)
from facility.power.feeders.nec.transformer import TransformerProtection, protect_transformer
from facility.power.substation.study import MV_VOLTAGES_V
from facility.power.train.results import ChainFlow, Loadings
from facility.power.train.types import TransformerDesign
from facility.report.sheet.lines import Lines, TraceLines
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading
from facility.study.design.design import Design

_W, _VA, _PART = "active_power", "apparent_power", "fraction"
_CURRENT = three_phase_current.in_cells(apparent_va="{rating}", line_voltage_v="{volts}")


@dataclass(frozen=True)
class _Bank:
    """Equal transformers with one duty."""

    title: str
    design: TransformerDesign
    loadings: Loadings
    primary_v: float
    secondary_v: float
    power_factor: float


def transformers_sheet(name: str, design: Design, page_setup: PageSetup) -> Sheet:
    """Return the sheet of the MV/LV transformers and of the PDU transformers, if any."""
    chain, flow = design.chain, design.flow
    wiring = chain.chain.wiring
    sheet = Sheet(name, page=page_setup.page(landscape=False, fit_height=1))
    write_heading(
        sheet, "Transformers", "At the design hour; per transformer unless stated otherwise."
    )
    sheet.set_widths(38, 14, 8, 66)
    lines = Lines(sheet, 3)
    most_loaded = flow.systems[argmax_within_rounding([one.board_va for one in flow.systems])]
    factor = float(most_loaded.board_w / most_loaded.board_va)
    at = TraceLines(lines, design.trace)
    if chain.transformers.present:
        sides_v = (chain.utility_voltage_v, wiring.lv_voltage_v)
        bank = _Bank("MV/LV transformers", chain.transformers, flow.transformers, *sides_v, factor)
        _write_bank(lines, bank, design.facility.criteria)
        resistor_a = chain.chain.transformer.grounding_a
        if resistor_a is not None:
            why = "through the neutral grounding resistor, during a ground fault"
            lines.given("Neutral to ground", resistor_a, "current", why)
        _write_harmonics(at, "transformer")
    else:
        lines.section("MV/LV transformers")
        served = f"the utility serves the LV boards at {chain.utility_voltage_v:,.0f} V"
        lines.word("Installed", "none", served)
    if chain.pdus is not None:
        output = float(flow.ups.output_w / flow.ups.output_va)
        sides_v = (wiring.lv_voltage_v, wiring.rack_voltage_v)
        pdus = _Bank("PDU transformers", chain.pdus, flow.pdus, *sides_v, output)
        _write_bank(lines, pdus, design.facility.criteria)
        _write_harmonics(at, "pdu")
    _write_currents(lines, flow, chain.utility_voltage_v)
    fit_heights(sheet, 3)
    return sheet


def _write_bank(lines: Lines, bank: _Bank, criteria: Criteria) -> None:
    design, unit = bank.design, bank.design.unit
    lines.section(bank.title)
    lines.given("Rating", unit.rating_va, _VA, str(unit.source), key="rating")
    placed = f"{design.per_carrier} on each of {', '.join(design.carriers)}"
    lines.given("Installed", design.count, "count", f"{placed}; {design.duty} carry the load")
    lines.given("Impedance", unit.impedance, _PART, number_format="pct2", key="impedance")
    lines.given("No-load loss P0", unit.no_load_w, _W, number_format="n2", key="no_load")
    lines.given("Load loss Pk at rating", unit.load_loss_w, _W, number_format="n2", key="load_loss")
    why = "most loaded bus, all in service"
    lines.given("Power factor of the load", bank.power_factor, "ratio", why, key="factor")
    if unit.memory:
        lines.word("Unverified (no source read)", "confirm", ", ".join(unit.memory))
    _write_state(lines, bank, "all in service", float(bank.loadings.normal))
    _write_state(lines, bank, "design failure", float(bank.loadings.failure))
    _write_protection(lines, bank, criteria)


def _write_state(lines: Lines, bank: _Bank, title: str, loading: float) -> None:
    """Write loss, efficiency and regulation at one loading."""
    unit, factor = bank.design.unit, bank.power_factor
    rated_w = (unit.no_load_w, unit.load_loss_w)
    why = "of the kVA rating, most loaded bus"
    lines.given(f"Loading, {title}", loading, _PART, why, key="x")
    loss_w = transformer_loss.si(loading * unit.rating_va, 1.0, unit.rating_va, *rated_w)
    losses, pct = {"no_load_w": "{no_load}", "load_loss_w": "{load_loss}"}, "pct2"
    formula = transformer_loss.in_cells(
        load_va="{x}*{rating}", units=1, rating_va="{rating}", **losses
    )
    lines.live("   loss", formula, float(loss_w), _W, "P0 + x²·Pk", number_format="n2", key="loss")
    if loading > 0.0:
        part = float(transformer_efficiency.si(loading, unit.rating_va, factor, *rated_w))
        formula, why = (
            transformer_efficiency.in_cells(
                load_fraction="{x}", rating_va="{rating}", power_factor="{factor}", **losses
            ),
            "output / (output + losses)",
        )
        lines.live("   efficiency", formula, part, _PART, why, number_format=pct)
    resistance, why = (
        unit.load_loss_w / unit.rating_va,
        "secondary voltage drop from no load to load",
    )
    fall = float(voltage_regulation.si(loading, resistance, unit.impedance, factor))
    formula = voltage_regulation.in_cells(
        load_fraction="{x}",
        resistance="({load_loss}/{rating})",
        impedance="{impedance}",
        power_factor="{factor}",
    )
    lines.live("   regulation", formula, fall, _PART, why, number_format=pct)


def _write_protection(lines: Lines, bank: _Bank, criteria: Criteria) -> None:
    """Write rated currents and the protection permitted by the NEC."""
    unit, sides_v = bank.design.unit, (bank.primary_v, bank.secondary_v)
    for side, volts in zip(("primary", "secondary"), sides_v, strict=True):
        lines.given(f"Rated voltage, {side}", volts, "line_voltage", "line to line", key="volts")
        rated_a, why = float(three_phase_current.si(unit.rating_va, volts)), "S / (√3·U)"
        lines.live(f"Rated current, {side}", _CURRENT, rated_a, "current", why, key=side)
    if criteria.code != "NEC":
        lines.word(
            "Protection", "by the manufacturer", "the IEC has no table equivalent to NEC 450.3"
        )
        return
    try:
        found = protect_transformer(
            unit.rating_va, *sides_v, criteria.edition, impedance=unit.impedance
        )
    except FacilityError as error:
        lines.word("Protection by 450.3", "not found", error.message)
        return
    _write_limits(lines, found)


def _write_limits(lines: Lines, found: TransformerProtection) -> None:
    for side, limit_a, standard_a in (
        ("primary", found.primary_max_a, found.primary_ocpd_a),
        ("secondary", found.secondary_max_a, found.secondary_ocpd_a),
    ):
        if limit_a is None:
            continue
        part, formula = limit_a / lines.cells[side].si, f"{{part}}*{{{side}}}"
        note = "; ".join(text for text in found.notes if text.startswith(side))
        lines.given(f"450.3 limit, {side}", part, _PART, found.article, key="part")
        lines.live(f"Maximum setting, {side}", formula, limit_a, "current", note)
        if standard_a is not None:
            lines.given(f"Maximum standard device, {side}", standard_a, "current", "240.6(A)")


def _write_harmonics(at: TraceLines, prefix: str) -> None:
    if f"{prefix}.k_factor" not in at:
        return
    at.given("Current distortion", f"{prefix}.thd")
    at.given("K-factor", f"{prefix}.k_factor", number_format="n2")
    if f"{prefix}.harmonic_capability" in at:
        at.given("Harmonic derating factor", f"{prefix}.harmonic_capability")


def _write_currents(lines: Lines, flow: ChainFlow, utility_v: float) -> None:
    lines.section("Utility current by service voltage")
    demand_va = float(flow.utility.demand_va)
    lines.given("Utility demand", demand_va, _VA, "design hour", key="rating")
    for volts in dict.fromkeys((utility_v, *MV_VOLTAGES_V.values())):
        own = volts == utility_v
        why = "site voltage" if own else "if the site were served at this voltage"
        lines.given("Voltage", volts, "line_voltage", key="volts")
        current_a = float(three_phase_current.si(demand_va, volts))
        lines.live("   current", _CURRENT, current_a, "current", why, total=own)
