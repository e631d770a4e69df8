"""Schedule of an IEC distribution board: one row per way in use."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.check import Check, Outcome
from facility.power.panels.board.model import Circuit
from facility.report.book.lists.circuits import ListedCircuit
from facility.report.book.panels.supply import cable_text
from facility.report.issue.content import Paragraph, SheetContent
from facility.report.issue.electrical.facts import OUTCOMES, duty_verdict
from facility.report.issue.electrical.panels.form import PanelForm
from facility.report.issue.electrical.panels.mirrored import purpose
from facility.report.issue.electrical.printed import NOT_STATED, listing
from facility.report.sheet.grid import Column, SheetTable

_SERIES = 600
_SOCKET_A = 32.0
"""Largest socket-outlet with an RCD of 30 mA, IEC 60364-4-41, 411.3.3."""
_RCD = (
    " RCD not stated (panels.nameplate.rcd): IEC 60364-4-41, 411.3.3, requires 30 mA for "
    "socket-outlets up to 32 A, unless the exception for supervised use is documented."
)
_SMALL_BOARD = 14
"""Most ways in use of a schedule on the small sheet."""
_NOTES = (
    "Tags by IEC 81346-2 (product aspect), below the designation of the board: FC protective "
    "device; its cable is WD with the same number.",
    "Ib: worst state. Zs: earth-fault loop impedance at the end of the circuit, limit by "
    "IEC 60364-4-41, 411.4.4, of the worst circuit of its type.",
    "Icn: rated breaking capacity, against the available fault current of the board where stated "
    "(back-up: by the upstream fuse). * assumed or selected by the design, not stated in the "
    "project.",
)


@dataclass(frozen=True)
class BoardWay:
    """One circuit of a board, by its number."""

    form: PanelForm
    number: int
    one: ListedCircuit

    @property
    def circuit(self) -> Circuit:
        """Its circuit."""
        return self.one.circuit

    @property
    def name(self) -> str:
        """Its way: ``1L1-L3`` for the three poles of way 1."""
        panel = self.form.panel
        labels = [panel.layout.label(n) for n in panel.occupied(self.circuit)]
        if len(labels) < 2:
            return "".join(labels) or self.circuit.id
        return f"{labels[0]}-{labels[-1].lstrip('0123456789')}"

    @property
    def tag(self) -> str:
        """Reference designation of its device, below that of the board."""
        return f"FC{self.number}"

    @property
    def purpose(self) -> str:
        """What it feeds."""
        return purpose(self.one)

    @property
    def device(self) -> str:
        """Device type and poles."""
        kind = self.form.supply.plate.breaker_type or NOT_STATED
        return f"{kind}, {self.circuit.poles}P"

    @property
    def curve(self) -> str:
        """Curve as stated, else that of the assumed miniature breaker."""
        stated = self.form.supply.plate.curve
        kind, _, assumed = self.form.limits.device.partition("type ")
        return stated or (f"{assumed}*" if assumed and not kind else NOT_STATED)

    @property
    def icn(self) -> str:
        """Rated breaking capacity [kA]: as stated, with its verdict, or selected by the design."""
        given, supply = self.form.facts.design.project.power.faults, self.form.supply
        if given is not None and given.small_breaking_capacity is not None:
            stated_a, backed = given.small_breaking_capacity.si, self.form.limits.backup
            word = "back-up" if backed else duty_verdict(supply.fault_a, stated_a)
            return f"{stated_a / 1e3:g} {word}"
        return f"{supply.sccr_a / 1e3:g}*" if supply.sccr_a else NOT_STATED

    @property
    def rcd(self) -> str:
        """Residual current device: type and rated residual current."""
        plate = self.form.supply.plate
        if plate.rcd is None or plate.rcd == "none":
            return plate.rcd or NOT_STATED
        current = "" if plate.rcd_current is None else f" {plate.rcd_current.si * 1e3:g} mA"
        return f"{plate.rcd}{current}"

    @property
    def socket(self) -> bool:
        """Whether it feeds a socket-outlet of at most 32 A."""
        return bool(self.circuit.receptacle) and (self.circuit.breaker_a or 0.0) <= _SOCKET_A

    @property
    def cable(self) -> str:
        """Live and protective conductor [mm2]."""
        choice = None if self.one.feeder is None else self.one.feeder.choice
        return "" if choice is None else cable_text(choice, "IEC")

    @property
    def disconnection(self) -> Check | None:
        """Check of its earth-fault loop."""
        feeder = self.one.feeder
        return None if feeder is None else self.form.facts.disconnection.get(feeder.group)

    @property
    def loop(self) -> float | None:
        """Earth-fault loop impedance [ohm]."""
        return None if self.disconnection is None else self.disconnection.value

    @property
    def limit(self) -> float | None:
        """Its limit [ohm]."""
        return None if self.disconnection is None else self.disconnection.limit

    @property
    def verdict(self) -> str:
        """Verdict on the loop."""
        return "" if self.disconnection is None else OUTCOMES[self.disconnection.outcome]

    def va(self, phase: int) -> float | None:
        """Return the load on a phase in the normal state [VA]; None without one."""
        start = self.form.panel.start(self.circuit)
        if start is None or self.circuit.class_code == "SPARE":
            return None
        pole = (phase - start) % 3
        return self.circuit.pole_va()[pole] if pole < self.circuit.poles else None


WAYS: SheetTable[BoardWay] = SheetTable(
    "",
    (
        Column("name", "Way", 13),
        Column("tag", "Tag", 9),
        Column("purpose", "Designation", 34),
        Column("device", "Device", 17),
        Column("curve", "Curve", 9.5),
        Column("trip", "In", 8, "current", number_format="n0", of=lambda w: w.circuit.breaker_a),
        Column("icn", "Icn (kA)", 12),
        Column("rcd", "RCD", 13),
        Column("cable", "Cable mm² live/cpc", 14),
        Column("length", "Length", 11, "length", number_format="n1", of=lambda w: w.one.length_m),
        Column("va1", "L1 VA", 10, "", number_format="n0", of=lambda w: w.va(0)),
        Column("va2", "L2 VA", 10, "", number_format="n0", of=lambda w: w.va(1)),
        Column("va3", "L3 VA", 10, "", number_format="n0", of=lambda w: w.va(2)),
        Column("va", "Failover VA", 13, number_format="n0", of=lambda w: w.one.failover_va),
        Column("load", "Ib", 9, "current", number_format="n1", of=lambda w: w.one.worst_a),
        Column("loop", "Zs", 10, "resistance", number_format="n3"),
        Column("limit", "Zs limit", 10, "resistance", number_format="n3"),
        Column("verdict", "Zs verdict", 11),
        Column("outlet", "Outlet", 24, of=lambda w: w.circuit.receptacle),
        Column("partner", "Other side", 20, of=lambda w: w.circuit.partner),
    ),
)


def ways_schedule(form: PanelForm) -> SheetContent:
    """Return the schedule of a board with one row per way in use."""
    ways = [BoardWay(form, number, one) for number, one in enumerate(form.circuits, 1)]
    keys = [form.key(f"way {way.name}") for way in ways]
    spaces = [form.panel.layout.label(n) for n in form.panel.spaces]
    free = f"Spaces: {spaces[0]} to {spaces[-1]}. " if spaces else ""
    open_checks = [
        way.disconnection
        for way in ways
        if way.disconnection is not None and way.disconnection.outcome is Outcome.NOT_EVALUATED
    ]
    reasons = dict.fromkeys(one.why for one in open_checks)
    missing = f" Zs not evaluated: {'; '.join(reasons)}." if reasons else ""
    if form.supply.plate.rcd is None and any(way.socket for way in ways):
        missing += _RCD
    method = f"{free}Reference method {form.supply.method or NOT_STATED}."
    blocks = (
        *form.header(),
        listing(WAYS, ways, form.facts.system, keys=keys, dense=True),
        Paragraph(" ".join((*_NOTES[:2], method, _NOTES[2])) + missing, "note"),
        form.summary(),
        form.verdicts(),
    )
    return SheetContent("E", _SERIES, form.title, blocks, large=len(ways) > _SMALL_BOARD)
