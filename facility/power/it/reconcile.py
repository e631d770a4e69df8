"""Component power of a device: DC-side sum, supply loss, remainder to the data sheet."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.errors import FacilityError
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.it import Device
from facility.physics.facility.demand import group_demand
from facility.physics.machines.psu import (
    curve_segment,
    light_load_loss,
    loss_of_input,
    supply_efficiency,
    supply_load,
    supply_loss,
)


@dataclass(frozen=True)
class ReconcileRow:
    """One line of the reconciliation; `power_w` is None if not published."""

    part: str
    description: str
    count: int
    power_w: float | None
    source: Source


@dataclass(frozen=True)
class Reconciliation:
    """Component sum of a device compared with its data-sheet maximum."""

    model: str  # Device
    rows: tuple[ReconcileRow, ...]  # Components, supply loss, remainder, data-sheet maximum
    components_w: float  # Sum of the known components at the DC side
    supply_loss_w: float  # Loss of all supplies, equally loaded
    sum_w: float  # AC input of the component sum
    maximum_w: float  # Data-sheet maximum
    remainder_w: float  # Maximum - component sum: unlisted parts and manufacturer margin
    unknown: tuple[str, ...]  # Components without published power


def slug(text: str) -> str:
    """Return `text` as one part of a result id: lower case, other characters as underscores."""
    return "".join(c if c.isalnum() else "_" for c in text.lower())


def reconcile(device: Device, trace: Trace) -> Reconciliation | None:
    """Return the component sum of `device`; None if its components are unknown.

    The load of a supply is component sum / energized supplies / rating; the input is that sum plus
    the loss at that load, both exact.
    """
    psu = device.psu
    if not device.components or psu is None or not psu.efficiency:
        return None
    id = f"device.{slug(device.model)}"
    components_w, parts = 0.0, []
    for index, part in enumerate(device.components):
        if part.unit_power_w is None:
            continue
        part_id = f"{id}.component.{index}_{slug(part.component)}"
        trace.given(
            f"{part_id}.unit", part.unit_power_w, "active_power", part.source, part.description
        )
        components_w += trace.do(
            part_id,
            group_demand,
            part.description,
            count=float(part.count),
            unit_w=f"{part_id}.unit",
            demand_factor=1.0,
            diversity=1.0,
        )
        parts.append(part_id)
    trace.sum(f"{id}.components", "active_power", "parts with a known power, DC side", *parts)
    loss_w = _supply_loss(device, id, trace)
    sum_w = trace.sum(
        f"{id}.component_sum", "active_power", "AC input of the component sum",
        f"{id}.components", f"{id}.supply_loss",
    )  # fmt: skip
    maximum_w = trace.given(f"{id}.maximum", device.maximum_w, "active_power", device.source)
    remainder_w = maximum_w - sum_w
    rows = [
        ReconcileRow(c.component, c.description, c.count,
                     None if c.unit_power_w is None else c.count * c.unit_power_w, c.source)
        for c in device.components
    ]  # fmt: skip
    rows += [
        ReconcileRow("supply loss", f"{psu.count} supplies alive", psu.count, loss_w, psu.source),
        ReconcileRow(
            "remainder", "unlisted parts and manufacturer margin", 1, remainder_w, device.source
        ),
        ReconcileRow("data-sheet maximum", device.model, 1, maximum_w, device.source),
    ]
    unknown = tuple(c.description for c in device.components if c.unit_power_w is None)
    return Reconciliation(
        device.model, tuple(rows), components_w, loss_w, sum_w, maximum_w, remainder_w, unknown
    )


def component_sum_w(device: Device, where: str) -> float:
    """Return the AC input of the component sum of `device`.

    Raises ``UNKNOWN_VALUE`` if its components, or the curve of its supplies, are unknown.
    """
    found = reconcile(device, Trace())
    if found is None:
        raise FacilityError(
            "UNKNOWN_VALUE",
            where,
            f"the components of {device.model} are not known; no component sum is possible.",
            "Use it.basis: datasheet_maximum.",
        )
    return found.sum_w


def supply_loss_at(device: Device, input_w: float) -> float | None:
    """Return the loss of all supplies of `device` at an AC input [W]; None if unknown."""
    psu = device.psu
    if psu is None or not psu.efficiency or psu.assumed:
        return None
    return loss_of_input(input_w, psu.count, psu.rating_w, psu.efficiency)


def _supply_loss(device: Device, id: str, trace: Trace) -> float:
    psu = device.psu
    if psu is None:
        raise FacilityError("UNKNOWN_VALUE", device.model, "the power supplies are not known.")
    rating = trace.given(f"{id}.supply_rating", psu.rating_w, "active_power", psu.source)
    live = trace.given(f"{id}.supplies", psu.count, "count", psu.source)
    load = trace.do(f"{id}.supply_load", supply_load, output_w=f"{id}.components",
                    live=f"{id}.supplies", rating_w=f"{id}.supply_rating")  # fmt: skip
    if load < psu.efficiency[0][0]:
        low, efficiency = psu.efficiency[0]
        return float(trace.do(f"{id}.supply_loss", light_load_loss, live=live, rating_w=rating,
                              load_low=low, efficiency_low=efficiency))  # fmt: skip
    low, high, eta_low, eta_high = curve_segment(psu.efficiency, load)
    trace.do(f"{id}.supply_efficiency", supply_efficiency, load=f"{id}.supply_load", load_low=low,
             load_high=high, efficiency_low=eta_low, efficiency_high=eta_high)  # fmt: skip
    return float(trace.do(f"{id}.supply_loss", supply_loss, output_w=f"{id}.components",
                          efficiency=f"{id}.supply_efficiency"))  # fmt: skip
