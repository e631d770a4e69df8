"""Direct-current distribution: 54 V rack busbars and 800 V feeders, in SI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Architecture = Literal["none", "54V busbar", "800V feeder"]
Metal = Literal["cu", "al"]

BUSBAR: Architecture = "54V busbar"
FEEDER: Architecture = "800V feeder"
NOMINAL_V: dict[Architecture, float] = {BUSBAR: 54.0, FEEDER: 800.0}
"""Nominal voltage of each architecture [V]."""


@dataclass(frozen=True)
class DcBasis:
    """Direct-current distribution: 54 V rack busbars and 800 V feeders.

    Attributes
    ----------
    architecture : {"none", "54V busbar", "800V feeder"}
        What is studied; with ``"none"`` nothing else is used.
    voltage_v : float
        Voltage at the source: the power shelf or the rectifier [V].
    load_w : float or None
        Power at the end of one circuit; None takes the largest rack [W].
    length_m : float
        Length, one way [m].
    section_m2 : float or None
        Cross-section of one bar of a busbar [m2].
    size : str
        Conductor size of a feeder, AWG or kcmil.
    sets : int
        Conductors in parallel on each pole of a feeder.
    metal : {"cu", "al"}
        Conductor metal.
    conductor_c : float
        Temperature of the conductor [degC].
    voltage_min_v, voltage_max_v : float or None
        Window in which the load works [V].
    converter_efficiency : float or None
        Output over input of the rectifier or power shelf that feeds the circuit.
    compared_loss : float
        Loss over load at which the voltages are compared.
    """

    architecture: Architecture = "none"
    voltage_v: float = 0.0
    load_w: float | None = None
    length_m: float = 0.0
    section_m2: float | None = None
    size: str = ""
    sets: int = 1
    metal: Metal = "cu"
    conductor_c: float = 75.0
    voltage_min_v: float | None = None
    voltage_max_v: float | None = None
    converter_efficiency: float | None = None
    compared_loss: float = 0.01
