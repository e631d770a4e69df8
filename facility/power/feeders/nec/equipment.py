"""NEC rules for switchboards, transfer switches, generators and IT equipment rooms.

Ground-fault protection, arc energy and the room articles are design matters outside this program;
they are reported as checks and advice.
"""

from __future__ import annotations

from dataclasses import replace

from facility.catalogue.articles import article
from facility.core.check import Check, Severity
from facility.core.sources import Source
from facility.physics.circuits.currents import required_rating
from facility.power.rules import RULES

_GFP_ABOVE_V, _GFP_FROM_A = 150.0, 1000.0
_GFP_TO_V = {"2017": 600.0, "2023": 1000.0}
_GFP_AT = {"service": "the service", "feeder": "a feeder", "branch": "a branch"}
ARC_ENERGY_FROM_A = 1200.0
"""Minimum device rating for arc energy reduction by 240.87."""
_GFCI_TO_V, _GFCI_TO_A = 150.0, {1: 50.0, 3: 100.0}


def ground_fault_check(
    subject: str,
    v_ll: float,
    rating_a: float,
    location: str,
    edition: str,
    *,
    solidly_grounded_wye: bool = True,
    provided: bool | None = None,
    upstream: str = "",
) -> Check:
    """Return whether ground-fault protection of equipment is required, and provided.

    Required for a solidly grounded wye above 150 V to ground and up to the voltage limit of the
    edition (600 V in 2017, 1000 V in 2023), at 1000 A and above.

    v_ll: Line-to-line voltage [V].
    rating_a: Largest fuse, or highest adjustable trip setting of the device [A].
    location: ``"service"``, ``"feeder"``, ``"branch"``; otherwise an individual disconnect.
    solidly_grounded_wye: Whether the system is a solidly grounded wye.
    provided: Whether ground-fault protection is provided; None = not specified (advice).
    upstream: Circuits with ground-fault protection on the supply side of a feeder, and on the load
        side of any transformer: an exception of 215.10. Empty if none.
    """
    source = article(f"ground fault at {_GFP_AT.get(location, 'a disconnect')}", edition)
    rule = RULES["NEC-GFP"].by(source)
    if provided is None:
        rule = replace(rule, severity=Severity.ADVICE)
    words = f"{v_ll:.0f} V, {v_ll / 3.0**0.5:.0f} V to ground, {rating_a:,.0f} A"
    exempt = ground_fault_exemption(v_ll, rating_a, location, edition, solidly_grounded_wye)
    if exempt:
        return rule.verdict(subject, True, f"{exempt}: {words}")
    if v_ll > min(_GFP_TO_V.values()) and (edition not in _GFP_TO_V or location != "feeder"):
        return rule.not_evaluated(
            subject, f"the voltage limit of {source.locator} in {edition} was not read: {words}"
        )
    if upstream:
        why = (
            f"not required ({words}): provided upstream at {upstream}; exception of"
            f" {source.locator}"
        )
        return rule.verdict(subject, True, why)
    stated = {None: "not specified", True: "provided", False: "missing"}[provided]
    return rule.verdict(subject, provided is True, f"required ({words}); {stated}")


def ground_fault_exemption(
    v_ll: float, rating_a: float, location: str, edition: str, solidly_grounded_wye: bool
) -> str:
    """Return why no ground-fault protection of equipment is required; empty if required.

    Arguments as in `ground_fault_check`. An unverified voltage limit exempts nothing.
    """
    if not solidly_grounded_wye:
        return "not required, the neutral is not solidly grounded"
    if v_ll / 3.0**0.5 <= _GFP_ABOVE_V or rating_a < _GFP_FROM_A:
        return "not required"
    max_v = max(_GFP_TO_V.values())
    if location == "feeder":
        max_v = _GFP_TO_V.get(edition, max_v)
    return f"not required above {max_v:.0f} V" if v_ll > max_v else ""


def arc_energy_check(
    subject: str, rating_a: float, edition: str, fuse: bool = False, method: str = ""
) -> Check:
    """Return the advice on arc energy reduction of a device rated or set to 1200 A or more.

    rating_a: Rating, or highest adjustable continuous setting [A].
    fuse: Whether it is a fuse (240.67) or a circuit-breaker (240.87).
    method: Reduction method; empty if none.
    """
    source = article(f"arc energy of a {'fuse' if fuse else 'breaker'}", edition)
    needed = rating_a >= ARC_ENERGY_FROM_A
    why = "required" if needed else "not required below 1200 A"
    why = f"{rating_a:,.0f} A: a means to reduce the clearing time is {why}"
    why += f"; by {method}" if needed and method else ""
    return RULES["NEC-ARC-ENERGY"].by(source).verdict(subject, not needed or bool(method), why)


