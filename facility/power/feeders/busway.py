"""Overhead track busway: choice by continuous rating, tap-offs, voltage drop where it is known."""

from __future__ import annotations

from dataclasses import dataclass

from facility.catalogue import Row, table
from facility.core.check import Check, Rule, Severity
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED, PROJECT
from facility.model.facility import Criteria
from facility.physics.circuits import continuous_limit
from facility.physics.voltage_drop import effective_impedance, voltage_drop_three_phase

LOAD = Rule(
    "BUSWAY-LOAD", "Load within the continuous rating of the busway", Severity.VIOLATION, DERIVED,
    "Choose a larger busway, or split the row over two.",
)  # fmt: skip
TAP = Rule(
    "BUSWAY-TAP-OFF", "Tap-off device within the rating of the busway", Severity.VIOLATION,
    DERIVED, "Choose a smaller tap-off, or a larger busway.",
)  # fmt: skip
DROP = Rule(
    "BUSWAY-VOLTAGE-DROP", "Voltage drop along the busway", Severity.WARNING, PROJECT,
    "Give resistance and reactance per length from the data sheet of the busway.",
)  # fmt: skip
UNVERIFIED = Rule(
    "BUSWAY-UNVERIFIED", "Rating of the busway is read from a source", Severity.ADVICE, DERIVED,
    "Confirm model and rating with the maker.",
)  # fmt: skip


@dataclass(frozen=True)
class BuswayRun:
    """One run of three-phase busway and what hangs on it.

    Attributes
    ----------
    load_a : float
        Line current at the feed end, worst state [A].
    voltage_v : float
        Line-to-line voltage [V].
    length_m : float
        From the feed end to the farthest tap-off [m].
    power_factor : float
        Of the load.
    tap_offs_a : tuple[float, ...]
        Ratings of the tap-off devices [A].
    listed_100 : bool
        Whether busway and device ahead are listed for 100 % continuous load.
    resistance_ohm_m, reactance_ohm_m : float or None
        Of one line per metre, from the data sheet; None = not known [ohm/m].
    """

    load_a: float
    voltage_v: float
    length_m: float
    power_factor: float
    tap_offs_a: tuple[float, ...] = ()
    listed_100: bool = False
    resistance_ohm_m: float | None = None
    reactance_ohm_m: float | None = None


@dataclass(frozen=True)
class BuswayChoice:
    """Model, rating and continuous current of a busway [A], and its checks."""

    model: str
    rated_a: float
    continuous_a: float
    drop_v: float | None
    checks: tuple[Check, ...]


def choose_busway(run: BuswayRun, criteria: Criteria, drop_limit: float, id: str) -> BuswayChoice:
    """Return the smallest busway of the catalogue for a run.

    Raises
    ------
    FacilityError
        ``NO_BUSWAY`` (no feasible solution) when none is large enough.
    """
    factor = 1.0 if run.listed_100 else criteria.continuous_factor
    rows = sorted(table("equipment/busway").rows, key=lambda row: row.si("rated_a"))
    for row in rows:
        continuous_a = float(continuous_limit.si(row.si("rated_a"), factor))
        if run.load_a <= continuous_a * (1.0 + 1e-9):
            return _choice(run, row, continuous_a, drop_limit, id)
    raise FacilityError(
        "NO_BUSWAY", id,
        f"{run.load_a:.0f} A is beyond the largest busway, {rows[-1].si('rated_a'):g} A loaded to "
        f"{1.0 / factor:.0%}.",
        "Split the row over two runs.", exit_code=4,
    )  # fmt: skip


def _choice(
    run: BuswayRun, row: Row, continuous_a: float, drop_limit: float, id: str
) -> BuswayChoice:
    rated_a, model = row.si("rated_a"), row.text("model")
    drop_v = _drop(run)
    recalled = row.is_memory("rated_a")
    why = f"{model}: {'recalled, not read' if recalled else 'read'}"
    checks = [LOAD.compare(id, run.load_a, "<=", continuous_a, "current")]
    if run.tap_offs_a:
        checks.append(TAP.compare(id, max(run.tap_offs_a), "<=", rated_a, "current"))
    if drop_v is None:
        text = "no impedance of the busway is carried or stated"
        checks.append(DROP.not_evaluated(id, text))
    else:
        checks.append(DROP.compare(id, drop_v / run.voltage_v, "<=", drop_limit, "fraction"))
    rule = Rule(
        UNVERIFIED.id, UNVERIFIED.title, UNVERIFIED.severity, row.cite("rated_a"),
        UNVERIFIED.remedy,
    )  # fmt: skip
    checks.append(rule.verdict(id, not recalled, why))
    return BuswayChoice(model, rated_a, continuous_a, drop_v, tuple(checks))


def _drop(run: BuswayRun) -> float | None:
    """Return the drop to the farthest tap-off with the whole load at the end [V]."""
    if run.resistance_ohm_m is None or run.reactance_ohm_m is None:
        return None
    impedance = effective_impedance.si(
        run.resistance_ohm_m * run.length_m, run.reactance_ohm_m * run.length_m, run.power_factor
    )
    return float(voltage_drop_three_phase.si(run.load_a, impedance))
