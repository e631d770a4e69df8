"""Input-current limit of a rectifier: as specified, or by the largest breaker.

It limits the circuit into the module. Static and maintenance bypass are not limited, and the lineup
is rated for the UPS. Load and losses have priority over the chargers, which use the remaining
power.
"""

from __future__ import annotations

from collections.abc import Mapping

from facility.core.check import Check
from facility.core.rounding import within
from facility.core.sources import PROJECT, RULE
from facility.core.table import Value
from facility.core.trace import Trace
from facility.physics.machines.ups import input_current, recharge_left, ups_loss
from facility.power.rules import RULES
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDesign

LIMIT = "ups.input_limit"
AT_LOW_LINE = f"{LIMIT}.load_current"
LOW_LINE = "ups.input_current_low_line"
RECHARGE_LEFT = "ups.recharge_left"


def module_input(results: Mapping[str, Value]) -> tuple[float, str]:
    """Return the maximum input current of one module [A], and its basis.

    results: Results of `ups_study`.
    """
    unlimited_a = float(results[LOW_LINE].si)
    limit_a = float(results[LIMIT].si) if LIMIT in results else unlimited_a
    if limit_a < unlimited_a:
        return limit_a, f"input-current limit of the UPS module, {limit_a:,.0f} A"
    return unlimited_a, "UPS module at its rating, low line, recharging"


def at_input(design: ChainDesign) -> dict[str, float | str]:
    """Return nominal voltage and power factor at the input of the modules."""
    return {
        "voltage_v": design.chain.wiring.lv_voltage_v,
        "power_factor": design.ups.module.input_power_factor,
    }


def loss_curve(design: ChainDesign) -> dict[str, float | str]:
    """Return rating and loss curve of the modules."""
    module = design.ups.module
    terms = {"constant": module.constant, "linear": module.linear, "quadratic": module.quadratic}
    return {"module_w": "ups.module_rating", **terms}


def record_limit(
    design: ChainDesign, grown: ChainFlow, max_a: float, trace: Trace
) -> tuple[str, ...]:
    """Record the input-current limit of a module; return the ids, empty without a limit.

    grown: Power flow with growth.
    max_a: Continuous current of the largest breaker: the default limit if a module at its rating
        draws more, and the limit carries the load at low line.
    """
    basis, loading = design.chain.ups, grown.ups.loading
    if basis.input_limit_a is None and within(trace.value(LOW_LINE), max_a):
        return ()
    sag = trace.link("power.ups.low_line", basis.factors["low_line"])
    worst = _load(design, LIMIT, loading.failure, "most loaded module, worst designed state", trace)
    words = "that module at low line, without recharge"
    trace.do(AT_LOW_LINE, input_current, words, charge_w=0.0, sag=sag, **worst)
    if basis.input_limit_a is not None:
        words = "rectifier of one module; its bypass is not limited"
        trace.given(LIMIT, basis.input_limit_a, "current", PROJECT, words)
    elif within(trace.value(AT_LOW_LINE), max_a):
        words = "largest breaker continuous rating: no breaker carries a module at its rating"
        trace.assume(f"power.{LIMIT}", max_a, "current", words, RULE)
        trace.derive(LIMIT, max_a, "current", "as assumed", assumed=f"power.{LIMIT}")
    else:
        return ()
    words = "most loaded module, all in service"
    normal = _load(design, RECHARGE_LEFT, loading.normal, words, trace)
    words = "for the chargers of this module, at nominal voltage"
    trace.do(RECHARGE_LEFT, recharge_left, words, limit_a=LIMIT, **normal)
    return LIMIT, AT_LOW_LINE, RECHARGE_LEFT


def _load(
    design: ChainDesign, at: str, loading: float, which: str, trace: Trace
) -> dict[str, float | str]:
    """Record output and loss of a module; return them with voltage and power factor."""
    load, loss = f"{at}.load", f"{at}.loss"
    load_w = loading * design.ups.module.rating_w
    trace.derive(load, load_w, "active_power", f"{which}, with growth", rating="ups.module_rating")
    trace.do(loss, ups_loss, which, modules=1.0, output_w=load, **loss_curve(design))
    return {"output_w": load, "loss_w": loss, **at_input(design)}


def limit_check(design: ChainDesign, trace: Trace) -> tuple[Check, ...]:
    """Return whether the limited input carries load and losses at the lowest input voltage."""
    if LIMIT not in trace:
        return ()
    load_w, loss_w = trace.value(f"{LIMIT}.load"), trace.value(f"{LIMIT}.loss")
    volts = design.chain.wiring.lv_voltage_v * (1.0 - design.chain.ups.factors["low_line"])
    needed_a, limit_a = trace.value(AT_LOW_LINE), trace.value(LIMIT)
    why = (
        f"{load_w / 1e3:,.0f} kW load and {loss_w / 1e3:,.0f} kW losses of the most loaded module"
        f" draw {needed_a:,.0f} A at {volts:,.0f} V (low line); rectifier input limit"
        f" {limit_a:,.0f} A"
    )
    model = design.ups.module.model
    return (RULES["UPS-INPUT-LIMIT"].at_most(model, needed_a, limit_a, "current", why),)
