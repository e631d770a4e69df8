"""Results of a loop, and how each number came about."""

from __future__ import annotations

import re

from facility.cooling.loops.loop import LoopRow, Stretch
from facility.core.sources import DERIVED, Source
from facility.core.table import Value
from facility.core.trace import Trace
from facility.physics.liquids.pipes import (
    darcy_friction,
    fittings_pressure_drop,
    pipe_pressure_drop,
    pipe_velocity,
    reynolds_number,
)
from facility.physics.plant.fans_pumps import pump_power

_NOT_WORD = re.compile(r"[^a-z0-9]+")


def loop_results(row: LoopRow, trace: Trace) -> dict[str, Value]:
    """Return the results of a loop by dotted key, and record their steps.

    Parameters
    ----------
    row : LoopRow
        The loop.
    trace : Trace
        Takes the steps, under ``loop.<name>``.
    """
    id = f"loop.{row.name}"
    trace.choose(f"{id}.flow", row.flow_m3_s, "liquid_flow", "flow at design", DERIVED)
    for name, value in (("supply", row.supply_c), ("return", row.return_c)):
        trace.derive(f"{id}.{name}", value, "temperature", "at the design hour")
    drops = [drop for stretch in row.stretches for drop in _record_stretch(id, row, stretch, trace)]
    for part in row.parts:
        key = f"{id}.drop.{_slug(part.name)}"
        source = Source("component", part.basis)
        drops.append(key)
        trace.given(key, part.drop_pa, "pressure", source, f"at {id}.flow")
    trace.sum(f"{id}.head", "pressure", "pipes, fittings and components of the worst path", *drops)
    main = f"{id}.pipe.{_slug(row.main.name)}"
    trace.derive(
        f"{id}.velocity",
        row.main.velocity_m_s(),
        "velocity",
        "in the mains",
        velocity=f"{main}.velocity",
    )
    words = "smallest size within the limits of velocity and gradient"
    trace.choose(f"{id}.dn", row.main.size.dn, "count", words, DERIVED)
    trace.choose(f"{id}.pipes", row.main.pipes, "count", "pipes side by side", DERIVED)
    return _values(row, id, trace)


def _values(row: LoopRow, id: str, trace: Trace) -> dict[str, Value]:
    found = {
        f"{id}.flow": Value(row.flow_m3_s, "liquid_flow", row.title),
        f"{id}.supply": Value(row.supply_c, "temperature", "design hour"),
        f"{id}.return": Value(row.return_c, "temperature", "design hour"),
        f"{id}.head": Value(row.head_pa, "pressure", "worst path at design flow"),
        f"{id}.velocity": Value(row.main.velocity_m_s(), "velocity", row.main.name),
        f"{id}.dn": Value(row.main.size.dn, "count", "nominal size of the mains"),
        f"{id}.pipes": Value(row.main.pipes, "count", "mains side by side"),
        f"{id}.volume": Value(row.volume_m3, "volume", "pipes and racks; machines not counted"),
        f"{id}.expansion": Value(row.expansion_m3, "volume", "from filling to the return"),
    }
    trace.derive(
        f"{id}.volume",
        row.volume_m3,
        "volume",
        "cross-section times length of every pipe, and what the racks hold",
    )
    trace.derive(
        f"{id}.expansion",
        row.expansion_m3,
        "volume",
        "density at filling over density at the return, less one, times the volume",
        volume=f"{id}.volume",
    )
    if row.efficiency is not None or row.head_given_pa is not None:
        words = "of the pumps" if row.head_given_pa is not None else "of the pumps: as laid out"
        found[f"{id}.head_given"] = Value(row.pump_head_pa, "pressure", words)
        trace.derive(f"{id}.head_given", row.pump_head_pa, "pressure", words)
    if row.efficiency is not None:
        power_w = trace.do(
            f"{id}.pump_power",
            pump_power,
            "at the head worked out here",
            head_pa=f"{id}.head",
            flow_m3_s=f"{id}.flow",
            efficiency=row.efficiency,
        )
        found[f"{id}.pump_power"] = Value(float(power_w), "active_power", "at design flow")
    return found


def _slug(text: str) -> str:
    return _NOT_WORD.sub("_", text.lower()).strip("_")


def _record_stretch(id: str, row: LoopRow, stretch: Stretch, trace: Trace) -> tuple[str, str]:
    """Record velocity, friction and drops of a stretch; return the ids of its two drops."""
    at, liquid = f"{id}.pipe.{_slug(stretch.name)}", row.liquid
    trace.choose(
        f"{at}.diameter", stretch.size.inside_m, "length",
        f"DN{stretch.size.dn}, {stretch.pipes} side by side", Source("fluids", "schedule 40"),
    )  # fmt: skip
    trace.do(f"{at}.velocity", pipe_velocity, diameter_m=f"{at}.diameter",
             flow_m3_s=stretch.flow_m3_s / stretch.pipes)  # fmt: skip
    trace.do(
        f"{at}.reynolds", reynolds_number, density_kg_m3=liquid.density_kg_m3,
        velocity_m_s=f"{at}.velocity", diameter_m=f"{at}.diameter",
        viscosity_pa_s=liquid.viscosity_pa_s,
    )  # fmt: skip
    trace.do(f"{at}.friction", darcy_friction, reynolds=f"{at}.reynolds",
             roughness=stretch.roughness_m / stretch.size.inside_m)  # fmt: skip
    trace.do(
        f"{at}.straight", pipe_pressure_drop, friction=f"{at}.friction", length_m=stretch.length_m,
        diameter_m=f"{at}.diameter", density_kg_m3=liquid.density_kg_m3,
        velocity_m_s=f"{at}.velocity",
    )  # fmt: skip
    trace.do(
        f"{at}.fittings", fittings_pressure_drop, "K = friction fully turbulent times L/D",
        coefficients=stretch.coefficients, density_kg_m3=liquid.density_kg_m3,
        velocity_m_s=f"{at}.velocity",
    )  # fmt: skip
    return f"{at}.straight", f"{at}.fittings"
