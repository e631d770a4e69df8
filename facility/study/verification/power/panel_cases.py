"""Cases of panels: phasor and schedule currents of mixed loads, states, verdicts."""

from __future__ import annotations

from facility.core.check import Check
from facility.model.facility import Criteria
from facility.model.power.hall_distribution import Connection
from facility.physics.circuits.currents import three_phase_current
from facility.power.panels.board.currents import PanelLoad, panel_loads
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.checks import check_panel
from facility.study.verification.inputs import CaseFunctions

# Pole of the first breaker on phases A B C to neutral, and on the pairs AB, BC, CA.
_TO_NEUTRAL = {"an_va": 1, "bn_va": 3, "cn_va": 5}
_BETWEEN_LINES = {"ab_va": 2, "bc_va": 10, "ca_va": 6}
_POLES = 12
NEC = Criteria(
    code="NEC",
    edition="2023",
    continuous_factor=1.25,
    growth=0.0,
    voltage_drop_branch=0.03,
    voltage_drop_feeder=0.03,
    voltage_drop_total=0.05,
    air_class="A1",
    air_recommended_max_c=27.0,
    air_recommended_min_c=18.0,
    air_allowable_max_c=32.0,
    liquid_class="W32",
    liquid_supply_max_c=32.0,
)
"""Criteria of a design by the NEC."""


def _circuit(
    name: str,
    poles: int,
    connection: Connection,
    power_va: tuple[tuple[complex, ...], ...],
    position: int,
) -> Circuit:
    return Circuit(name, name, "IT-AI", poles, connection, power_va, position=position)


def _panel(
    line_voltage_v: float,
    bus_a: float | None,
    states: tuple[str, ...],
    circuits: tuple[Circuit, ...],
) -> Panel:
    return Panel(
        tag="P",
        side="A",
        hall="",
        system="",
        v_ll=line_voltage_v,
        poles=_POLES,
        bus_a=bus_a,
        main_a=None,
        listed_100=False,
        fed_from="",
        paired=(),
        numbering="US",
        states=states,
        circuits=circuits,
    )


def mixed_panel(line_voltage_v: float, bus_a: float | None = None, **va: float) -> Panel:
    """Return a panel with a load of unity power factor on each phase or pair named."""
    circuits = []
    for name, power_va in va.items():
        load = ((complex(power_va),),)
        if name in _TO_NEUTRAL:
            circuits.append(_circuit(name, 1, "L-N", load, _TO_NEUTRAL[name]))
        else:
            circuits.append(_circuit(name, 2, "L-L", load, _BETWEEN_LINES[name]))
    return _panel(line_voltage_v, bus_a, ("normal",), tuple(circuits))


def _load(**inputs: float) -> PanelLoad:
    return panel_loads(mixed_panel(**inputs))[0]


def _schedule(line: str, **inputs: float) -> float:
    return _load(**inputs).schedule_a["ABC".index(line)]


def _overloads(**inputs: float) -> float:
    """Return 1 if the panel exceeds the continuous limit of its bus, else 0."""
    return float(any(check.failed for check in _limits(mixed_panel(**inputs))))


def _pair_overloads(a_a: float, b_a: float, bus_a: float, line_voltage_v: float) -> float:
    """Return the number of states of feed A above its limit: all live, and feed B lost."""
    va_per_a = 1.0 / float(three_phase_current.si(1.0, line_voltage_v))
    states = tuple((complex(amperes * va_per_a / 3.0),) * 3 for amperes in (a_a, a_a + b_a))
    panel = _panel(
        line_voltage_v, bus_a, ("normal", "B lost"), (_circuit("load", 3, "L-N", states, 1),)
    )
    return float(sum(check.failed for check in _limits(panel)))


def _limits(panel: Panel) -> list[Check]:
    return [check for check in check_panel(panel, NEC) if check.rule == "PANEL-LOAD"]


FUNCTIONS: CaseFunctions = {
    "panel.line": ("current", lambda line, **inputs: _load(**inputs).line_a["ABC".index(line)]),
    "panel.schedule": ("current", _schedule),
    "panel.neutral": ("current", lambda **inputs: _load(**inputs).neutral_a),
    "panel.total": ("apparent_power", lambda **inputs: _load(**inputs).apparent_va),
    "panel.overloads": ("count", _overloads),
    "panel.pair_overloads": ("count", _pair_overloads),
}
