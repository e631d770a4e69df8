"""The conductors: material, insulation, installation and lengths, in SI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

INSULATION_C = {
    "THHN/THWN-2": 90.0,
    "XHHW-2": 90.0,
    "THWN": 75.0,
    "THW": 75.0,
    "PVC": 70.0,
    "XLPE": 90.0,
}
"""Temperature rating of each insulation [degC]; the last two are those of the IEC."""


@dataclass(frozen=True)
class ConductorBasis:
    """The conductors: material, insulation, installation and lengths.

    Attributes
    ----------
    material : {"cu", "al"}
        Metal of line, neutral and grounding conductors.
    insulation : str
        Type of the insulation, a key of `INSULATION_C`.
    insulation_c : float
        Its temperature rating [degC].
    termination_c : float
        Temperature rating of the terminations, 60 or 75; in the IEC that of the insulation [degC].
    ambient_c : float
        Ambient of the conductors [degC].
    raceway : str
        Type of conduit of NEC chapter 9, table 4; empty in the IEC.
    method : str
        Reference method of installation of IEC 60364-5-52; empty in the NEC.
    largest_size : str
        Largest line conductor the design may choose: AWG or kcmil, in the IEC mm2.
    neutral_counted : bool
        Whether the neutral of a four-wire circuit counts as a current-carrying conductor.
    grouped_circuits : int or None
        Equal circuits in one raceway (NEC) or one way (IEC); None = all of a sort that leave the
        same board.
    transformer_length_m, generator_length_m, ups_length_m, feeder_length_m, panel_length_m,
    mechanical_length_m : float
        One-way lengths [m]: MV/LV transformer to LV board, generator to LV board, LV board to UPS,
        UPS output to PDU transformer or panel, PDU transformer to panel, LV board to mechanical
        plant.
    branch_length_m : float or None
        One-way length from panel to rack [m]; None = the route in the hall.
    parallel_sets : int
        Most conductors in parallel per line that the design may choose; beyond them a busway.
    arrangement : str
        How circuits of the IEC that share a way lie, a key of its table; empty in the NEC, and
        where the method decides.
    trays : int
        Trays or ladders of the IEC, one above another, that share out the circuits.
    """

    material: Literal["cu", "al"]
    insulation: str
    insulation_c: float
    termination_c: float
    ambient_c: float
    raceway: str
    method: str
    largest_size: str
    neutral_counted: bool
    grouped_circuits: int | None
    transformer_length_m: float
    generator_length_m: float
    ups_length_m: float
    feeder_length_m: float
    panel_length_m: float
    mechanical_length_m: float
    branch_length_m: float | None
    parallel_sets: int = 8
    arrangement: str = ""
    trays: int = 1
