"""Power at a point of the chain, and the designed states of the chain."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from facility.core.trace import SILENT, Trace
from facility.model.power.chain import PowerChain
from facility.model.power.redundancy import Scheme
from facility.physics.circuits.distribution import apparent_of_parts, shared_power
from facility.power.train.schemes import Shares, cooling_shares


@dataclass(frozen=True)
class Power:
    """Active and reactive power at one point."""

    w: Any
    var: Any

    @cached_property
    def va(self) -> Any:
        """Apparent power."""
        return apparent_of_parts.si(self.w, self.var)

    def plus(self, other: Power) -> Power:
        """Return the sum, as complex powers add."""
        return Power(self.w + other.w, self.var + other.var)

    def part(self, share: float) -> Power:
        """Return the load share of one of several carriers."""
        return Power(shared_power.si(self.w, share), self.var * share)


ZERO = Power(0.0, 0.0)


@dataclass(frozen=True)
class UpsOutput:
    """Output of all UPS systems: racks, with downstream losses, and cooling."""

    racks: Power
    cooling: Power

    @property
    def total(self) -> Power:
        """Total of both."""
        return self.racks.plus(self.cooling)

    def of_system(
        self, state: State, index: int, trace: Trace = SILENT, id: str = "", name: str = ""
    ) -> Power:
        """Return the output of one system in a state, ``<id>.output.<name>`` in `trace`."""
        parts = (
            ("racks", "ups.output.racks", self.racks, state.shares[index]),
            ("cooling", "chain.mech_ups", self.cooling, state.cooling_shares[index]),
        )
        found = {
            f"{id}.{part}.{name}": trace.do(
                f"{id}.{part}.{name}", shared_power, load_w=trace.link(whole, power.w), share=share
            )
            for part, whole, power, share in parts
        }
        w = trace.add(f"{id}.output.{name}", "active_power", "racks, and cooling on it", found)
        return Power(w, sum(power.var * share for _, _, power, share in parts))


@dataclass(frozen=True)
class Wiring:
    """Losses in conductors and boards, each at the given load [W]."""

    rack_pdu_w: Any
    branch_w: Any
    feeder_w: Any
    board_w: Any


@dataclass(frozen=True)
class UpsFlow:
    """One UPS system in one state: output, loss, input, and its loading by kW and by kVA."""

    output: Power
    loss_w: Any
    input: Power
    loading: Any
    loading_va: Any


@dataclass(frozen=True)
class State:
    """Designed state of the chain.

    `shares`, `board_shares` and `cooling_shares` are the shares of each system of the racks, of
    cooling and building load on the LV boards, and of the cooling on the UPS; `lost` is the index
    of the system out of service (None if all are in service); `modules_out` and
    `transformers_out` are units out of service in each system. `feed_lost` is the index of a feed
    lost with all systems in service.
    """

    id: str
    shares: tuple[float, ...]
    board_shares: tuple[float, ...]
    cooling_shares: tuple[float, ...]
    lost: int | None = None
    modules_out: int = 0
    transformers_out: int = 0
    feed_lost: int | None = None


def states_of(chain: PowerChain, systems: Shares, boards: Shares) -> tuple[State, ...]:
    """Return the designed states of a chain, all in service first."""
    scheme, spare = chain.scheme, chain.transformer.spare
    cooling = cooling_shares(scheme)
    return designed_states(scheme, chain.ups.buses, spare, systems, boards, cooling)


def designed_states(
    scheme: Scheme,
    buses: int,
    transformer_spare: int,
    systems: Shares,
    boards: Shares,
    cooling: Shares,
) -> tuple[State, ...]:
    """Return the state with all in service, and each single design failure of the scheme.

    If a system has several output buses its spare modules, and the spare transformers of the
    lineups, are out on each of them at once, which is the state of the bus with the failure.
    """
    normal = State("all in service", systems.normal, boards.normal, cooling.normal)
    if not scheme.one_system:
        lost = (
            State(
                f"system {name} lost",
                systems.after[index],
                boards.after[index],
                cooling.after[index],
                index,
            )
            for index, name in enumerate(scheme.systems)
        )
        return (normal, *lost)
    failures = []
    if scheme.spare_modules:
        out = scheme.spare_modules * buses
        failures.append(replace(normal, id=scheme.failure, modules_out=out))
    if transformer_spare:
        out = transformer_spare * buses
        failures.append(replace(normal, id="spare transformers out", transformers_out=out))
    return (normal, *failures)


def sizing_states(chain: PowerChain, designed: tuple[State, ...]) -> tuple[State, ...]:
    """Return the designed states, and the states with a feed lost but all systems in service.

    If one system, or transfer switches, supply several feeds, the loss of a feed transfers its load
    to the others downstream of the UPS: the same systems carry it, with larger losses. Otherwise
    a feed is lost with its system, which `designed_states` includes.
    """
    scheme, feeds = chain.scheme, chain.feeds
    if len(feeds) == 1 or not (scheme.one_system or scheme.reserve):
        return designed
    lost = (
        replace(designed[0], id=f"feed {feed} lost", feed_lost=index)
        for index, feed in enumerate(feeds)
    )
    return (*designed, *lost)
