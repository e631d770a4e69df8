"""Heat balance of each water loop: heat in, heat out and heat carried by the flow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from facility.cooling.loops.loop import LoopRow
from facility.study.design.design import Design

_MIN_W = 1.0
"""Minimum heat of a part that is listed."""
_ROUNDING = 1e-9
"""Residual, as a fraction of the heat in, that is rounding of the sums."""
Terms = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class LoopBalance:
    """Heat of one loop at the design hour [W], each part by its name."""

    loop: LoopRow
    heat_in: Terms
    heat_out: Terms

    @property
    def in_w(self) -> float:
        """Heat into the loop."""
        return sum(heat_w for _, heat_w in self.heat_in)

    @property
    def out_w(self) -> float:
        """Heat out of the loop."""
        return sum(heat_w for _, heat_w in self.heat_out)

    @property
    def residual_w(self) -> float:
        """Heat in less heat out; 0 within rounding."""
        residual_w = self.in_w - self.out_w
        return 0.0 if abs(residual_w) < _ROUNDING * self.in_w else residual_w

    @property
    def residual(self) -> float:
        """Residual over heat in, as a fraction; 0 for an idle loop."""
        return self.residual_w / self.in_w if self.in_w else 0.0


def loop_balances(design: Design) -> Iterator[LoopBalance]:
    """Yield the balance of each water loop of `design` at the design hour."""
    flow, point, trace = design.cooling_flow, design.point, design.trace
    power, direct = flow.power, flow.fws_rejection

    def step(id: str) -> float:
        return float(trace.value(id)) if id in trace else 0.0

    # without a plate exchanger the facility water itself is cooled outdoors
    onward = "heat rejection" if design.hydraulics.loop("fws_tower") else "outdoors"
    own_w = 0.0 if direct is None else direct.pumps_w
    to_sink_w = flow.facility_water_w - flow.fws_chilled_w
    rejected_w = 0.0 if direct is None else direct.whole_w
    named: dict[str, Callable[[], tuple[Terms, Terms]]] = {
        "tcs": lambda: (
            (("liquid-cooled racks", point.heat.liquid_it_w), ("CDU pumps", power.cdu_pumps_w)),
            (("CDUs", step("heat.cdu")),),
        ),
        "fws": lambda: (
            (("CDUs", step("heat.cdu")), ("facility-water pumps", power.fws_pumps_w)),
            ((onward, rejected_w - own_w), ("chilled water", flow.fws_chilled_w)),
        ),
        "fws_tower": lambda: (
            (("facility water", to_sink_w), ("tower-water pumps", own_w)),
            (("outdoors", rejected_w - flow.reused_w), ("heat user", flow.reused_w)),
        ),
        "chw": lambda: (
            (
                ("air units, halls", flow.coils_w - flow.economizer_w * on_air(design)),
                ("air units, electrical rooms", flow.electrical_coils_w),
                ("rear doors", flow.doors_w),
                ("outdoor air of the halls", flow.fresh_w),
                ("facility water", flow.fws_chilled_w),
                ("chilled-water pumps", power.chw_pumps_w),
                ("tank, charging", flow.tank_w),
            ),
            (
                ("chillers", flow.chiller_load_w),
                ("economizer", flow.economizer_w * (1.0 - on_air(design))),
            ),
        ),
        "cw": lambda: (
            (
                ("chillers, heat absorbed", flow.chiller_load_w),
                ("chillers, compressors", power.chillers_w),
                ("condenser-water pumps", flow.rejection.pumps_w),
            ),
            (("outdoors", flow.rejection.heat_w), ("heat user", flow.rejection.reused_w)),
        ),
    }
    for loop in design.hydraulics.loops:
        heat_in, heat_out = named[loop.name]()
        present = (tuple(t for t in terms if abs(t[1]) >= _MIN_W) for terms in (heat_in, heat_out))
        yield LoopBalance(loop, *present)


def on_air(design: Design) -> float:
    """Return 1 where the economizer cools the air of the halls, 0 where it cools the water."""
    return float(design.cooling.chain.economizer.on_air)
