"""What was read of a panel, in one sentence and by phase."""

from __future__ import annotations

from facility.power.panels.board.model import Panel


def phase_va(panel: Panel) -> dict[str, float]:
    """Return the load of placed circuits by phase [VA]: A, B, C."""
    sums = dict.fromkeys("ABC", 0.0)
    for circuit in panel.circuits:
        for phase, va in zip(panel.phases(circuit), circuit.pole_va(), strict=False):
            sums[phase] += va
    return sums


def described(panel: Panel) -> str:
    """Return what was read of a panel in one sentence."""
    spares = sum(one.class_code == "SPARE" for one in panel.circuits)
    total = sum(sum(one.pole_va()) for one in panel.circuits)
    rated = "" if panel.rating_a is None else f", {panel.rating_a:g} A"
    room = "tap-offs" if panel.is_busway else "poles"
    parts = [
        f"{panel.tag}, {panel.system}, {panel.poles} {room}{rated}: "
        f"{len(panel.circuits)} circuit{'s' * (len(panel.circuits) != 1)}"
        + (f" ({spares} spare)" if spares else "")
    ]
    if panel.placed:
        sums = phase_va(panel)
        parts.append("A / B / C " + " / ".join(f"{va:,.0f}" for va in sums.values()) + " VA")
    return "; ".join([*parts, f"total {total / 1e3:,.2f} kVA"])
