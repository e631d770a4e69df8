"""NEC rules for transformers of the network: 450.3, and secondary conductors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from facility.catalogue.articles import article
from facility.core.check import Check, Rule, Severity
from facility.core.kinds import KINDS
from facility.core.rounding import argmax_within_rounding, within
from facility.core.sources import Source
from facility.physics.circuits.conductors import tap_ampacity
from facility.physics.circuits.currents import three_phase_current
from facility.power.feeders.mains import (
    BY_PRACTICE,
    FULL,
    largest_main,
    next_rating,
    rated_current,
    units_va,
)
from facility.power.feeders.nec.transformer import protect_transformer, transformer_checks
from facility.power.feeders.schedule import Feeder
from facility.power.network.graph.types import Equipment, Network
from facility.power.rules import RULES

_FOOT_M = KINDS["length"].units["ft"][0]


@dataclass(frozen=True)
class _TapRule:
    clause: str
    feet: float
    ratio: float
    above_load: bool


_SECONDARIES = (
    _TapRule("240.21(C)(2)", 10.0, 0.1, True),
    _TapRule("240.21(C)(6)", 25.0, 1 / 3, False),
)


def secondary_checks(  # noqa: PLR0913 - data required by the article
    subject: str,
    ampacity_a: float,
    load_a: float,
    end_device_a: float,
    primary_ocpd_a: float,
    length_m: float,
    edition: str,
    primary_v: float,
    secondary_v: float,
) -> tuple[Check, ...]:
    """Return the checks of transformer secondary conductors by the 10 ft or the 25 ft rule.

    The primary device does not protect the secondary conductors of a delta-wye transformer, and
    the next standard rating above their ampacity is not permitted.

    ampacity_a: Ampacity of the secondary conductors [A].
    load_a: Calculated load, continuous load with its factor [A].
    end_device_a: Rating of the device at their load end [A].
    primary_ocpd_a: Rating of the primary overcurrent device [A].
    length_m: One-way length [m].
    primary_v, secondary_v: Line-to-line voltages [V].
    """
    long_enough = (r for r in _SECONDARIES if within(length_m, r.feet * _FOOT_M))
    chosen = next(long_enough, _SECONDARIES[-1])
    source = Source("nec-240-21", chosen.clause, edition)
    ratio_a = float(tap_ampacity.si(primary_ocpd_a, chosen.ratio, primary_v, secondary_v))

    max_m = chosen.feet * _FOOT_M

    def by_feet(rule: Rule) -> Rule:
        return replace(rule.by(source), title=f"{rule.title} ({chosen.feet:.0f} ft rule)")

    def found() -> Iterator[Check]:
        yield by_feet(RULES["NEC-TAP-LENGTH"]).at_most(subject, length_m, max_m, "length")
        for rule, min_a in (
            (RULES["NEC-TAP-RATIO"], ratio_a),
            (RULES["NEC-TAP-DEVICE"], end_device_a),
            *([(RULES["NEC-TAP-LOAD"], load_a)] if chosen.above_load else []),
        ):
            yield by_feet(rule).at_least(subject, ampacity_a, min_a, "current")

    return tuple(found())


_SHORT_FT = 25.0
_INRUSH = 10.0
_TRIP = 10.0


def transformer_rules(
    feeders: Iterable[Feeder], network: Network, edition: str, outdoors: bool
) -> tuple[Check, ...]:
    """Return the checks of PDU transformer devices and secondary conductors.

    outdoors: Whether MV/LV secondary conductors run outdoors up to the point of entrance.

    PDU transformers are checked individually, identical devices once. The devices on the MV side
    are relays or fuses that are not selected here, so 450.3(A) is not evaluated.
    """
    primary: dict[str, Feeder] = {}
    secondary: dict[str, list[Feeder]] = {}
    for feeder in feeders:
        if feeder.choice is not None:
            primary[feeder.circuit.target] = feeder
            secondary.setdefault(feeder.circuit.source, []).append(feeder)
    found: dict[tuple[object, ...], tuple[Check, ...]] = {}
    for one in network.equipment:
        downstream = secondary.get(one.tag, [])
        if one.kind == "pdu" and one.tag in primary and downstream:
            devices = (_ocpd(primary[one.tag]), *sorted(_ocpd(f) for f in downstream))
            if devices not in found:
                found[devices] = tuple(_pdu(one, primary[one.tag], downstream, edition))
        elif one.kind == "transformer" and downstream:
            key = ("transformer", downstream[0].group)
            found.setdefault(key, (_length(downstream[0], edition, outdoors),))
    return tuple(check for checks in found.values() for check in checks)


def inrush_checks(feeders: Iterable[Feeder], network: Network) -> Iterator[Check]:
    """Yield, for each type of PDU feeder, whether its device rides through the inrush."""
    for feeder in feeders:
        circuit, choice = feeder.circuit, feeder.choice
        if choice is None or circuit.tag != feeder.heaviest or circuit.stage != "pdu":
            continue
        rating_va = network[circuit.target].rating_va
        if rating_va is not None:
            rated_a = float(three_phase_current.si(rating_va, circuit.voltage_v))
            yield RULES["PDU-INRUSH"].at_most(
                circuit.tag,
                _INRUSH * rated_a,
                _TRIP * choice.ocpd_a,
                "current",
                f"{_INRUSH:g} x {rated_a:,.0f} A inrush; {choice.ocpd_a:,g} A device with its trip"
                f" at {_TRIP:g} x rating",
            )


def transformer_device_checks(
    feeders: Iterable[Feeder], network: Network, code: str, edition: str
) -> Iterator[Check]:
    """Yield, for each transformer and set of devices, the check of rating vs. devices.

    MV/LV transformers by the main on their secondary: 450.3(A) in a supervised location under the
    NEC, 125 % or the next standard rating under the IEC. PDU transformers under the IEC by the
    upstream device or, if larger, by the sum of the downstream devices; under the NEC by
    `transformer_rules`.

    code, edition: Code, and the edition of the NEC.
    """
    upstream: dict[str, Feeder] = {}
    downstream: dict[str, list[Feeder]] = {}
    for feeder in feeders:
        upstream[feeder.circuit.target] = feeder
        if feeder.choice is not None:
            downstream.setdefault(feeder.circuit.source, []).append(feeder)
    seen: set[tuple[object, ...]] = set()
    for one in network.equipment:
        own = downstream.get(one.tag, [])
        key = (one.kind, one.rating_va, len(one.unit_tags), *sorted(_ocpd(f) for f in own))
        if not own or one.rating_va is None or key in seen:
            continue
        if one.kind == "pdu" and code == "IEC":
            seen.add(key)
            yield _iec_pdu(one, upstream[one.tag], own)
        elif one.kind == "transformer" and own[0].circuit.stage in ("transformer", "board"):
            seen.add(key)
            yield _main(one, upstream[one.tag], max(own, key=_ocpd), code, edition)


def _rated(one: Equipment, voltage_v: float) -> float:
    """Return the current of all units of a transformer at a voltage [A]."""
    return float(three_phase_current.si(units_va(one), voltage_v))


def _words(one: Equipment, rated_a: float, device_a: float, where: str, runs: int = 1) -> str:
    units = len(one.unit_tags) // runs
    name = f"{float(one.rating_va or 0.0) / 1e3:,.0f} kVA" + (f" x {units}" if units > 1 else "")
    return f"{name}, {rated_a:,.0f} A; {where} {device_a:,.0f} A"


def _device_rule(source: Source) -> Rule:
    """Return the rule: a violation of a clause, or a warning based on practice only."""
    rule = RULES["TRANSFORMER-DEVICE"].by(source)
    return replace(rule, severity=Severity.WARNING) if source is BY_PRACTICE else rule


def _iec_pdu(one: Equipment, upstream: Feeder, downstream: list[Feeder]) -> Check:
    first_a = _ocpd(upstream) if upstream.choice is not None else 0.0
    rated_a = _rated(one, upstream.circuit.voltage_v)
    total_a, second_a = sum(_ocpd(f) for f in downstream), _rated(one, one.voltage_v)
    limit_a, second_limit_a = next_rating(FULL * rated_a), next_rating(FULL * second_a)
    rule = _device_rule(BY_PRACTICE)
    if first_a > limit_a and total_a <= second_limit_a:
        why = _words(one, second_a, total_a, "downstream devices, total,")
        return rule.at_most(one.tag, total_a, second_limit_a, "current", why)
    why = _words(one, rated_a, first_a, f"device of {upstream.circuit.tag}")
    return rule.at_most(one.tag, first_a, limit_a, "current", why)


def _main(one: Equipment, upstream: Feeder, main: Feeder, code: str, edition: str) -> Check:
    runs = main.circuit.runs
    rated_a = rated_current(one, runs)
    limit_a, source = largest_main(one, runs, upstream.circuit.voltage_v, code, edition)
    why = _words(one, rated_a, _ocpd(main), f"device of {main.circuit.tag}", runs)
    return _device_rule(source).at_most(one.tag, _ocpd(main), limit_a, "current", why)


def _ocpd(feeder: Feeder) -> float:
    assert feeder.choice is not None
    return feeder.choice.ocpd_a


def _pdu(
    one: Equipment, upstream: Feeder, downstream: list[Feeder], edition: str
) -> Iterator[Check]:
    """Yield the checks of a PDU transformer: its devices, then its secondary conductors.

    A primary device within the limit of primary-only protection requires no secondary device;
    several secondary devices count with the sum of their ratings.
    """
    rating_va = float(one.rating_va or 0.0)
    voltages = upstream.circuit.voltage_v, one.voltage_v
    alone = protect_transformer(rating_va, *voltages, edition, secondary_device=False)
    if _ocpd(upstream) <= float(alone.primary_ocpd_a or 0.0):
        yield from transformer_checks(one.tag, alone, _ocpd(upstream), None, edition)
    else:
        both = protect_transformer(rating_va, *voltages, edition)
        total_a = sum(_ocpd(feeder) for feeder in downstream)
        yield from transformer_checks(one.tag, both, _ocpd(upstream), total_a, edition)
    heaviest = downstream[argmax_within_rounding([feeder.worst_a for feeder in downstream])]
    choice, length_m = heaviest.choice, heaviest.length_m
    assert choice is not None
    assert length_m is not None
    if length_m > _SHORT_FT * _FOOT_M:
        yield _length(heaviest, edition)
        return
    yield from secondary_checks(
        heaviest.circuit.tag,
        choice.ampacity_a,
        choice.required_a,
        choice.ocpd_a,
        _ocpd(upstream),
        length_m,
        edition,
        *voltages,
    )


def _length(feeder: Feeder, edition: str, outdoors: bool = False) -> Check:
    """Return the check of secondary conductors with a device only at their load end.

    At most 25 ft inside a building; no maximum outdoors up to the point of entrance.
    """
    pdu = feeder.circuit.stage == "feeder"
    length_m = float(feeder.length_m or 0.0)
    way = " of the PDU" if pdu else ", run them outdoors (power.conductors.transformer_location)"
    field = "panel_length" if pdu else "transformer_length"
    rule = RULES["NEC-SECONDARY-LENGTH"].by(article("transformer secondary", edition))
    if outdoors:
        words = (
            f"{length_m:.1f} m outdoors up to the point of entrance"
            " (power.conductors.transformer_location): no maximum"
        )
        rule = rule.by(Source("nec-240-21", "240.21(C)(4)", edition))
    else:
        words = (
            f"{length_m:.1f} m; maximum 25 ft (7.6 m) inside a building without a device at the "
            "transformer secondary"
        )
    return rule.verdict(
        feeder.circuit.tag,
        outdoors or within(length_m, _SHORT_FT * _FOOT_M),
        words,
        f"Install a main at the secondary{way}, or shorten the conductors"
        f" (power.conductors.{field}).",
    )
