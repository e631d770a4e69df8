"""UPS, Roll-up, Cooling and PUE: four sheets that refer to each other's cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from facility.report.book.cooling.cooling import PARTS, CoolingSheet
from facility.report.book.power.it import COLUMNS, write_it
from facility.report.book.power.power_rows import PowerRows
from facility.report.book.power.pue import pue_sheet
from facility.report.book.power.roll_up import (
    Outside,
    write_closing,
    write_rack_side,
    write_utility,
)
from facility.report.book.power.ups import ups_sheet
from facility.report.sheet.cells import Span
from facility.report.sheet.lines import Cited, table_row
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading
from facility.study.design.design import Design

_W, _HEAT = "active_power", "heat_flow"
_LOSS_LABELS = {
    "rack_pdu": "Rack PDUs",
    "branch": "Branch circuits",
    "feeder": "Feeders",
    "pdu_transformer": "PDU transformers",
    "ups": "UPS",
    "lv_board": "LV boards",
    "transformer": "MV/LV transformers",
}
_SUBTITLE = (
    "From the GPU to the utility, at the design hour. kW, kvar and kVA are kept apart; apparent "
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


def power_sheets(design: Design, furniture: Furniture) -> PowerSheets:
    """Return the sheets from the GPU to the utility and from the chip to the weather."""
    rollup = _new_rollup(furniture)
    row, it = write_it(rollup, 4, design.it)
    rows = PowerRows(rollup, row, basis_columns=COLUMNS - 6)
    cooling = CoolingSheet("Cooling", design.cooling, design.cooling_flow, furniture)
    mech = cooling.write_power()
    house = _write_house(rows, design)
    sent = write_rack_side(
        rows, design.chain, design.point.demand, it, Outside(mech.on_ups, mech.mech, house)
    )
    ups, from_ups = ups_sheet(
        "UPS", design.chain, (sent.output, sent.mech_ups), sent.other, sent.losses["lv_board"],
        design.trace, furniture,
    )  # fmt: skip
    at = write_utility(
        rows, design.chain, sent, from_ups.loss, from_ups.input, from_ups.boards,
        from_ups.transformers,
    )  # fmt: skip
    hall, electrical = _write_losses(rows, design, at.losses)
    losses, facility = write_closing(rows, at, sent.it, mech.total, house)
    room = cooling.write_heat(design.point.heat, it.air, it.liquid, hall, electrical)
    cooling.write_plant(design.facility.site.design)
    parts = [
        *(("Losses", _LOSS_LABELS[id], cited) for id, cited in at.losses.items()),
        *(("Cooling", label, mech.parts[name]) for name, label in PARTS),
        ("House", "Lights, controls, security, other", house),
    ]
    pue, found = pue_sheet("PUE", sent.it, parts, facility, design.results, furniture)
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


def _new_rollup(furniture: Furniture) -> Sheet:
    page = furniture.page(landscape=False, large=True, fit_height=1)
    sheet = Sheet("Roll-up", page=page, freeze=(3, 2))
    write_heading(sheet, "Roll-up", _SUBTITLE)
    sheet.set_widths(*_WIDTHS)
    return sheet


def _write_house(rows: PowerRows, design: Design) -> Cited:
    """Write the house loads and return their sum."""
    house = design.facility.house
    rows.section("House loads")
    terms = [
        rows.given_kw("Lighting", house.lighting_w),
        rows.given_kw("Controls", house.controls_w),
        rows.given_kw("Security", house.security_w),
        rows.given_kw("Other", house.other_w),
    ]
    formula = f"SUM({terms[0].here}:{terms[-1].here})"
    return rows.ratio("House", formula, house.total_w, _W, "total")


def _write_losses(
    rows: PowerRows, design: Design, losses: Mapping[str, Cited]
) -> tuple[Cited, Cited]:
    """Write where the heat of each loss goes; return the sums of halls and electrical rooms."""
    sheet, top = rows.sheet, rows.row + 1
    sheet.put(top, 1, "Losses by part, and where their heat goes", "section")
    heads = ("Part", "Loss kW", "Hall kW", "El. room kW", "Outdoors kW", "To halls", "To el. rooms")
    sheet.row(top + 1, 1, heads, "head")
    row = top + 2
    first = row
    for id, cited in losses.items():
        part = design.flow.part(id)
        hall = part.hall_w / part.loss_w if part.loss_w else 0.0
        room = part.electrical_room_w / part.loss_w if part.loss_w else 0.0
        sheet.put(row, 1, _LOSS_LABELS[id], "cell")
        table_row(sheet, row, 2, part.loss_w, _W, cited.here)
        table_row(sheet, row, 6, hall, "fraction")
        table_row(sheet, row, 7, room, "fraction")
        table_row(sheet, row, 3, part.hall_w, _W, f"B{row}*F{row}")
        table_row(sheet, row, 4, part.electrical_room_w, _W, f"B{row}*G{row}")
        table_row(sheet, row, 5, part.outdoors_w, _W, f"B{row}-C{row}-D{row}")
        row += 1
    flow = design.flow
    sheet.put(row, 1, "All losses", "total")
    sums = (flow.losses_w, flow.hall_w, flow.electrical_room_w, flow.outdoors_w)
    cited_sums = [
        table_row(
            sheet, row, column, si, _W, f"SUM({Span(first, column, row - 1, column)})", "total"
        )
        for column, si in enumerate(sums, start=2)
    ]
    rows.row = row + 1
    return cited_sums[1], cited_sums[2]
