"""Where the electricity of each hour goes: the IT, each part of the losses and of the cooling."""

from __future__ import annotations

from collections.abc import Mapping

from facility.core.kinds import FloatArray
from facility.study.annual.hours import Hours
from facility.study.loop import WingsBalance

GROUPS = ("it", "losses", "cooling", "house")


def power_by_part(found: WingsBalance, hours: Hours) -> Mapping[str, FloatArray]:
    """Return the power of each part at each hour [W]: ``it``, ``losses.ups``, ``cooling.chillers``.

    What the meter of the facility reads is their sum.
    """
    parts = {"it": found.demand.it_w}
    parts |= {f"losses.{part.id}": part.loss_w for part in found.flow.parts}
    parts |= {f"cooling.{name}": power_w for name, power_w in found.cooling.power.parts.items()}
    parts["house"] = found.demand.house_w
    return {id: hours.spread(value) for id, value in parts.items()}


def of_group(parts: Mapping[str, object], group: str) -> tuple[str, ...]:
    """Return the parts of a group: of ``losses`` those whose names begin with it."""
    return tuple(id for id in parts if id == group or id.startswith(f"{group}."))
