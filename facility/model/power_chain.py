"""The power chain in SI: what is given and what is left to be designed.

None means that the design chooses.
"""

from __future__ import annotations

from dataclasses import dataclass

from facility.model.power_chain_panels import PanelBasis
from facility.model.redundancy import Scheme

Curve = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class UpsBasis:
    """What is given of the UPS.

    `buses` is the number of separate output buses of one system; the spare modules of the scheme
    stand on each. `efficiency` holds (load fraction, efficiency) points of the user's own module.
    `recharge` is the charger power as a fraction of the module rating.
    """

    model: str
    module_w: float | None
    module_va: float | None
    modules_per_system: int | None
    buses: int
    max_loading: float
    input_power_factor: float | None
    efficiency: Curve
    recharge: float


@dataclass(frozen=True)
class WiringBasis:
    """Distribution between UPS output and rack, and the LV boards.

    Losses are fractions of the IT load at the design load; `feeder_in_hall` is the part of the
    feeder loss that heats the halls. `pdu_count` is the total of PDU transformers as built.
    """

    lv_voltage_v: float
    rack_voltage_v: float
    rack_system: str
    pdu_rating_va: float | None
    pdu_count: int | None
    pdu_max_loading: float
    branch_loss: float
    feeder_loss: float
    lv_loss: float
    feeder_in_hall: float

    @property
    def has_pdu_transformers(self) -> bool:
        """Whether racks get another voltage than the UPS delivers."""
        return self.lv_voltage_v != self.rack_voltage_v


@dataclass(frozen=True)
class TransformerBasis:
    """What is given of the MV/LV transformers.

    `count` is the total as built; `spare` the transformers of one system beyond its duty;
    `largest_va` the largest rating the design may choose; losses are per transformer.
    """

    rating_va: float | None
    count: int | None
    spare: int
    max_loading: float
    largest_va: float
    no_load_w: float | None
    load_loss_w: float | None
    impedance: float | None


@dataclass(frozen=True)
class GeneratorBasis:
    """What is given of the generator plant; `count` is the total as built, `spare` included."""

    model: str
    set_w: float | None
    set_va: float | None
    count: int | None
    spare: int
    max_loading: float | None
    derate: float | None


@dataclass(frozen=True)
class PowerChain:
    """The chain from utility to rack: scheme, feeds, and the basis of each stage."""

    scheme: Scheme
    feeds: tuple[str, ...]
    ups: UpsBasis
    wiring: WiringBasis
    transformer: TransformerBasis
    generator: GeneratorBasis
    panels: PanelBasis
    mechanical_power_factor: float
    house_power_factor: float
