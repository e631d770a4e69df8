"""Header and footer of a panel schedule, the same under NEC and IEC."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from facility.core.check import Check
from facility.model.facility import Criteria
from facility.model.power.faults import EnergyLimits
from facility.power.feeders.schedule import Feeder
from facility.power.panels.board.currents import PanelLoad
from facility.power.panels.board.layout import PHASE_NAMES
from facility.power.panels.board.model import Panel
from facility.report.book.lists.circuits import ListedCircuit
from facility.report.book.panels.footer import CLASS_MEANINGS, LOAD_CLASSES
from facility.report.book.panels.loads import ScheduledPanel
from facility.report.book.panels.supply import (
    NOTHING_KNOWN,
    PanelSupply,
    short_circuit_term,
    system_text,
)
from facility.report.drawings.scene import Anchor
from facility.report.issue.content import Facts, LabelledValue, TableBlock
from facility.report.issue.electrical.facts import (
    OUTCOMES,
    ElectricalFacts,
    duty_verdict,
    feeder_words,
    kiloamperes,
)
from facility.report.issue.electrical.printed import NOT_STATED
from facility.report.sheet.grid import TextTable

_WIRES = {"IEC": "3P+N+PE"}
_VERDICTS = (
    ("PANEL-LOAD", "Load, normal"),
    ("PANEL-LOAD", "Load, failover"),
    ("PANEL-MAIN", "Main vs. bus"),
    ("BRANCH-LOAD", "Branch, normal"),
    ("BRANCH-LOAD", "Branch, failover"),
    ("PANEL-IMBALANCE", "Imbalance"),
)


@dataclass(frozen=True, eq=False)
class PanelForm:
    """A panel with what its schedule prints."""

    facts: ElectricalFacts
    scheduled: ScheduledPanel

    @property
    def panel(self) -> Panel:
        """The panel."""
        return self.scheduled.panel

    @property
    def supply(self) -> PanelSupply:
        """Its supply."""
        return self.facts.supplies.get(self.panel.tag, NOTHING_KNOWN)

    @property
    def circuits(self) -> Sequence[ListedCircuit]:
        """Its circuits by position."""
        return self.facts.circuits.get(self.panel.tag, ())

    @property
    def phases(self) -> tuple[str, str, str]:
        """Names of its phases."""
        return PHASE_NAMES.get(self.panel.numbering, PHASE_NAMES["US"])

    @property
    def criteria(self) -> Criteria:
        """Code and factors."""
        return self.facts.design.facility.criteria

    @property
    def limits(self) -> EnergyLimits:
        """Miniature breakers of the design, stated or assumed."""
        return self.facts.design.facility.electrical.faults.clearing.limits

    @cached_property
    def loads(self) -> tuple[PanelLoad, PanelLoad]:
        """Load in the normal and in the failover state."""
        return self.scheduled.loads[0], self.scheduled.shown_failover

    @property
    def title(self) -> str:
        """Title of its sheet."""
        return f"Panel schedule {self.panel.tag}"

    def key(self, name: str) -> str:
        """Return the key of one of its figures."""
        return f"{self.panel.tag}:{name}"

    def header(self) -> tuple[Facts, Facts]:
        """Return source and feeder, then ratings, nameplate and fault current."""
        supply, panel = self.supply, self.panel
        source = supply.source or panel.fed_from or NOT_STATED
        incoming = self._incoming
        feeder = NOT_STATED if incoming is None else feeder_words(incoming, self.facts)
        fed = (
            LabelledValue("Fed from", source, self.key("fed_from")),
            LabelledValue("Feeder", feeder, self.key("feeder")),
        )
        return Facts(fed, 2), Facts(tuple(self._ratings()), 4)

    @property
    def _incoming(self) -> Feeder | None:
        return next(
            (
                f
                for f in self.facts.feeders
                if f.circuit.target == self.panel.tag and f.circuit.stage != "branch"
            ),
            None,
        )

    def _ratings(self) -> Iterator[LabelledValue]:
        panel, supply, plate = self.panel, self.supply, self.supply.plate
        main = f"{panel.main_a:,g} A" if panel.main_a else NOT_STATED
        nec, rating = self.facts.nec, short_circuit_term(panel)
        if plate.main == "MLO":
            feeder = self._incoming
            device_a = None if feeder is None or feeder.choice is None else feeder.choice.ocpd_a
            device = f"{device_a:,g} A" if device_a else NOT_STATED
            main = f"{'MLO' if nec else 'none'}, feeder device {device}"
            if device_a and panel.bus_a and device_a > panel.bus_a:
                main += " exceeds bus" + (", 408.36" if nec else "")
        else:
            main = f"{'MCB' if nec else 'circuit-breaker'} {main}"
        maker = ", ".join(part for part in (plate.manufacturer, plate.type) if part)
        neutral_a = self.facts.design.facility.power.panels.neutral_a
        neutral = "100 % of bus" if neutral_a is None else f"{neutral_a:,g} A"
        location = plate.location or panel.hall or NOT_STATED
        bus = f"{panel.bus_a:,g} A" if panel.bus_a else NOT_STATED
        yield LabelledValue("Location", location, self.key("location"))
        yield LabelledValue("Volts", f"{system_text(panel)} V", self.key("volts"))
        yield LabelledValue("Phases, wires", _WIRES.get(panel.numbering, "3 ph, 4 W + G"))
        yield LabelledValue("Bus", bus, self.key("bus"))
        yield LabelledValue("Main" if nec else "Incoming device", main, self.key("main"))
        yield LabelledValue(rating, kiloamperes(supply.sccr_a, NOT_STATED), self.key("sccr"))
        fault = kiloamperes(supply.fault_a)
        yield LabelledValue("Available fault", fault, self.key("fault"))
        yield LabelledValue(f"{rating} vs. fault", duty_verdict(supply.fault_a, supply.sccr_a))
        yield LabelledValue("Fault current of", supply.fault_basis or NOT_STATED)
        yield LabelledValue("Manufacturer, type", maker or NOT_STATED)
        yield LabelledValue("Mounting", plate.mounting or NOT_STATED)
        yield LabelledValue("Enclosure", plate.enclosure or NOT_STATED)
        yield LabelledValue("Neutral bus", neutral)
        if nec:
            yield LabelledValue("Ground bus", plate.ground_bus or NOT_STATED)
        else:
            yield LabelledValue("Designation", f"+{supply.designation or panel.tag}")
        yield LabelledValue(
            "Feed, paired panel", " · ".join((panel.side, ", ".join(panel.paired) or "none"))
        )
        listed = "100 % rated" if panel.listed_100 else "80 % rated"
        yield LabelledValue(
            "Assembly, code",
            f"{listed}, {self.facts.edition}" if self.facts.nec else self.facts.edition,
        )

    def summary(self) -> TableBlock:
        """Return the table of totals by phase and load classes."""
        lines, classes = list(self._lines()), list(self._classes())
        depth = max(len(lines), len(classes))
        lines += [("",) * 5] * (depth - len(lines))
        classes += [("",) * 6] * (depth - len(classes))
        of_phase = ("Phase", "Connected VA", "Failover VA", "Normal A", "Failover A")
        of_class = (
            "Load class",
            "Class VA",
            "Demand factor",
            "Demand VA",
            "Continuous",
            "Design VA",
        )
        keys = []
        for left, right in zip(lines, classes, strict=True):
            code = right[0].partition(" ")[0]
            at = ((of_phase, f"phase {left[0]}", left[0]), (of_class, f"class {code}", code))
            keys.append(
                {h: self.key(f"{row}:{h}") for heads, row, used in at if used for h in heads[1:]}
            )
        table = TextTable(
            "",
            (*of_phase, *of_class),
            [(*left, *right) for left, right in zip(lines, classes, strict=True)],
            keys=keys,
        )
        widths = (8, 13, 13, 11, 11, 26, 14, 13, 14, 12, 14)
        anchors: tuple[Anchor, ...] = (
            "start",
            "end",
            "end",
            "end",
            "end",
            "start",
            "end",
            "end",
            "end",
            "middle",
            "end",
        )
        groups = (("Totals by phase", 5), ("Classification of the connected load", 6))
        return TableBlock(table, widths, anchors, groups, dense=True)

    def _lines(self) -> Iterator[tuple[str, ...]]:
        normal, lost = self.loads
        for n, name in enumerate(self.phases):
            yield (
                name,
                f"{normal.phase_va[n]:,.0f}",
                f"{lost.phase_va[n]:,.0f}",
                f"{normal.line_a[n]:,.1f}",
                f"{lost.line_a[n]:,.1f}",
            )
        yield (
            "Total",
            f"{sum(normal.phase_va):,.0f}",
            f"{sum(lost.phase_va):,.0f}",
            f"max {normal.current_max_a:,.1f}",
            f"max {lost.current_max_a:,.1f}",
        )

    def _classes(self) -> Iterator[tuple[str, ...]]:
        """Yield the connected load by class, at its full power (demand factor 1)."""
        connected: dict[str, float] = {}
        for circuit in self.panel.circuits:
            if circuit.class_code in LOAD_CLASSES:
                va = sum(circuit.pole_va())
                connected[circuit.class_code] = connected.get(circuit.class_code, 0.0) + va
        times = 1.0 if self.panel.listed_100 else self.criteria.continuous_factor
        total, design = sum(connected.values()), 0.0
        for code, va in sorted(connected.items()):
            continuous = LOAD_CLASSES[code]
            sized = va * times if continuous else va
            design += sized
            yield (
                f"{code} {CLASS_MEANINGS[code]}",
                f"{va:,.0f}",
                "1.00",
                f"{va:,.0f}",
                f"yes, {times:g}" if continuous else "no",
                f"{sized:,.0f}",
            )
        yield "Total", f"{total:,.0f}", "", f"{total:,.0f}", "", f"{design:,.0f}"

    def verdicts(self) -> Facts:
        """Return the checks of the panel with value and limit, spare breakers and spaces."""
        panel = self.panel
        spares = sum(1 for c in panel.circuits if c.class_code == "SPARE")
        facts = [LabelledValue("Spares, spaces", f"{spares}, {len(panel.spaces)} poles")]
        found = list(self.facts.checks(panel, self.scheduled.lost))
        for rule, label in _VERDICTS:
            check = next((c for c in found if c.rule == rule), None)
            if check is not None:
                found.remove(check)
                facts.append(LabelledValue(label, self.verdict(check), self.key(label)))
        return Facts(tuple(facts), 4)

    def verdict(self, check: Check) -> str:
        """Return value, limit and verdict of a check."""
        word = OUTCOMES[check.outcome]
        if check.value is None or check.limit is None:
            return word
        if check.kind == "fraction":
            return f"{100 * check.value:.1f} %, limit {100 * check.limit:.0f} %: {word}"
        return f"{check.value:,.1f} A, limit {check.limit:,.0f} A: {word}"
