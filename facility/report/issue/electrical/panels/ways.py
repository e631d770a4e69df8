"""Schedule of an IEC distribution board: one row per way in use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.core.check import Check
from facility.power.panels.board.model import Circuit
from facility.report.book.lists.circuits import ListedCircuit
from facility.report.book.panels.supply import cable_text
from facility.report.issue.content import Paragraph, SheetContent
from facility.report.issue.electrical.facts import OUTCOMES
from facility.report.issue.electrical.panels.form import PanelForm
from facility.report.issue.electrical.panels.mirrored import purpose
from facility.report.issue.electrical.printed import NOT_STATED, listing
from facility.report.sheet.grid import Column, GridValue, SheetTable

_SERIES = 600
_SMALL_BOARD = 14
"""Most ways in use of a schedule on the small sheet."""
_TAGS = (
    "Tags by IEC 81346-2 (product aspect), below the designation of the board: FC protective "
    "device; its cable is WD with the same number."
)
_LOOP = (
    "Ib: worst state. Zs: earth-fault loop impedance at the end of the circuit, limit by "
    "IEC 60364-4-41, 411.4.4, of the worst circuit of its type."
)
_ASSUMED = "* assumed, not stated in the project."


@dataclass(frozen=True)
class _Way:
    """One circuit of a board, or a range of spaces without one."""

    form: PanelForm
    name: str
    number: int
    one: ListedCircuit | None = None

    @property
    def circuit(self) -> Circuit | None:
        """Its circuit; None for spaces."""
        return None if self.one is None else self.one.circuit

    @property
    def tag(self) -> str:
        """Reference designation of its device."""
        return f"FC{self.number}" if self.one else ""

    @property
    def disconnection(self) -> Check | None:
        """Check of its earth-fault loop."""
        feeder = self.one.feeder if self.one is not None else None
        return None if feeder is None else self.form.facts.disconnection.get(feeder.group)

    def va(self, phase: int) -> float | None:
        """Return the load on a phase in the normal state [VA]; None without one."""
        circuit = self.circuit
        start = None if circuit is None else self.form.panel.start(circuit)
        if circuit is None or start is None or circuit.class_code == "SPARE":
            return None
        pole = (phase - start) % 3
        return circuit.pole_va()[pole] if pole < circuit.poles else None


def _device(way: _Way) -> GridValue:
    if way.one is None:
        return ""
    poles = way.one.circuit.poles
    kind = way.form.supply.plate.breaker_type or NOT_STATED
    return f"{kind}, {poles}P"


def _curve(way: _Way) -> GridValue:
    """Return the curve as stated, else that of the assumed miniature breaker."""
    limits = way.form.facts.design.facility.electrical.faults.clearing.limits
    stated = way.form.supply.plate.curve
    if way.one is None or stated:
        return stated if way.one is not None else ""
    assumed = limits.device.removeprefix("type ") if limits.device.startswith("type ") else ""
    return f"{assumed}*" if assumed else NOT_STATED


def _breaking(way: _Way) -> GridValue:
    limits = way.form.facts.design.facility.electrical.faults.clearing.limits
    if way.one is None:
        return ""
    given = way.form.facts.design.project.power.faults
    stated = given is not None and given.small_breaking_capacity is not None
    return f"{limits.breaking_a / 1e3:g}{'' if stated else '*'}" if limits.breaking_a else ""


def _residual(way: _Way) -> GridValue:
    plate = way.form.supply.plate
    if way.one is None:
        return ""
    if plate.rcd is None or plate.rcd == "none":
        return plate.rcd or NOT_STATED
    current = "" if plate.rcd_current is None else f" {plate.rcd_current.si * 1e3:g} mA"
    return f"{plate.rcd}{current}"


def _cable(way: _Way) -> GridValue:
    feeder = way.one.feeder if way.one is not None else None
    if way.one is None or feeder is None or feeder.choice is None:
        return ""
    return cable_text(feeder.choice, "IEC")


def _loop(way: _Way) -> GridValue:
    check = way.disconnection
    return None if check is None or check.value is None else check.value


def _limit(way: _Way) -> GridValue:
    check = way.disconnection
    return None if check is None or check.limit is None else check.limit


WAYS: SheetTable[_Way] = SheetTable(
    "",
    (
        Column("way", "Way", 13, of=lambda w: w.name),
        Column("tag", "Tag", 9),
        Column("purpose", "Designation", 37,
               of=lambda w: "SPACE" if w.one is None else purpose(w.one)),
        Column("device", "Device", 17, of=_device),
        Column("curve", "Curve", 9.5, of=_curve),
        Column("trip", "In", 8, "current", number_format="n0",
               of=lambda w: w.circuit.breaker_a if w.circuit else None),
        Column("icn", "Icn (kA)", 9, of=_breaking),
        Column("rcd", "RCD", 13, of=_residual),
        Column("cable", "Cable mm² live/cpc", 14, of=_cable),
        Column("length", "Length", 11, "length", number_format="n1",
               of=lambda w: w.one.length_m if w.one else None),
        Column("va1", "L1 VA", 10, "", number_format="n0", of=lambda w: w.va(0)),
        Column("va2", "L2 VA", 10, "", number_format="n0", of=lambda w: w.va(1)),
        Column("va3", "L3 VA", 10, "", number_format="n0", of=lambda w: w.va(2)),
        Column("failover", "Failover VA", 13, "", number_format="n0",
               of=lambda w: w.one.failover_va if w.one else None),
        Column("load", "Ib", 9, "current", number_format="n1",
               of=lambda w: w.one.worst_a if w.one else None),
        Column("loop", "Zs", 10, "resistance", number_format="n3", of=_loop),
        Column("limit", "Zs limit", 10, "resistance", number_format="n3", of=_limit),
        Column("verdict", "Zs verdict", 11,
               of=lambda w: OUTCOMES[w.disconnection.outcome] if w.disconnection else ""),
        Column("outlet", "Outlet", 24, of=lambda w: w.circuit.receptacle if w.circuit else ""),
        Column("partner", "Other side", 20, of=lambda w: w.circuit.partner if w.circuit else ""),
    ),
)  # fmt: skip


def ways_schedule(form: PanelForm) -> SheetContent:
    """Return the schedule of a board with one row per way."""
    ways = list(_ways(form))
    keys = [form.key(f"way {way.name}") for way in ways]
    blocks = (
        *form.header(),
        listing(WAYS, ways, form.facts.system, keys=keys, dense=True),
        Paragraph(" ".join((_TAGS, _method(form), _LOOP, _ASSUMED)), "note"),
        form.summary(),
        form.verdicts(),
    )
    return SheetContent("E", _SERIES, form.title, blocks, large=len(ways) > _SMALL_BOARD)


def _method(form: PanelForm) -> str:
    return f"Reference method {form.supply.method or NOT_STATED}."


def _ways(form: PanelForm) -> Iterator[_Way]:
    """Yield the circuits in the order of their positions, and the spaces together."""
    panel = form.panel
    for number, one in enumerate(form.circuits, 1):
        occupied = panel.occupied(one.circuit)
        label = ", ".join(panel.layout.label(n) for n in occupied) or one.circuit.id
        yield _Way(form, _short(label), number, one)
    spaces = [panel.layout.label(n) for n in panel.spaces]
    if spaces:
        yield _Way(form, spaces[0] if len(spaces) == 1 else f"{spaces[0]} to {spaces[-1]}", 0)


def _short(label: str) -> str:
    """Return poles of one way together: ``1L1, 1L2, 1L3`` is ``1L1-L3``."""
    first, _, _ = label.partition(", ")
    last = label.rpartition(", ")[2]
    way = first.rstrip("123").rstrip("L")
    if first == last or not last.startswith(f"{way}L"):
        return label
    return f"{first}-{last.removeprefix(way)}"
