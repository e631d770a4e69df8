"""Parts of the cooling power of a compared method, and the ids of its results."""

from __future__ import annotations

from facility.study.compare.option import CoolingOption

POWER_PARTS = {
    "Fans": ("crah_fans",),
    "Coolant pumps": ("cdu_pumps",),
    "Water pumps": ("chw_pumps", "fws_pumps"),
    "Chillers": ("chillers",),
    "Heat rejection": ("condenser_pumps", "heat_rejection_fans"),
    "Humidifiers": ("humidification",),
}
"""Parts of the cooling power, with the components of each."""


def part_powers(option: CoolingOption) -> dict[str, float]:
    """Return the power of each of the `POWER_PARTS` of a feasible cooling method [W]."""
    assert option.design is not None
    power_w = option.design.cooling_flow.power.parts
    return {name: sum(power_w[one] for one in of) for name, of in POWER_PARTS.items()}


def part_id(way: str, part: str) -> str:
    """Return the result id of power or cost of a part of a cooling method."""
    return f"option.{way}.{part.lower().replace(' ', '_')}"


def density_id(way: str, density_w: float) -> str:
    """Return the id of the cooling power of a method at a rack density."""
    return f"density.{way}.power at {density_w / 1e3:.4g} kW"
