"""The numbers above a drawing: of a moment of the power network, or of the cooling in an hour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facility.core.rounding import OVER, argmax_within_rounding, argmin_within_rounding
from facility.core.views import System, show
from facility.model.facility import Criteria
from facility.power.network.graph.types import Network
from facility.report.drawings.live.moments import LiveState
from facility.report.drawings.overview.lineups import rack_of
from facility.report.drawings.overview.parts import TIGHT, Margin
from facility.report.tables.states import load_words
from facility.study.cooling_hour import CoolingHour


@dataclass(frozen=True)
class StateNumber:
    """A number of a state with its margin; `key` is the result that explains it."""

    label: str
    value: str
    margin: Margin = "none"
    key: str = ""


@dataclass(frozen=True)
class _Extremes:
    """Overloads, highest loading and lowest voltage of a moment."""

    overloads: int
    loading: tuple[str, float] | None
    voltage: tuple[str, float] | None


def state_numbers(live: LiveState, network: Network, system: System = "si") -> list[StateNumber]:
    """Return the numbers of a moment; the final state has the numbers of the failure study."""
    return list(_numbers(live, network, system))


def _numbers(live: LiveState, network: Network, system: System) -> Iterator[StateNumber]:
    racks = len({rack_of(load.tag) for load in network.loads if load.kind.critical})
    dropped = len({rack_of(tag) for tag, _ in live.dropped})
    good: Margin = "over" if dropped else "ok"
    yield StateNumber("Racks dropped", f"{dropped:,} of {racks:,}", good, "state.racks")
    lost_w = sum(power_w for _, power_w in live.dropped)
    text = show(lost_w, "active_power", system) if lost_w else "0 kW"
    yield StateNumber("IT load dropped", text, good, "state.load_dropped")
    found = _extremes(live, network)
    good = "over" if found.overloads else "ok"
    yield StateNumber("Overloads", f"{found.overloads:,}", good, "state.overload")
    text, margin = "–", "none"
    if found.loading is not None:
        tag, loading = found.loading
        text = f"{show(loading, 'fraction')} {tag}"
        margin = "over" if loading > OVER else "tight" if loading > TIGHT else "ok"
    yield StateNumber("Highest loading", text, margin, "state.highest_loading")  # type: ignore[arg-type]
    text = "–"
    if found.voltage is not None:
        tag, value = load_words(found.voltage[0]), found.voltage[1]
        text = f"{show(value, 'fraction')} {tag}"
    yield StateNumber("Lowest voltage", text, key="state.lowest_voltage")
    text, seconds = "not used", live.state.battery_s
    if live.state.riding:
        text = "unknown" if seconds is None else show(seconds, "time", system)
    yield StateNumber("Battery bridges", text, key="state.battery")


def hour_numbers(hour: CoolingHour, criteria: Criteria, system: System) -> Iterator[StateNumber]:
    """Yield the numbers of the cooling in an hour."""
    point, weather = hour.point, hour.weather
    flow, it_w = point.cooling, point.demand.it_w
    yield StateNumber("Dry bulb", show(weather.dry_bulb_c, "temperature", system))
    yield StateNumber("Wet bulb", show(weather.wet_bulb_c, "temperature", system))
    power_w = flow.power.total_w
    yield StateNumber(
        "Cooling power", show(power_w, "active_power", system, digits=0), key="load.cooling"
    )
    pue = show(point.facility_w / it_w, "ratio") if it_w else "–"
    yield StateNumber("PUE, this hour", pue, key="pue.hour")
    cop = show(flow.chiller_cop, "ratio", digits=2) if flow.chiller_load_w else "–"
    yield StateNumber("Chiller COP", cop, key="plant.chiller_cop")
    text = show(flow.inlet_worst_c, "temperature", system)
    good: Margin = "over" if flow.inlet_worst_c > criteria.air_allowable_max_c else "ok"
    yield StateNumber("Inlet, worst", text, good, "air.inlet_temperature_worst")


def _extremes(live: LiveState, network: Network) -> _Extremes:
    state, flow = live.state, live.flow
    if live.instant == "settled":
        return _Extremes(len(state.overloads), state.worst_loading, state.lowest_voltage)
    loadings = np.concatenate((flow.loading[:, 0], flow.circuit_loading[:, 0]))
    known = np.flatnonzero(np.isfinite(loadings))
    loading = None
    if known.size:
        number = int(known[argmax_within_rounding(loadings[known])])
        tags = [one.tag for one in network.equipment]
        circuits = [link.circuit or link.source for _, link in network.links]
        loading = ([*tags, *circuits][number], float(loadings[number]))
    volts = flow.load_voltage_pu[:, 0]
    served = np.flatnonzero(np.isfinite(volts))
    voltage = None
    if served.size:
        number = int(served[argmin_within_rounding(volts[served])])
        voltage = (network.loads[number].tag, float(volts[number]))
    return _Extremes(int((loadings[known] > OVER).sum()), loading, voltage)
