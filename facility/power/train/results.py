"""Power chain results under a load: losses, loadings, utility demand.

Powers and loadings are arrays if the demand has arrays.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LossPart:
    """Loss component with its heat location; the three locations sum to `loss_w`."""

    id: str
    loss_w: float
    hall_w: float
    electrical_room_w: float
    outdoors_w: float


@dataclass(frozen=True)
class SystemFlow:
    """UPS system with all in service, with its LV board and transformers."""

    name: str
    output_w: float
    output_va: float
    loading: float
    loss_w: float
    input_w: float
    board_w: float
    board_va: float
    transformer_loading: float


@dataclass(frozen=True)
class Loadings:
    """Loading of the units in service on the worst system or feed.

    For transformers of several output buses, the most loaded bus.
    `failure` is the maximum over all designed states; if the scheme tolerates no failure it equals
    `normal`.
    """

    normal: float
    failure: float


@dataclass(frozen=True)
class UpsFlows:
    """All UPS systems together; `losses_failure_w` is the largest sum over all states.

    `system_w_worst` is the largest output of one system over the designed states.
    `most_loaded_phase` is the loading of the most loaded phase of the most loaded output bus, by kW
    or kVA, over the designed states and states with a feed lost.
    """

    output_w: float
    output_va: float
    input_w: float
    input_va: float
    losses_w: float
    losses_failure_w: float
    loading: Loadings
    loading_va: Loadings
    system_w_worst: float
    most_loaded_phase: float


@dataclass(frozen=True)
class GeneratorFlow:
    """Load of the plant: all LV boards and battery recharge.

    A plant on the MV side also carries the losses of the MV/LV transformers.
    `loading` is on the duty sets, as a fraction of their site-derated rating.
    `step_up_w` is the loss of their step-up transformers, included in the load.
    """

    load_w: float
    load_va: float
    loading: float
    step_up_w: float = 0.0


@dataclass(frozen=True)
class UtilityFlow:
    """Utility demand."""

    demand_w: float
    demand_var: float
    demand_va: float
    power_factor: float
    current_a: float


@dataclass(frozen=True, kw_only=True)
class PowerFlow:
    """Power chain flow with all in service."""

    parts: tuple[LossPart, ...]
    systems: tuple[SystemFlow, ...]
    utility: UtilityFlow

    @property
    def losses_w(self) -> float:
        """All losses between utility and equipment inputs."""
        return sum(part.loss_w for part in self.parts)

    @property
    def hall_w(self) -> float:
        """Losses that heat the halls."""
        return sum(part.hall_w for part in self.parts)

    @property
    def electrical_room_w(self) -> float:
        """Losses that heat the electrical rooms."""
        return sum(part.electrical_room_w for part in self.parts)

    @property
    def outdoors_w(self) -> float:
        """Losses released outdoors."""
        return sum(part.outdoors_w for part in self.parts)

    def part(self, id: str) -> LossPart:
        """Return the loss component `id`, e.g. ``"ups"``."""
        return next(part for part in self.parts if part.id == id)


@dataclass(frozen=True, kw_only=True)
class ChainFlow(PowerFlow):
    """Power chain in operation, all in service unless stated otherwise.

    `board_va_worst` is the largest load on the LV boards of one system over all designed states.
    """

    ups: UpsFlows
    pdus: Loadings
    transformers: Loadings
    generators: GeneratorFlow
    board_va_worst: float
