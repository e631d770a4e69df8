"""What the power chain does under a load: losses by part, loadings, demand at the utility.

Powers and loadings are arrays where the demand holds arrays.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LossPart:
    """One part of the losses and where its heat goes; the three places sum to `loss_w`."""

    id: str
    loss_w: float
    hall_w: float
    electrical_room_w: float
    outdoors_w: float


@dataclass(frozen=True)
class SystemFlow:
    """One UPS system with all in service, and the LV board and transformers that feed it."""

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
    """Load over rating of the units in service on the worst system or feed.

    Of transformers behind several output buses those of the fullest bus.
    `failure` is the largest over all designed states; where the scheme tolerates no failure it
    equals `normal`.
    """

    normal: float
    failure: float


@dataclass(frozen=True)
class UpsFlows:
    """All UPS systems together; `losses_failure_w` is the largest sum over all states.

    `system_w_worst` is the largest output of one system over the designed states.
    `fullest` is the loading of the fullest phase of the fullest output bus, by kW or by kVA, over
    the designed states and those with a feed lost.
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
    fullest: float


@dataclass(frozen=True)
class GeneratorFlow:
    """Load of the plant: all LV boards and the recharge of the batteries.

    A plant on the MV side carries the losses of the MV/LV transformers too.
    `loading` is on the sets that are not spare, as a fraction of what the site leaves of them.
    `step_up_w` is the loss of their step-up transformers, part of the load.
    """

    load_w: float
    load_va: float
    loading: float
    step_up_w: float = 0.0


@dataclass(frozen=True)
class UtilityFlow:
    """Demand at the utility."""

    demand_w: float
    demand_var: float
    demand_va: float
    power_factor: float
    current_a: float


@dataclass(frozen=True, kw_only=True)
class PowerFlow:
    """The chain with all in service."""

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
        """Losses given off outdoors."""
        return sum(part.outdoors_w for part in self.parts)

    def part(self, id: str) -> LossPart:
        """Return the loss part `id`, e.g. ``"ups"``."""
        return next(part for part in self.parts if part.id == id)


@dataclass(frozen=True, kw_only=True)
class ChainFlow(PowerFlow):
    """The chain in operation, all in service unless said otherwise.

    `board_va_worst` is the largest load on the LV boards of one system over all designed states.
    """

    ups: UpsFlows
    pdus: Loadings
    transformers: Loadings
    generators: GeneratorFlow
    board_va_worst: float