def fault_marking_advice(
    subject: str, fault_a: float | None, edition: str, service: bool = False
) -> Check:
    """Return the advice to mark service equipment with available fault current and date.

    `service`: whether it is the service equipment; downstream of a transformer it may be.
    """
    rule = RULES["NEC-FAULT-MARKING"].by(article("marked fault current", edition))
    if fault_a is None:
        return rule.not_evaluated(subject, "the available fault current is not known")
    return rule.verdict(
        subject,
        False,
        f"{'' if service else 'where it is the '}service equipment: mark {fault_a / 1e3:.1f} kA"
        " and the calculation date",
    )


def gfci_check(
    subject: str,
    v_ln: float,
    phases: int,
    rating_a: float,
    edition: str,
    listed_location: bool = False,
) -> Check:
    """Return whether a receptacle requires ground-fault circuit-interrupter protection, 210.8(B).

    v_ln: Voltage to ground [V].
    listed_location: Whether it is at a listed location: outdoors, roof, kitchen, wet indoors,
        within 6 ft of a sink. A white space is not a listed location.
    """
    rule = RULES["NEC-GFCI"].by(article("GFCI", edition))
    words = f"{v_ln:.0f} V to ground, {phases}-phase, {rating_a:,.0f} A"
    if v_ln > _GFCI_TO_V or rating_a > _GFCI_TO_A[phases]:
        return rule.verdict(subject, True, f"outside the scope: {words}")
    if not listed_location:
        return rule.verdict(subject, True, f"not at a listed location: {words}")
    return rule.verdict(subject, False, f"required at this location: {words}")


def transfer_rating_check(
    subject: str, rating_a: float, continuous_a: float, other_a: float, factor: float, edition: str
) -> Check:
    """Return the check of the continuous rating of an ATS or STS.

    rating_a: Continuous rating [A].
    continuous_a, other_a: Load [A].
    factor: Continuous-load factor: 1 for a switch listed for 100 %, otherwise 1.25.
    """
    needed_a = float(required_rating.si(continuous_a, other_a, factor))
    title = f"Transfer switch rating vs. load, {factor:g} x continuous load"
    rule = replace(RULES["NEC-TRANSFER-RATING"], title=title).by(
        article("transfer switch", edition)
    )
    return rule.at_least(subject, rating_a, needed_a, "current")


def panelboard_protection_check(
    subject: str,
    bus_a: float,
    device_a: float,
    edition: str,
    downstream_wye_transformer: bool = False,
) -> Check:
    """Return the check of the panelboard protection rating, 408.36.

    bus_a: Bus rating [A].
    device_a: Rating of the protective device: main or feeder device [A].
    downstream_wye_transformer: Whether `device_a` is on the primary of a transformer with a wye
        secondary, where it does not protect the panelboard.
    """
    rule = RULES["NEC-PANELBOARD"].by(article("panel main", edition))
    if downstream_wye_transformer:
        words = "a primary device does not protect a panelboard on a wye secondary"
        return rule.verdict(subject, False, words)
    return rule.at_most(subject, device_a, bus_a, "current")


def room_advice(subject: str, edition: str) -> tuple[Check, ...]:
    """Return the advice on disconnecting means and grounding of an IT room, Article 645."""
    advice = {
        "645.10": "if the room uses Article 645: means to disconnect IT equipment and its HVAC,"
        " grouped and marked, and fire/smoke dampers that close; critical operations under"
        " 645.10(B) may omit the remote control. A room wired by Chapters 1 to 4 needs none",
        "645.11": "UPS supply and output within the same disconnecting means, except up to 750 VA",
        "645.15": "exposed metal parts of IT equipment bonded to the equipment grounding conductor",
    }
    rule = RULES["NEC-IT-ROOM"]
    return tuple(
        rule.by(Source("nec-645", clause, edition)).verdict(f"{subject}, {clause}", False, words)
        for clause, words in advice.items()
    )
