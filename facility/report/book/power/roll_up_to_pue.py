"""UPS, Roll-up, Cooling and PUE: four sheets that refer to each other's cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from facility.core.rounding import closes, closes_in_cells
from facility.core.table import Results
from facility.report.book.cooling.cooling import CoolingSheet, parts_of
from facility.report.book.panels.live import ItInputs
from facility.report.book.power.power_rows import PowerRows
from facility.report.book.power.roll_up import (
    COLUMNS,
    write_closing,
    write_it,
    write_rack_side,
    write_utility,
)
from facility.report.book.power.ups import ups_sheet
from facility.report.sheet.entries import Entries, Reach
from facility.report.sheet.grid import Column, SheetTable, Values
from facility.report.sheet.lines import Cited, Lines
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading
from facility.report.tables.summary import ESTIMATE_FIGURES
from facility.study.design.design import Design

_W = "active_power"
_LOSS_LABELS = {
    "rack_pdu": "Rack PDUs",
    "branch": "Branch circuits",
    "feeder": "Feeders",
    "pdu_transformer": "PDU transformers",
    "ups": "UPS",
    "lv_board": "LV boards",
    "transformer": "MV/LV transformers",
}
_LOSSES: tuple[Column[Values], ...] = (
    Column("name", "Part", 0, style="cell"),
    Column("loss", "Loss (kW)", 0, _W, "{cited}"),
    Column("hall", "Hall (kW)", 0, _W, "{loss}*{to_hall}"),
    Column("room", "El. room (kW)", 0, _W, "{loss}*{to_room}"),
    Column("outdoors", "Outdoors (kW)", 0, _W, "{loss}-{hall}-{room}"),
    Column("to_hall", "To halls", 0, "fraction"),
    Column("to_room", "To el. rooms", 0, "fraction"),
)
_LOSS_COLUMNS = ("loss", "hall", "room", "outdoors", "to_hall", "to_room")
_SUBTITLE = (
    "From the GPU to the utility, at the design hour. kW, kvar and kVA are separate; apparent "
    "power is the root of the sum of squares."
)
_WIDTHS = (40, 14, 14, 14, 13, 11, 14, 11, 12, 12, 12, 12, 12)


@dataclass(frozen=True)
class PowerSheets:
    """The four sheets, and the figures on them by result key."""

    ups: Sheet
    rollup: Sheet
    cooling: Sheet
    pue: Sheet
    figures: Mapping[str, Cited]


def power_sheets(
    design: Design, page_setup: PageSetup, entries: Entries, inputs: ItInputs
) -> PowerSheets:
    """Return the sheets from the GPU to the utility and from the chip to the weather."""
    page = page_setup.page(landscape=False, large=True, fit_height=1)
    rollup = Sheet("Roll-up", page=page, freeze=(3, 2))
    write_heading(rollup, "Roll-up", _SUBTITLE)
    rollup.set_widths(*_WIDTHS)
    row, it = write_it(rollup, 4, design.it, inputs.devices)
    rows = PowerRows(rollup, row, basis_columns=COLUMNS - 6)
    cooling = CoolingSheet("Cooling", design.cooling, design.cooling_flow, page_setup)
    mech = cooling.write_power()
    house = _write_house(rows, design, entries)
    sent = write_rack_side(rows, design.chain, design.point.demand, it, mech, house)
    ups, from_ups = ups_sheet("UPS", design.chain, sent, design.trace, page_setup)
    at = write_utility(rows, design.chain, sent, from_ups)
    hall, electrical = _write_losses(rows, design, at.losses)
    losses, facility = write_closing(rows, at, sent.it, mech.total, house)
    room = cooling.write_heat(design.point.heat, it.air, it.liquid, hall, electrical)
    cooling.write_plant(design.facility.site.design)
    parts = [
        *(("Losses", _LOSS_LABELS[id], cited) for id, cited in at.losses.items()),
        *(("Cooling", label, mech.parts[name]) for name, label in parts_of(design.cooling)),
        ("Building load", "Lights, controls, security, other", house),
    ]
    pue, found = pue_sheet("PUE", sent.it, parts, facility, design.results, page_setup)
    fit_heights(rollup, 3)
    figures = {
        "load.it": sent.it, "load.gpu": it.gpu, "load.server": it.server,
        "heat.liquid": it.liquid, "heat.air": it.air, "load.losses": losses,
        "load.cooling": mech.total, "load.house": house, "load.facility": facility,
        "utility.demand_kva": at.utility_va, "heat.room": room,
        "ups.loading_normal": from_ups.loading_normal,
        "ups.loading_failure": from_ups.loading_failure,
        "ups.losses": from_ups.loss, "generator.loading": at.generator_loading, **found,
    }  # fmt: skip
    return PowerSheets(ups, rollup, cooling.sheet, pue, figures)


def _write_house(rows: PowerRows, design: Design, entries: Entries) -> Cited:
    """Write the building loads and return their sum."""
    house = design.facility.house
    rows.section("Building load")
    terms = []
    for path, label, power_w in (
        ("house.lighting", "Lighting", house.lighting_w),
        ("house.controls", "Controls", house.controls_w),
        ("house.security", "Security", house.security_w),
        ("house.other", "Other", house.other_w),
        ("house.generator_heaters", "Generator heaters", house.generator_heaters_w),
    ):
        terms.append(rows.given_kw(label, power_w))
        if entries.states(path):  # By default a share of the IT load
            entries.link(rows.sheet, terms[-1], path, f"Building load: {label}", Reach.LOAD)
    formula = f"SUM({terms[0].here}:{terms[-1].here})"
    return rows.ratio("Building load", formula, house.total_w, _W, "total")


def _write_losses(
    rows: PowerRows, design: Design, losses: Mapping[str, Cited]
) -> tuple[Cited, Cited]:
    """Write the heat destination of each loss; return the sums of halls and electrical rooms."""
    table = SheetTable("Losses by component and heat destination", _LOSSES, 0)
    grid = table.write(rows.sheet, rows.row + 1, ())
    for id, cited in losses.items():
        part = design.flow.part(id)
        hall, room = part.hall_w, part.electrical_room_w
        parts = (part.loss_w, hall, room, part.outdoors_w)
        shares = (power_w / part.loss_w if part.loss_w else 0.0 for power_w in (hall, room))
        numbers = dict(zip(_LOSS_COLUMNS, (*parts, *shares), strict=True))
        grid.write({"name": _LOSS_LABELS[id], **numbers}, cells={"cited": cited.here})
    flow = design.flow
    sums = (flow.losses_w, flow.hall_w, flow.electrical_room_w, flow.outdoors_w)
    cells = grid.total("All losses", dict(zip(_LOSS_COLUMNS, sums, strict=False)), blank=False)
    rows.row = grid.row
    return cells["hall"], cells["room"]


_W, _RATIO = "active_power", "ratio"


class _Part(NamedTuple):
    """Part of the facility load and its PUE component."""

    group: str
    label: str
    cited: Cited
    ratio: float


_PARTS: SheetTable[_Part] = SheetTable(
    "Parts",
    (
        Column("label", "Part", 42, style="cell"),
        Column("power", "Power (kW)", 16, _W, "{cited}", of=lambda p: p.cited.si),
        Column("ratio", "PUE component", 14, _RATIO, "{power}/$B$5"),
        Column("group", "Group", 62, style="cell"),
    ),
    head_height=0,
)


def pue_sheet(
    name: str,
    it: Cited,
    parts: Sequence[tuple[str, str, Cited]],
    facility: Cited,
    results: Results,
    page_setup: PageSetup,
) -> tuple[Sheet, Mapping[str, Cited]]:
    """Return the sheet, and its figures by result key.

    it: IT load at the equipment inputs.
    parts: Group, label and power of every part of the facility load but IT, (str, str, Cited).
    facility: The facility load as the Roll-up sums it.
    results: Sizing results: annual estimates if no hourly weather is known.
    """
    sheet = Sheet(name, page=page_setup.page(landscape=False, fit_height=1))
    write_heading(
        sheet,
        "PUE at the design hour",
        "Facility over IT at the design weather: not an annual PUE.",
    )
    listed = (("IT", "IT load at the equipment inputs", it), *parts)
    grid = _PARTS.write_alone(sheet, 4, ())
    for group, label, cited in listed:
        grid.write(_Part(group, label, cited, cited.si / it.si), {"cited": cited})
    total = it.si + sum(cited.si for _, _, cited in parts)
    sums = grid.total("Sum of the parts: PUE", {"power": total, "ratio": total / it.si})
    lines = Lines(sheet, grid.row)
    _write_crosscheck(lines, sums["power"], facility, it)
    found = {"pue.design": sums["ratio"]}
    estimates = [(label, key) for key, label in ESTIMATE_FIGURES if key in results]
    if estimates:
        lines.section("Annual estimates")
    for label, key in estimates:
        value = results[key]
        found[key] = lines.given(label, float(value.si), value.kind, value.basis)
    fit_heights(sheet, 4)
    return sheet, found


def _write_crosscheck(lines: Lines, summed: Cited, facility: Cited, it: Cited) -> None:
    lines.section("Cross-check")
    rolled = lines.live("Facility load, sheet Roll-up", str(facility), facility.si, _W)
    lines.live("Facility / IT", f"{rolled.here}/{it}", facility.si / it.si, _RATIO)
    holds = closes(summed.si, facility.si)
    lines.verdict(
        "Parts sum to the facility load",
        f'IF({closes_in_cells(summed.here, rolled.here)},"OK","CHECK")',
        "OK" if holds else "CHECK",
    )
