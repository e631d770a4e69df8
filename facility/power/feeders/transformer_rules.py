"""Rules of the NEC on transformers along the network: 450.3, and their secondary conductors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from facility.core.check import Check, Rule, Severity
from facility.core.kinds import KINDS
from facility.core.sources import Source
from facility.physics.circuits import three_phase_current
from facility.power.feeders.nec_taps import secondary_checks
from facility.power.feeders.nec_transformer import protect_transformer, transformer_checks
from facility.power.feeders.schedule import Feeder
from facility.power.network.types import Equipment, Network

_FOOT_M = KINDS["length"].units["ft"][0]
_SHORT_FT = 25.0
_INRUSH = 10.0
_TRIP = 10.0
_INRUSH_RULE = Rule(
    "PDU-INRUSH", "Primary device of a PDU transformer rides its inrush", Severity.WARNING,
    Source("planning-value", "8 to 12 times the rated current for 0.1 s; trip at 10 times the"
    " rating of the device; recalled, not read", verified="memory"),
    "Use a larger device, up to what 450.3(B) permits, or a transformer of low inrush.",
)  # fmt: skip


def transformer_rules(
    feeders: Iterable[Feeder], network: Network, edition: str
) -> tuple[Check, ...]:
    """Return the checks of the devices around PDU transformers and of secondary conductors.

    PDU transformers are judged one by one, those of equal devices once. The devices on the MV side
    are relays or fuses that nobody has chosen, so 450.3(A) is not evaluated here.

    Parameters
    ----------
    feeders : iterable of Feeder
        All circuits.
    network : Network
        The equipment.
    edition : str
        Edition of the NEC.
    """
    primary: dict[str, Feeder] = {}
    secondary: dict[str, list[Feeder]] = {}
    for feeder in feeders:
        if feeder.choice is not None:
            primary[feeder.circuit.target] = feeder
            secondary.setdefault(feeder.circuit.source, []).append(feeder)
    found: dict[tuple[object, ...], tuple[Check, ...]] = {}
    for one in network.equipment:
        behind = secondary.get(one.tag, [])
        if one.kind == "pdu" and one.tag in primary and behind:
            devices = (_ocpd(primary[one.tag]), *sorted(_ocpd(f) for f in behind))
            if devices not in found:
                found[devices] = tuple(_pdu(one, primary[one.tag], behind, edition))
        elif one.kind == "transformer" and behind:
            key = ("transformer", behind[0].alike)
            found.setdefault(key, (_length(behind[0], edition),))
    return tuple(check for checks in found.values() for check in checks)


def inrush_checks(feeders: Iterable[Feeder], network: Network) -> Iterator[Check]:
    """Yield, for each sort of PDU feeder, whether its device rides the inrush.

    Parameters
    ----------
    feeders : iterable of Feeder
        All circuits.
    network : Network
        The equipment.
    """
    for feeder in feeders:
        circuit, choice = feeder.circuit, feeder.choice
        if choice is None or circuit.tag != feeder.heaviest or circuit.stage != "pdu":
            continue
        rating_va = network[circuit.target].rating_va
        if rating_va is not None:
            rated_a = float(three_phase_current.si(rating_va, circuit.voltage_v))
            yield _INRUSH_RULE.compare(
                circuit.tag, _INRUSH * rated_a, "<=", _TRIP * choice.ocpd_a, "current",
                f"{_INRUSH:g} times {rated_a:.0f} A on a device of {choice.ocpd_a:g} A that trips"
                f" at {_TRIP:g} times its rating",
            )  # fmt: skip


def _ocpd(feeder: Feeder) -> float:
    assert feeder.choice is not None
    return feeder.choice.ocpd_a


def _pdu(one: Equipment, ahead: Feeder, behind: list[Feeder], edition: str) -> Iterator[Check]:
    """Yield the checks of a PDU transformer: its devices, then its secondary conductors.

    A primary device within the limit of primary-only protection needs none on the secondary;
    several devices on the secondary count with the sum of their ratings.
    """
    rating_va = float(one.rating_va or 0.0)
    voltages = ahead.circuit.voltage_v, one.voltage_v
    alone = protect_transformer(rating_va, *voltages, edition, secondary_device=False)
    if _ocpd(ahead) <= float(alone.primary_ocpd_a or 0.0):
        yield from transformer_checks(one.tag, alone, _ocpd(ahead), None, edition)
    else:
        both = protect_transformer(rating_va, *voltages, edition)
        total_a = sum(_ocpd(feeder) for feeder in behind)
        yield from transformer_checks(one.tag, both, _ocpd(ahead), total_a, edition)
    heaviest = max(behind, key=lambda feeder: feeder.worst_a)
    choice, length_m = heaviest.choice, heaviest.length_m
    assert choice is not None
    assert length_m is not None
    if length_m > _SHORT_FT * _FOOT_M:
        yield _length(heaviest, edition)
        return
    yield from secondary_checks(
        heaviest.circuit.tag, choice.ampacity_a, choice.required_a, choice.ocpd_a, _ocpd(ahead),
        length_m, edition, *voltages,
    )  # fmt: skip


def _length(feeder: Feeder, edition: str) -> Check:
    """Return the advice on secondary conductors that are longer than the 25 ft rule allows."""
    pdu = feeder.circuit.stage == "feeder"
    length_m = float(feeder.length_m or 0.0)
    rule = Rule(
        "NEC-SECONDARY-LENGTH", "Transformer secondary conductors without a device at their start",
        Severity.ADVICE, Source("nec-240-21", "240.21(C)", edition),
        "Put a main at the secondary" + (" of the PDU" if pdu else ", or run them outdoors")
        + ", or shorten them.",
    )  # fmt: skip
    return rule.verdict(
        feeder.circuit.tag, length_m <= _SHORT_FT * _FOOT_M * (1.0 + 1e-9),
        f"{length_m:.1f} m; inside a building at most 25 ft (7.6 m) without a device at the"
        " secondary of the transformer",
    )  # fmt: skip
