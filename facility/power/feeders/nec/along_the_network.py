"""NEC rules of the network outside conductor selection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from facility.catalogue.articles import article
from facility.core.check import Check
from facility.core.sources import Source
from facility.model.facility import Criteria
from facility.model.power.conductors import ConductorBasis
from facility.power.feeders.busway import busway_withstand
from facility.power.feeders.let_through import protection
from facility.power.feeders.nec.checks import grounding_withstand, withstand_checks
from facility.power.feeders.nec.equipment import (
    arc_energy_check,
    fault_marking_advice,
    gfci_check,
    ground_fault_check,
    panelboard_protection_check,
    room_advice,
)
from facility.power.feeders.nec.grounding import bonding_jumper, grounding_electrode
from facility.power.feeders.schedule import Feeder, max_upstream_fault
from facility.power.feeders.types import ConductorChoice
from facility.power.panels.design.halls import PanelSet
from facility.power.rules import RULES

_RESISTOR_GROUNDING = replace(
    RULES["NEC-GROUNDING"],
    title="Grounding electrode conductor of a resistance-grounded neutral",
    source=Source("nec-250-36", "250.36: recalled", verified="memory"),
    remedy="Show resistor, detector and neutral grounding conductor on the grounding plan.",
)
_SERVICE_CLAUSES = "250.24, 250.28(D), 250.66, 250.102(C)(1)"
_MAX_DISCONNECTS = 6


def nec_rules(
    feeders: Iterable[Feeder],
    panels: PanelSet,
    available_a: Mapping[str, float],
    earth_a: Mapping[str, float],
    basis: ConductorBasis,
    criteria: Criteria,
    grounding_a: float | None = None,
) -> tuple[Check, ...]:
    """Return ground-fault protection, arc energy, withstand, marking and room rules.

    Each circuit group is checked once, at its most loaded circuit.

    panels: Panelboards, identical except for their circuits.
    available_a: Maximum fault current by equipment tag, if known [A].
    earth_a: Maximum line-to-ground fault current by equipment tag, if known [A].
    basis: Insulation.
    grounding_a: Neutral current of the LV boards in a ground fault [A]; None if solidly grounded.
    """
    edition = criteria.edition
    feeders = tuple(feeders)
    upstream_a, upstream_earth_a = (
        max_upstream_fault(feeders, available_a),
        max_upstream_fault(feeders, earth_a),
    )
    found: list[Check] = [*_of_service(feeders, edition)]
    for feeder in feeders:
        if feeder.choice is not None and feeder.circuit.tag == feeder.heaviest:
            faults_a = upstream_a.get(feeder.group), upstream_earth_a.get(feeder.group)
            found += _of_feeder(feeder, faults_a, available_a, basis, edition, grounding_a)
    found += _of_panels(panels, edition)
    halls = dict.fromkeys(panel.hall for panel in panels.panels)
    found += [check for hall in halls for check in room_advice(hall, edition)]
    return tuple(found)


def _of_feeder(
    feeder: Feeder, faults_a: tuple[float | None, float | None], available_a: Mapping[str, float],
    basis: ConductorBasis, edition: str, grounding_a: float | None,
) -> Iterator[Check]:  # fmt: skip
    circuit, choice, (fault_a, earth_a) = feeder.circuit, feeder.choice, faults_a
    assert choice is not None
    if circuit.stage == "branch":
        yield gfci_check(
            circuit.tag, circuit.voltage_v / 3.0**0.5, 3 if circuit.poles == 3 else 1,
            choice.ocpd_a, edition,
        )  # fmt: skip
    else:
        trip = feeder.trip
        assert trip is not None
        location = "service" if circuit.stage == "service" else "feeder"
        yield ground_fault_check(
            circuit.tag, circuit.voltage_v, choice.ocpd_a, location, edition,
            solidly_grounded_wye=grounding_a is None or circuit.stage == "feeder",
            provided=trip.ground_fault, upstream=trip.ground_fault_upstream,
        )  # fmt: skip
        yield arc_energy_check(circuit.tag, choice.ocpd_a, edition, method=trip.arc_energy)
    if circuit.stage in ("transformer", "service"):
        service = circuit.stage == "service"
        yield fault_marking_advice(
            circuit.target, available_a.get(circuit.target), edition, service
        )
        yield _grounding(circuit.tag, choice, edition, service, grounding_a)
    if choice.is_busway:
        yield busway_withstand(circuit.tag, choice, fault_a, feeder.clearing_s)
        return
    if circuit.stage == "service":
        rule = RULES["NEC-WITHSTAND"].by(Source("nec-110-9", "110.10", edition))
        yield rule.not_evaluated(circuit.tag, "only a utility device is upstream")
        return
    device = feeder.clearing, choice.ocpd_a, fault_a, circuit.voltage_v
    of_line, of_earth = protection(*device), protection(*device, earth_a)
    of_insulation = basis.insulation_c, edition
    yield from withstand_checks(circuit.tag, choice, fault_a, of_line, *of_insulation)
    if circuit.stage not in ("transformer", "set"):
        yield grounding_withstand(circuit.tag, choice, earth_a, of_earth, *of_insulation)


def _grounding(
    tag: str, choice: ConductorChoice, edition: str, service: bool, grounding_a: float | None
) -> Check:
    """Return grounding electrode conductor and bonding jumper sizes as advice."""
    if grounding_a is not None:
        why = (
            f"separately derived system through a {grounding_a:,g} A resistor: conductor from"
            " neutral to resistor at least 8 AWG copper, no system bonding jumper at the board,"
            " 250.36"
        )
        source = replace(_RESISTOR_GROUNDING.source, edition=edition)
        return _RESISTOR_GROUNDING.by(source).verdict(tag, False, why)
    clauses = _SERVICE_CLAUSES if service else RULES["NEC-GROUNDING"].source.locator
    source = replace(RULES["NEC-GROUNDING"].source, locator=clauses, edition=edition)
    rule = RULES["NEC-GROUNDING"].by(source)
    system = "service" if service else "separately derived system"
    if choice.is_busway:
        why = (
            f"{system} fed by a busway: grounding electrode conductor 3/0 AWG copper, the last"
            " row of 250.66; bonding jumper by the busway manufacturer"
        )
        return rule.verdict(tag, False, why)
    line_m2 = choice.area_m2 * choice.sets
    electrode = grounding_electrode(line_m2, choice.material)
    jumper = bonding_jumper(line_m2, choice.material, tag)
    return rule.verdict(
        tag,
        False,
        f"{system}: grounding electrode conductor {electrode.label}, copper,"
        f" {'main' if service else 'system'} bonding jumper {jumper.label}, by the line conductors"
        f" of all sets together; supply-side bonding jumper {choice.egc_size} in each raceway"
        + (f", grounded conductor {choice.neutral_size} in each" if service else ""),
    )


def _of_service(feeders: Iterable[Feeder], edition: str) -> Iterator[Check]:
    """Yield the requirements of a low-voltage service, once for all its circuits."""
    mains = [one for one in feeders if one.circuit.stage == "service"]
    if not mains:
        return
    subject = mains[0].circuit.source
    total_a = sum(one.choice.ocpd_a for one in mains if one.choice is not None)
    yield RULES["NEC-SERVICE-DISCONNECTS"].by(article("service disconnects", edition)).at_most(
        subject, len(mains), _MAX_DISCONNECTS, "count",
        f"{len(mains)} of {total_a:,.0f} A together; from the 2020 edition each in a separate"
        " enclosure or compartment, grouped and marked, 230.72",
    )  # fmt: skip
    rule = RULES["NEC-SERVICE"]
    yield rule.by(replace(rule.source, edition=edition)).not_evaluated(
        subject,
        "not modeled: wiring method, location and listing of the service equipment, grounding"
        " electrode system, metering; the device at the end of each circuit is its disconnect",
    )


def _of_panels(panels: PanelSet, edition: str) -> Iterator[Check]:
    basis = panels.basis
    tags = [panel.tag for panel in panels.panels]
    if not tags:
        return
    subject = tags[0] if len(tags) == 1 else f"{tags[0]} to {tags[-1]} ({len(tags)} similar)"
    yield panelboard_protection_check(subject, basis.bus_a, basis.main_a, edition)
