"""Rack PDUs once more: from the supplies of each rack to the load of inlet, banks and phases.

A rack PDU carries what its circuit carries in the worst state; the supplies of a phase, or between
two lines, are spread evenly over the outlet banks there.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from io import StringIO
from types import SimpleNamespace
from typing import Any

import numpy as np

from facility.catalogue.loader import using
from facility.catalogue.own import with_own_rows
from facility.core.check import Check
from facility.core.trace import Trace
from facility.model.it import ItPlan
from facility.model.power.hall_distribution import PanelBasis
from facility.power.panels.design.groups import rack_names
from facility.power.panels.design.halls import build_panels
from facility.power.panels.design.rack_pdu_checks import rack_pdu_checks
from facility.study.verification.power.panel_cases import NEC
from tests.power.panels.helpers import DGX, SIX_SUPPLIES, frame, plan, rack
from tests.results.power.panels import SQRT3, RackLegs, line_currents, panels_of_the_halls
from tests.results.second import REFERENCE, differs

_HEAD = (
    "vendor,model,name,rating_kva,rated_a,continuous_derated_a,voltage_v,phases,outlets,banks,"
    "bank_breaker_a"
)
OWN = (
    "Own,PDU of three banks,PDU of three banks,57.5,100,80,415,3,C19,3,20",
    "Own,PDU of six banks,PDU of six banks,17.3,60,48,208,3,C19,6,20",
    "Own,PDU of four banks,PDU of four banks,12.5,60,48,208,1,C19,4,20",
    "Own,PDU without derating,PDU without derating,43.6,63,63,400,3,C19,9,16",
)
"""Rack PDUs of a catalogue of the project: three phases or one, with outlet banks."""
_TWO = replace(DGX, psu=replace(SIX_SUPPLIES, count=2, needed=1, rating_w=9000.0))
_LEAN = replace(DGX, model="lean", maximum_w=4300.0, psu=replace(SIX_SUPPLIES, power_factor=0.91))
RACKS: Mapping[str, tuple[str, str, Mapping[str, Any], Mapping[str, Any]]] = {
    "banks on phases": ("PDU of three banks", "415Y/240", {"feeds": "AB", "devices": 2}, {}),
    "banks between lines": (
        "PDU of six banks",
        "208Y/120",
        {"feeds": "A", "devices": 1, "device": _LEAN},
        {},
    ),
    "banks between lines, three feeds": (
        "PDU of six banks",
        "208Y/120",
        {"feeds": "ABC", "devices": 2, "device": _TWO, "whips": 2, "breaker_a": 45.0},
        {},
    ),
    "one phase, between two lines": (
        "PDU of four banks",
        "208Y/120",
        {"feeds": "AB", "devices": 1, "device": _LEAN, "poles": 2, "breaker_a": None},
        {},
    ),
    "one phase, to neutral": (
        "PDU of four banks",
        "415Y/240",
        {"feeds": "AB", "devices": 1, "device": _LEAN, "poles": 1, "breaker_a": 30.0},
        {},
    ),
    "no banks known": ("NA 415 V 3ph 60 A", "415Y/240", {"feeds": "ABC", "devices": 3}, {}),
    "not derated": ("PDU without derating", "400Y/230", {"feeds": "AB", "device": _TWO}, {}),
}
"""Model, voltage system, racks of one kind, and basis of their panels."""


def plan_of(name: str) -> tuple[ItPlan, PanelBasis]:
    """Return racks with a rack PDU on each circuit, and the basis of their panels."""
    model, system, of_rack, of_frame = RACKS[name]
    made = rack(2, **of_rack)
    circuits = tuple(replace(one, rack_pdu=model) for one in made.circuits)
    basis = frame(system, of_rack["feeds"], **of_frame)
    return plan(replace(made, circuits=circuits), pdu_loss=0.01, demand_factor=0.95), basis


def checks_of(name: str) -> tuple[Any, tuple[Check, ...]]:
    """Return the panels of racks with rack PDUs, as a design has them, and the checks of these."""
    it, basis = plan_of(name)
    with using(with_own_rows((("equipment/rack_pdus", (_HEAD, *OWN)),))):
        panels = build_panels(it, basis, NEC, Trace())
        checks = tuple(rack_pdu_checks(panels))
    return SimpleNamespace(facility=SimpleNamespace(it=it), panels=panels), checks


def circuits_with_a_supply_lost() -> Iterator[str]:
    """Every circuit in every state: its largest current, and the fullest breaker of a panel.

    States that the loss of a feed covers are left out; no circuit may carry more in one of them.
    """
    for name in RACKS:
        found, _ = checks_of(name)
        panels, kinds = found.panels, dict(rack_names(found.facility.it))
        racks = [RackLegs(one, found) for one in found.facility.it.racks]
        supplies = sum(len(one.supplies) * one.count for one in found.facility.it.racks)
        yield from differs(f"{name}: supplies", panels.supplies, supplies)
        yield from panels_of_the_halls(found)
        for panel, lost in zip(panels.panels, panels.lost, strict=True):
            fullest = 0.0
            for number, circuit in enumerate(panel.circuits):
                legs, to_neutral = racks[kinds[circuit.rack]], circuit.connection == "L-N"
                own = legs.number(circuit)

                of_feeds, of_supplies = (
                    max(
                        float(np.abs(line_currents(one[own], 0, to_neutral, panel.v_ll)[:3]).max())
                        for one in states
                    )
                    for states in (legs.by_state, legs.by_supply)
                )
                shown = lost.circuit_a[number] if lost is not None else 0.0
                at = f"{name}: {circuit.id} of {panel.tag}"
                yield from differs(at, max(shown, of_feeds), max(of_supplies, of_feeds), 1e-6)
                if shown > 0.0:
                    yield from differs(f"{at}, supply lost", shown, of_supplies, 1e-6)
                    assert circuit.breaker_a is not None
                    fullest = max(fullest, of_supplies / circuit.breaker_a)
            if lost is not None and lost.branch is not None:
                part = lost.branch.current_a / lost.branch.breaker_a
                yield from differs(f"{name}: fullest breaker of {panel.tag}", part, fullest, 1e-6)


def _rows() -> dict[str, dict[str, str]]:
    known = (REFERENCE / "equipment/rack_pdus.csv").read_text(encoding="utf-8").splitlines()
    tables = (known, [_HEAD, *OWN])
    return {
        row["model"]: row for lines in tables for row in csv.DictReader(StringIO("\n".join(lines)))
    }


def rack_pdus() -> Iterator[str]:
    """Checks of the rack PDUs of every kind."""
    for name in RACKS:
        yield from (f"{name}: {words}" for words in _differences(*checks_of(name)))


def _differences(found: Any, checks: Iterable[Check]) -> Iterator[str]:
    """Ratings, load in the worst state, load of a bank, voltage and phases of each rack PDU."""
    panels, known = found.panels, _rows()
    kinds = dict(rack_names(found.facility.it))
    racks = [RackLegs(rack, found) for rack in found.facility.it.racks]
    worst: dict[tuple[str, int, float], float] = defaultdict(float)
    legs_a: dict[str, float] = defaultdict(float)
    for panel in panels.panels:
        for circuit in panel.circuits:
            if circuit.receptacle not in known or circuit.rack not in kinds:
                continue
            legs, to_neutral = racks[kinds[circuit.rack]], circuit.connection == "L-N"
            number = legs.number(circuit)
            states = [state[number] for state in (*legs.by_state, *legs.by_supply)]
            lines = [line_currents(one, 0, to_neutral, panel.v_ll)[:3] for one in states]
            most_a = float(np.abs(np.array(lines)).max())
            inlet = circuit.receptacle, circuit.poles, circuit.breaker_a or 0.0
            worst[inlet] = max(worst[inlet], most_a)
            volts = panel.v_ll / SQRT3 if to_neutral else panel.v_ll
            leg_a = max(abs(leg) for one in states for leg in one) / volts
            legs_a[circuit.receptacle] = max(legs_a[circuit.receptacle], leg_a)
    wanted: dict[tuple[str, str], tuple[float, float]] = {}
    fits = {}
    for (model, poles, breaker_a), most_a in worst.items():
        row, subject = known[model], f"{model}, {poles}-pole {breaker_a:g} A"
        rated_a, allowed_a = float(row["rated_a"]), float(row["continuous_derated_a"])
        wanted["RACK-PDU-RATING", subject] = breaker_a, rated_a
        wanted["RACK-PDU-LOAD", subject] = most_a, allowed_a
        supplied = panels.basis.v_ll / (SQRT3 if poles == 1 else 1.0)
        near = 0.9 <= supplied / float(row["voltage_v"]) <= 1.1
        fits[subject] = near and (row["phases"] == "3") == (poles == 3)
    for model, leg_a in legs_a.items():
        row = known[model]
        if row["banks"] and row["bank_breaker_a"]:
            each = int(row["banks"]) / int(row["phases"])
            part = float(row["continuous_derated_a"]) / float(row["rated_a"])
            subject = f"{model}, {row['banks']} banks of {float(row['bank_breaker_a']):g} A"
            limit_a = part * float(row["bank_breaker_a"])
            wanted["RACK-PDU-BANK", subject] = leg_a / each, limit_a
    shown = {(c.rule, c.subject): c for c in checks}
    if {key for key in shown if key[0] != "RACK-PDU-VOLTAGE"} != set(wanted):
        yield f"checks of rack PDUs {sorted(shown)}, by hand {sorted(wanted)}"
        return
    for key, (value, limit) in wanted.items():
        name = f"{key[0]} of {key[1]}"
        yield from differs(name, shown[key].value or 0.0, value, 1e-6)
        yield from differs(f"{name}, limit", shown[key].limit or 0.0, limit, 1e-9)
        if shown[key].failed != (value > limit * (1.0 + 1e-9)):
            yield f"{name}: {value!r} of {limit!r}, failed {shown[key].failed}"
    for subject, right in fits.items():
        if shown["RACK-PDU-VOLTAGE", subject].failed == right:
            yield f"voltage of {subject}: fits {right}"
