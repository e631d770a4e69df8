"""Expected values of readings by id: each is read from the design, a check or a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from facility.catalogue import Row, table
from facility.core.check import Check
from facility.core.table import Results
from facility.core.trace import Trace
from facility.physics.machines.ups import ups_loss
from facility.power.backup.fuel import fuel_curve
from facility.power.backup.steps import iso_class
from facility.study.commissioning.model import ExpectedReading
from facility.study.commissioning.subjects import Subject
from facility.study.commissioning.tolerances import Tolerances, source_text
from facility.study.design.design import Design

Found = tuple[float | str | None, str, str, str]
"""Value, kind, unit and origin."""
_UNITS = {
    "%": ("fraction", 0.01),
    "A": ("current", 1.0),
    "h": ("time", 3600.0),
    "kPa": ("pressure", 1000.0),
    "ms": ("time", 0.001),
    "s": ("time", 1.0),
}
"""Kind and SI factor of the units of test values; other units are displayed as they are."""
_NETWORK_KINDS = {"rating_va": "apparent_power", "rating_a": "current", "voltage_v": "line_voltage"}


@dataclass(frozen=True, eq=False)
class ExpectedValues:
    """The sources of expected values of one design."""

    design: Design
    tolerances: Tolerances

    @cached_property
    def results(self) -> Results:
        """Results of the design and of its ride-through study."""
        rides = self.design.ride_through.study
        found = {} if rides is None else rides.results.values_by_key
        return Results(self.design.all_results.values_by_key | found)

    @cached_property
    def trace(self) -> Trace:
        """Steps of the design and its studies."""
        return self.design.full_trace

    @cached_property
    def checks(self) -> dict[str, Check]:
        """The first check of each rule with two numbers."""
        found: dict[str, Check] = {}
        for check in self.design.checks:
            if check.value is not None and check.limit is not None:
                found.setdefault(check.rule, check)
        return found

    def reading(
        self, quantity: str, expected: str, rule: str, missing: str, subject: Subject
    ) -> ExpectedReading:
        """Return the reading of a quantity.

        expected: Result id, or a source and its argument: ``bank 25 input``, ``row column``.
        rule: Tolerance, see `Tolerances.applied`.
        missing: Input that decides the value where it is not known.
        """
        source, _, argument = expected.partition(" ")
        look_up = self._sources.get(source)
        if look_up is None:
            value, kind, unit, origin = self.figure(expected)
        else:
            value, kind, unit, origin = look_up(argument, subject)
        if value is None:
            stated = "the design has no such result" if look_up is None else f"no value in {origin}"
            field = missing or stated
            return ExpectedReading(quantity, kind=kind, unit=unit, origin=origin, missing=field)
        found = ExpectedReading(quantity, value, kind, unit, origin)
        base = None
        if source == "bank" and rule == "loss":
            of_input = self._bank(argument.replace("loss", "input"), subject)[0]
            base = float(of_input) if of_input is not None else None
        return self.tolerances.applied(found, rule, base)

    def figure(self, id: str) -> Found:
        """Return a result or step of the design; None if absent."""
        origin = f"result {id}"
        if id in self.results:
            value = self.results[id]
            return (value.si, value.kind, "", origin)
        if id in self.trace:
            step = self.trace[id]
            return float(step.value), step.kind, "", origin
        return None, "", "", origin

    @property
    def _sources(self) -> dict[str, Callable[[str, Subject], Found]]:
        return {
            "bank": self._bank,
            "check": self._check,
            "chiller": self._chiller,
            "class": self._class,
            "derated": self._derated,
            "insulation": self._insulation,
            "most_loaded": self._most_loaded,
            "network": self._network,
            "row": self._ups_row,
            "transformer": self._transformer,
            "value": self._value,
        }

    def _bank(self, argument: str, subject: Subject) -> Found:
        """Return output, input, loss, efficiency or fuel of a unit at a part of its rating."""
        percent, _, name = argument.partition(" ")
        part = float(percent) / 100.0
        plant, module = self.design.chain.generators, self.design.chain.ups.module
        if subject.name == "gen":
            output_w, of = part * plant.rating_w, f"{percent} % of result generator.rating"
            if name == "output":
                return output_w, "active_power", "", of
            curve = fuel_curve(plant)
            flow = None if curve is None else curve.at(output_w)
            return (
                flow,
                "liquid_flow",
                "",
                f"fuel: {curve.words}" if curve else f"fuel curve of {plant.model}",
            )
        if subject.name == "hall-air":
            it_w = float(self.results["load.it"].si)
            return part * it_w, "active_power", "", f"{percent} % of result load.it"
        output_w = part * module.rating_w
        curve_terms = module.constant, module.linear, module.quadratic
        loss_w = float(ups_loss.si(output_w, 1.0, module.rating_w, *curve_terms))
        origin = f"equation ups_loss at {percent} % of result ups.module_rating; {module.source}"
        found = {"output": output_w, "input": output_w + loss_w, "loss": loss_w}
        if name == "efficiency":
            return output_w / (output_w + loss_w), "fraction", "", origin
        return found[name], "active_power", "", origin

    def _check(self, argument: str, subject: Subject) -> Found:
        rule, _, side = argument.partition(" ")
        found = self.checks.get(rule)
        origin = f"check {argument}"
        if found is None:
            return None, "", "", origin
        return (found.value if side == "value" else found.limit), found.kind, "", origin

    def _chiller(self, column: str, subject: Subject) -> Found:
        model = self.design.cooling.chain.chilled_water.chiller.model
        return _cell("equipment/chillers", model, column)

    def _class(self, column: str, subject: Subject) -> Found:
        row = iso_class(self.design.chain.chain.generator.operation.performance_class)
        origin = f"table {row.label}.{column}"
        return row.si_or_none(column), row.declared(column).kind, "", origin

    def _derated(self, id: str, subject: Subject) -> Found:
        """Return a loading of the nameplate rating as one of the derated rating."""
        value, kind, unit, _ = self.figure(id)
        derate, origin = self.figure("generator.derate")[0], f"equation {id} / generator.derate"
        known = value is not None and bool(derate)
        return (float(value or 0.0) / float(derate or 1.0) if known else None), kind, unit, origin

    def _most_loaded(self, kind: str, subject: Subject) -> Found:
        """Return the highest loading of a unit after the loss of one such unit or of its system."""
        study, found = self.design.outages.study, list[tuple[float, str]]()
        if study is None:
            return None, "fraction", "", "facility failures"
        units = [(n, one.tag) for n, one in enumerate(study.network.equipment) if one.kind == kind]
        for state, loading in zip(study.states, study.columns, strict=False):
            if state.case.kind == "loss" and state.case.component_kind.startswith(kind):
                at = f"state {state.case.outage.id}: loading"
                found += [(float(loading[n]), f"{at} {tag}") for n, tag in units]
        value, origin = max((one for one in found if one[0] >= 0.0), default=(None, "no such loss"))
        return value, "fraction", "", origin

    def _insulation(self, argument: str, subject: Subject) -> Found:
        voltage_v = subject.equipment.voltage_v if subject.equipment is not None else 0.0
        rows = [
            row
            for row in table("commissioning/insulation").select(code=self.tolerances.code)
            if float(row.require("max_voltage_v")) >= voltage_v
        ]
        code = self.tolerances.code
        name = f"table commissioning/insulation for {code} and {voltage_v:,.0f} V"
        if not rows:
            return None, "", "", name
        row = min(rows, key=lambda one: float(one.require("max_voltage_v")))
        column, unit = {"voltage": ("test_voltage_v", "V"), "resistance": ("min_mohm", "MΩ")}[
            argument
        ]
        return float(row.require(column)), "", unit, origin_of(row)

    def _network(self, name: str, subject: Subject) -> Found:
        found = getattr(subject.equipment, name)
        return found, _NETWORK_KINDS[name], "", f"network {subject.tags[0]} {name}"

    def _ups_row(self, column: str, subject: Subject) -> Found:
        return _cell("equipment/ups", self.design.chain.ups.module.frame, column)

    def _transformer(self, name: str, subject: Subject) -> Found:
        chain = self.design.chain
        unit = chain.transformers.unit
        origin = f"transformer of the design; {unit.source}"
        if name == "ratio":
            lv_v = subject.equipment.voltage_v if subject.equipment is not None else 0.0
            ratio = chain.utility_voltage_v / lv_v if lv_v else None
            return ratio, "ratio", "", "result site.utility_voltage over power.voltage"
        found = {
            "impedance": (unit.impedance, "fraction"),
            "no_load": (unit.no_load_w, "active_power"),
            "load_loss": (unit.load_loss_w, "active_power"),
        }[name]
        return *found, "", origin

    def _value(self, id: str, subject: Subject) -> Found:
        row = self.tolerances.row("test_values", id)
        if row is None or row["value"] is None:
            return None, "", "", f"table commissioning/test_values[{id}]"
        value, unit = float(row.require("value")), row.text("unit")
        if unit not in _UNITS:
            return value, "", unit, origin_of(row)
        kind, factor = _UNITS[unit]
        return value * factor, kind, "", origin_of(row)


def origin_of(row: Row) -> str:
    """Return a row of a table and its source as text."""
    return f"table {row.label}; {source_text(row.source)}"


def _cell(name: str, model: str, column: str) -> Found:
    """Return a value of a catalogue row; None without the row or the value."""
    row = table(name).index.get((model,))
    origin = f"catalogue {name}[{model}].{column}"
    if row is None:
        return None, "", "", origin
    return row.si_or_none(column), row.declared(column).kind, "", origin
