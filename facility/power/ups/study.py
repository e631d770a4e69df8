"""Further UPS results: input and output currents, losses by state, eco mode.

Eco mode is reported as an option and never used in the design: in eco mode the utility supplies the
load through the static switch; losses, heat and cooling stay at double conversion.
"""

from __future__ import annotations

import numpy as np

from facility.core.check import Check
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.table import Value
from facility.core.trace import Findings, Trace
from facility.model.facility import Criteria
from facility.physics.circuits.currents import required_rating, three_phase_current
from facility.physics.machines.ups import input_current, loss_fraction, recharge_power, ups_loss
from facility.power.rules import RULES
from facility.power.train.lv_boards import largest_breaker_a
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDesign
from facility.power.ups.input_limit import (
    LIMIT,
    LOW_LINE,
    at_input,
    limit_check,
    loss_curve,
    record_limit,
)
from facility.power.ups.modules import eco_curve

_NOMINAL = Source("equipment/ups", "nominal input voltage assumed equal to output voltage")


def ups_study(
    design: ChainDesign, flow: ChainFlow, grown: ChainFlow, criteria: Criteria, trace: Trace
) -> Findings:
    """Return the UPS results and checks that the power chain does not include.

    flow: Power flow at the design hour.
    grown: Power flow with growth.
    """
    found, module = Findings(trace), design.ups.module.model
    for id in _input(design, grown, criteria, trace):
        found.show(id)
    found.do(
        "ups.output_current",
        three_phase_current,
        "one module at its kVA rating",
        apparent_va="ups.module_rating_kva",
        line_voltage_v=design.chain.wiring.lv_voltage_v,
    )
    _states(flow, found)
    eco = _eco(design, flow, trace)
    _shortlist(design, found)
    for id in eco:
        found.show(id)
    for number, option in enumerate(design.ups.shortlist, 1):
        provenance = f"{_PROVENANCE[option.tier]}; {option.source}"
        found.results[f"ups.shortlist.{number}.model"] = Value(option.model, "", provenance)
    needed = trace.value("ups.input_rating_minimum")
    limit_a = largest_breaker_a(criteria.code)
    found.checks += [
        RULES["UPS-INPUT-BREAKER"].at_most(module, needed, limit_a, "current"),
        *limit_check(design, trace),
        _compared(design),
        *_eco_check(design, eco, trace),
        RULES["UPS-BYPASS"].not_evaluated(
            module,
            "rating, withstand and fuses of the static switch are not in the catalogue; on"
            " battery the inverter supplies two to three times its rated current for only a"
            " fraction of a second",
        ),
    ]
    return found


def _input(design: ChainDesign, grown: ChainFlow, criteria: Criteria, trace: Trace) -> list[str]:
    ups, basis = design.ups, design.chain.ups
    at = {**at_input(design), "sag": trace.link("power.ups.low_line", basis.factors["low_line"])}
    curve = loss_curve(design)
    rate: dict[str, float | str] = {
        "module_w": "ups.module_rating",
        "recharge": trace.link("power.ups.recharge", basis.recharge),
    }
    trace.do("ups.module_loss", ups_loss, "one module at its rating", modules=1.0,
             output_w="ups.module_rating", **curve)  # fmt: skip
    trace.do("ups.module_recharge", recharge_power, "one module", modules=1.0, **rate)
    one, system = LOW_LINE, f"{LOW_LINE}.system"
    trace.do(
        one, input_current, f"one module at its rating, with recharge; {_NOMINAL.locator}",
        output_w="ups.module_rating", loss_w="ups.module_loss", charge_w="ups.module_recharge",
        **at,
    )  # fmt: skip
    left = max(1, ups.modules_per_system - design.chain.scheme.spare_units * ups.buses)
    trace.do("ups.system_loss", ups_loss, f"{left} modules", modules=float(left),
             output_w="ups.output.failure", **curve)  # fmt: skip
    trace.do("ups.system_recharge", recharge_power, f"{left} modules", modules=float(left), **rate)
    trace.do(
        system, input_current, "one system after the designed failure, design hour, with recharge;"
        f" its {ups.buses} bus(es) together", output_w="ups.output.failure",
        loss_w="ups.system_loss", charge_w="ups.system_recharge", **at,
    )  # fmt: skip
    whole = design.chain.panels.listed_100
    factor = 1.0 if whole else criteria.continuous_factor
    limited = record_limit(design, grown, largest_breaker_a(criteria.code) / factor, trace)
    decides = LIMIT if limited and trace.value(LIMIT) < trace.value(one) else one
    trace.do(
        "ups.input_rating_minimum", required_rating, "one module: input and bypass are continuous",
        continuous_a=decides, other_a=0.0,
        continuous_factor=1.0 if whole
        else trace.link("criteria.continuous_factor", criteria.continuous_factor),
    )  # fmt: skip
    return [one, system, *limited, "ups.input_rating_minimum"]


def _states(flow: ChainFlow, found: Findings) -> None:
    found.trace.given(
        "ups.losses_failure",
        flow.ups.losses_failure_w,
        "active_power",
        DERIVED,
        "all systems, the designed state with the largest loss",
    )
    found.show("ups.losses_failure")
    output_w = flow.ups.output_w
    found.note(
        "ups.efficiency_failure",
        output_w / (output_w + flow.ups.losses_failure_w),
        "fraction",
        "output / (output + losses)",
        output="ups.output",
        losses="ups.losses_failure",
    )


def _shortlist(design: ChainDesign, found: Findings) -> None:
    """Record the figures of the shortlisted modules."""
    for number, option in enumerate(design.ups.shortlist, 1):
        why = f"{option.model}, under the design output; loss curve {option.curve}"
        for name, kind in _OPTION_FIELDS.items():
            key = f"ups.shortlist.{number}.{name.removesuffix('_w')}"
            found.trace.given(key, float(getattr(option, name)), kind, option.source, why)
            found.show(key)


_OPTION_FIELDS = {
    "modules": "count",
    "installed_w": "active_power",
    "loading_normal": "fraction",
    "loading_failure": "fraction",
    "margin": "fraction",
    "efficiency_normal": "fraction",
    "efficiency_failure": "fraction",
    "loss_normal_w": "active_power",
    "loss_failure_w": "active_power",
}


_PROVENANCE = ("loss curve read", "rating read, loss curve derived", "rating unverified")
"""Text of `UpsOption.tier`."""


def _eco(design: ChainDesign, flow: ChainFlow, trace: Trace) -> list[str]:
    """Record efficiency and loss of eco mode, if requested and known."""
    basis, module = design.chain.ups, design.ups.module
    curve = eco_curve(module.frame)
    id, loading = "ups.eco_efficiency", float(flow.ups.loading.normal)
    known = bool(curve) and curve[0][0] <= loading <= curve[-1][0]
    if not basis.eco_mode or not (basis.eco_efficiency or known):
        return []
    if basis.eco_efficiency is not None:
        trace.given(id, basis.eco_efficiency, "fraction", PROJECT)
    else:
        loads, found = zip(*curve, strict=True)
        why = f"{module.model} at the normal loading, between the points of its table"
        trace.given(id, float(np.interp(loading, loads, found)), "fraction", module.source, why)
    trace.do(
        "ups.eco_loss_fraction", loss_fraction, "loss / output", load_fraction=1.0, efficiency=id
    )
    trace.derive(
        "ups.eco_losses",
        trace.value("ups.eco_loss_fraction") * flow.ups.output_w,
        "active_power",
        "in eco mode; not included in the design",
        output="ups.output",
        loss="ups.eco_loss_fraction",
    )
    return [id, "ups.eco_losses"]


def _eco_check(design: ChainDesign, eco: list[str], trace: Trace) -> tuple[Check, ...]:
    rule = RULES["UPS-ECO-MODE"]
    module = design.ups.module.model
    if not design.chain.ups.eco_mode:
        return ()
    if not eco:
        return (rule.not_evaluated(module, "the eco-mode efficiency at this load is not known"),)
    saved_kw = (trace.value("ups.losses") - trace.value("ups.eco_losses")) / 1e3
    why = (
        f"saves {saved_kw:,.0f} kW while the utility is within its window; requires a transfer of"
        " some milliseconds to battery at each disturbance; load harmonics and load power factor"
        " reach the utility"
    )
    return (rule.verdict(module, False, why),)


def _compared(design: ChainDesign) -> Check:
    found = len(design.ups.shortlist)
    why = f"{found} modules with an output of {design.chain.wiring.lv_voltage_v:.0f} V"
    shortlisted = design.chain.ups.shortlist
    return RULES["UPS-SHORTLIST"].at_least("UPS", found, shortlisted, "count", why)
