"""Electrical sheets of the issued set, against values by hand for a tiny US and IEC project."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest

from facility.core.check import Outcome
from facility.core.views import System
from facility.files.project.file import parse_project
from facility.power.service_load import RECHARGE, ServiceLine, ServiceLoad
from facility.report.book.distribution.mechanical import permitted_by
from facility.report.book.lists.book import list_sheets
from facility.report.issue.content import DrawingBlock, Facts, Paragraph, SheetContent, TableBlock
from facility.report.issue.cover import cover
from facility.report.issue.electrical.contents import electrical_contents
from facility.report.issue.electrical.facts import ElectricalFacts
from facility.report.issue.electrical.panels.form import PanelForm
from facility.report.issue.electrical.panels.ways import BoardWay, ways_schedule
from facility.report.issue.electrical.service import calculated
from facility.report.issue.sheets import laid_out
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design, design

_HALL = """
it:
  halls:
    - name: Room
      racks:
        - {name: GPU, count: 2, devices: [{model: DGX H100, count: 1}], feeds: [A, B]}
cooling: {method: air}
"""
US = f"""
schema_version: 1
project: {{revisions: [{{rev: A, date: 2026-10-01, by: Engineer}}]}}
site: {{station: ashburn}}
criteria: {{code: NEC, edition: 2023}}
power: {{redundancy: 2N, distribution: {{voltage: 480 V, rack_system: 208Y/120}}}}
panels:
  nameplate: {{manufacturer: Maker, mounting: surface, main: MLO}}
  boards:
    - tag: RPP-A01
      sccr: 1 kA
      supply_circuit: CB-4
      nameplate: {{mounting: flush}}
      spares: [{{poles: 1, breaker: 20 A, position: 42}}]
{_HALL}"""
IEC = f"""
schema_version: 1
site: {{station: ashburn, fault_level: 350 MVA}}
criteria: {{code: IEC}}
power:
  redundancy: 2N
  faults: {{clearing_time: 0.1 s, utility_minimum_level: 200 MVA, trip_multiple: 10}}
  nameplates: [{{equipment: ups, catalogue_number: EP-60-400, weight: 420 kg}}]
panels: {{nameplate: {{breaker_type: MCB, curve: C, rcd: A, rcd_current: 30 mA}}}}
{_HALL}"""
MV_SETS = """
schema_version: 1
site: {station: ashburn, utility_voltage: 11 kV}
criteria: {code: IEC}
it: {gpu_model: H100 SXM5, gpus: 1024}
power: {redundancy: N+1, generator: {connection: MV}}
cooling: {method: air}
"""
# DGX H100: 10.2 kW at power factor 0.98, with 0.5 % loss of the rack PDU
RACK_VA = 10200.0 / 0.98 * 1.005


@cache
def made(text: str) -> Design:
    return design(parse_project(text))


@cache
def contents(text: str, system: System) -> dict[str, SheetContent]:
    return {one.title: one for one in electrical_contents(made(text), system)}


def stated(content: SheetContent) -> dict[str, str]:
    blocks = (block for block in content.blocks if isinstance(block, Facts))
    return {fact.label: fact.value for block in blocks for fact in block.facts}


def tables(content: SheetContent) -> list[list[dict[str, str]]]:
    return [
        [dict(zip(block.table.heads, row, strict=True)) for row in block.table.rows]
        for block in content.blocks
        if isinstance(block, TableBlock)
    ]


def test_header_of_a_us_panel_states_source_nameplate_and_verdict() -> None:
    found = stated(contents(US, "ip")["Panel schedule RPP-A01"])
    assert found["Fed from"] == "PDU-A-A-1, CB-4"
    assert found["Mounting"] == "flush"
    assert found["Manufacturer, type"] == "Maker"
    assert found["Enclosure"] == "not stated"
    assert found["Main"].startswith("MLO, feeder device")
    assert found["SCCR"] == "1.0 kA"
    assert found["SCCR vs. fault"] == "CHECK"
    assert found["Fault current of"].startswith("2026-10-01")
    assert " G " in found["Feeder"]
    assert found["Feeder"].endswith(" ft")
    other = stated(contents(US, "ip")["Panel schedule RPP-B01"])
    assert (other["Mounting"], other["SCCR vs. fault"]) == ("surface", "OK")


def test_a_panel_with_its_own_sccr_has_its_own_check() -> None:
    found = {c.subject: c for c in made(US).checks if c.rule == "FAULT-INTERRUPTING"}
    assert found["RPP-A01"].outcome is Outcome.FAIL
    assert found["RPP-A01"].limit == pytest.approx(1000.0)
    assert not any("RPP-A01" in subject for subject in found if subject.startswith("panels"))


def test_footer_of_a_us_panel_by_hand() -> None:
    content = contents(US, "ip")["Panel schedule RPP-A01"]
    circuits, totals = tables(content)
    total = totals[3]
    # two racks, half of each on this feed; all of it with the other feed lost
    assert total["Connected VA"] == f"{RACK_VA:,.0f}"
    assert total["Failover VA"] == f"{2.0 * RACK_VA:,.0f}"
    normal_a = RACK_VA / (math.sqrt(3.0) * 208.0)
    assert total["Normal A"] == f"max {normal_a:.1f}"
    assert total["Failover A"] == f"max {2.0 * normal_a:.1f}"
    found = stated(content)
    # 42 poles, two circuits of three poles and a spare
    assert found["Spares, spaces"] == "1, 35 poles"
    assert found["Load, normal"].startswith(f"{normal_a:.1f} A")
    assert circuits[0]["Purpose"].startswith("GPU 01")
    assert circuits[0]["Purpose "].startswith("GPU 02")  # right side of the panel
    assert len(circuits) == 21


def test_a_panel_of_42_poles_fits_one_sheet() -> None:
    assert len(list(laid_out(contents(US, "ip")["Panel schedule RPP-A01"], "NEC"))) == 1


def test_a_board_names_why_its_loops_are_not_evaluated() -> None:
    base = made(IEC)
    facts = ElectricalFacts(base, "si")
    panel, lost = base.panels.panels[0], base.panels.lost[0]
    form = PanelForm(facts, facts.scheduled(panel, lost))
    unknown = {
        group: replace(check, outcome=Outcome.NOT_EVALUATED, why="no minimum level", value=None)
        for group, check in facts.disconnection.items()
    }
    facts.__dict__["disconnection"] = unknown
    notes = [block.text for block in ways_schedule(form).blocks if isinstance(block, Paragraph)]
    assert "Zs not evaluated: no minimum level." in notes[-1]


def test_ways_of_an_iec_board_have_no_empty_column_and_the_loop_limit_by_hand() -> None:
    ways = tables(contents(IEC, "si")["Panel schedule RPP-A01"])[0]
    assert all(any(row[head] for row in ways) for head in ways[0])
    first = ways[0]
    assert (first["Way"], first["Tag"], first["Curve"]) == ("1L1-L3", "FC1", "C")
    assert (first["RCD"], first["In (A)"], first["Device"]) == ("A 30 mA", "16", "MCB, 3P")
    # 0.95 U0 / (10 In)
    limit = 0.95 * 400.0 / math.sqrt(3.0) / (10.0 * 16.0)
    assert first["Zs limit (Ω)"] == f"{limit:.3f}"
    assert float(first["Zs (Ω)"]) < limit
    assert first["Zs verdict"] == "OK"
    # selected for the fault current of the board, not stated
    header = stated(contents(IEC, "si")["Panel schedule RPP-A01"])
    assert first["Icn (kA)"] == f"{float(header['Icw/Icc'].removesuffix(' kA')):g}*"
    assert header["Icw/Icc vs. fault"] == "OK"
    assert (header["Volts"], header["Phases, wires"]) == ("400/230 V", "3P+N+PE")
    assert header["Incoming device"].startswith("circuit-breaker ")
    equipment = contents(IEC, "si")["Equipment schedule"]
    units = [row for rows in tables(equipment) for row in rows if "Protective conductor" in row]
    assert units[0]["Line conductor"].endswith("mm²")


def test_stated_breaking_capacity_below_the_fault_current_is_marked() -> None:
    base = made(IEC)
    # breakers of 1 kA; the board has several kA
    text = IEC.replace("faults: {", "faults: {small_breaking_capacity: 1 kA, ")
    facts = ElectricalFacts(replace(base, project=parse_project(text)), "si")
    panel, lost = base.panels.panels[0], base.panels.lost[0]
    form = PanelForm(facts, facts.scheduled(panel, lost))
    assert BoardWay(form, 1, form.circuits[0]).icn == "1 CHECK"


def test_harmonic_factor_is_part_of_the_ampacity_used() -> None:
    """IEC 60364-5-52 annex E: 0.86 for a neutral counted with 15 to 33 % third harmonic."""
    (rows,) = tables(contents(IEC, "si")["Feeder and cable schedule"])
    row = next(row for row in rows if row["To"] == "RPP-A01")
    assert row["Harmonic factor"] == "0.860"
    corrected, used = (
        float(row[f"{head} (A)"]) for head in ("Corrected ampacity", "Ampacity used")
    )
    assert used == pytest.approx(0.86 * corrected, abs=0.1)


def test_a_size_above_the_voltage_drop_criterion_names_the_losses() -> None:
    (rows,) = tables(contents(US, "ip")["Feeder and cable schedule"])
    by_losses = [row for row in rows if row["Size decided by"] == "wiring losses"]
    criterion = 100 * made(US).facility.criteria.voltage_drop_feeder
    assert by_losses
    assert all(float(row["Drop (%)"]) < criterion for row in by_losses)


def test_panel_schedules_and_service_load_of_the_it_are_reconciled() -> None:
    found = stated(contents(US, "ip")["NEC 220 service load calculation"])
    # two racks with half of their load on each of two panels
    assert found["IT in the panel schedules, connected"] == f"{2 * RACK_VA / 1e3:,.1f} kVA"


def test_feeder_of_a_small_mechanical_board_names_what_permits_its_device() -> None:
    """430.62(B): 600 A with 620 A ampacity; 430.62(A): at most 25 A for a board of one fan."""
    assert permitted_by(20.0, 25.0, 25.0, "") == "430.62(A)"
    assert permitted_by(600.0, 25.0, 620.0, "M-5") == "430.62(B), ampacity, sized with M-5"
    assert permitted_by(600.0, 25.0, 575.0, "") == "CHECK"


def test_equipment_as_purchased_is_in_the_equipment_schedule() -> None:
    rows = tables(contents(IEC, "si")["Equipment schedule"])[0]
    modules = [row for row in rows if row["Equipment"] == "UPS module"]
    assert {row["Catalogue no."] for row in modules} == {"EP-60-400"}
    assert {row["Weight of one (kg)"] for row in modules} == {"420"}
    others = {row["Catalogue no."] for row in rows if row["Equipment"] != "UPS module"}
    assert others == {"not stated"}


def test_duty_of_a_panel_with_its_own_rating() -> None:
    rows, studies = tables(contents(US, "ip")["Device duties and protection studies"])
    found = {row["Location"]: row for row in rows}
    assert found["RPP-A01"]["Interrupting rating (kA)"] == "1.0"
    assert (found["RPP-A01"]["Rating is"], found["RPP-A01"]["Verdict"]) == ("stated", "CHECK")
    assert found["RPP-B01"]["Verdict"] == "OK"
    assert [row["Status"] for row in studies] == ["by others", "by others", "in this set"]


@pytest.mark.parametrize(("text", "system"), [(US, "ip"), (IEC, "si"), (MV_SETS, "si")])
def test_every_board_of_the_one_line_has_a_schedule(text: str, system: System) -> None:
    found = made(text).distribution
    content = contents(text, system)["Board schedules"]
    listed = [block.table for block in content.blocks if isinstance(block, TableBlock)]
    tags = {table.title.partition(":")[0] for table in listed}
    kinds = ("mv-switchgear", "lv-board", "ups-output", "generator-bus", "pdu")
    assert tags >= {one.tag for one in found.plan.network.equipment if one.kind in kinds}
    loads = {f.circuit.target for f in found.feeders.feeders if f.circuit.stage == "mechanical"}
    assert tags >= {board.tag for board in found.mechanical.boards}
    assert not loads - tags - {board.load for board in found.mechanical.boards}
    devices = {(row["Circuit"], row["Device (A)"]) for rows in tables(content) for row in rows}
    for feeder in found.feeders.feeders:
        if feeder.circuit.stage != "branch" and feeder.choice is not None:
            assert (feeder.circuit.tag, f"{feeder.choice.ocpd_a:,.0f}") in devices


def test_frames_and_sets_without_own_circuits() -> None:
    """45 A is in a frame of 100 A under the NEC; MV sets have their breakers by the supplier."""
    rows = [row for found in tables(contents(US, "ip")["Board schedules"]) for row in found]
    for row in rows:
        if row.get("Frame (A)"):
            assert float(row["Frame (A)"].replace(",", "")) >= float(
                row["Device (A)"].replace(",", "")
            )
    (sets,) = (
        row
        for found in tables(contents(MV_SETS, "si")["Board schedules"])
        for row in found
        if row["Circuit"] == "GEN sets"
    )
    plant = made(MV_SETS).chain.generators
    rated_a = plant.rating_va / (math.sqrt(3.0) * 11e3)
    assert sets["Worst-case load (A)"] == f"{rated_a:,.1f}"
    assert "by the supplier" in sets["Conductors, raceway"]


def test_store_of_the_code() -> None:
    """NEC, informative annex D, example D3: 32,450 VA for 12,200 VA and 16,200 VA continuous."""
    lines = (
        ServiceLine("receptacles", 14400.0, 12200.0, 1.0, continuous=False),
        ServiceLine("lighting", 9000.0, 9000.0, 1.0, continuous=True),
        ServiceLine("show windows", 6000.0, 6000.0, 1.0, continuous=True),
        ServiceLine("sign", 1200.0, 1200.0, 1.0, continuous=True),
    )
    found = ServiceLoad(lines, "", 0.0, 1.25, 240.0)
    assert found.total_va == pytest.approx(32450.0)
    assert lines[0].demand_factor == pytest.approx(12200.0 / 14400.0)


def test_motors_of_the_code() -> None:
    """NEC, informative annex D, example D8: 124 A for motors of 34 A and twice 40 A at 460 V."""
    va = math.sqrt(3.0) * 460.0
    lines = tuple(
        ServiceLine("motor", a * va, a * va, 1.0, continuous=True, motor=True)
        for a in (34.0, 40.0, 40.0)
    )
    assert ServiceLoad(lines, "motor", 40.0 * va, 1.25, 460.0).current_a == pytest.approx(124.0)


def test_iec_demand_without_recharge_is_the_utility_demand() -> None:
    found = made(IEC)
    load = calculated(ElectricalFacts(found, "si"))
    demand_w = sum(one.demand_w for one in load.lines if one.name != RECHARGE)
    assert demand_w == pytest.approx(float(found.results["utility.demand"].si), rel=1e-9)
    assert load.motor_addition_va == 0.0


def test_letter_states_demand_largest_motor_and_generators() -> None:
    (rows,) = tables(contents(US, "ip")["Load letter to the utility"])
    found = {row["Quantity"]: row["Value"] for row in rows}
    results = made(US).all_results
    assert found["Generator sets"] == results["generator.count"].shown("ip")
    assert found["Fastest change"] == results["swing.utility.ramp"].short("ip")
    assert not any("storage" in quantity for quantity in found)
    assert found["Parallel operation with the utility"] == "none"
    assert found["Fault level used"] == "not stated"


def test_labels_are_drawn_and_the_studies_have_their_inputs() -> None:
    drawn = [b for b in contents(US, "ip")["Labels"].blocks if isinstance(b, DrawingBlock)]
    texts = {shape.text for b in drawn for shape in b.scene.shapes if hasattr(shape, "text")}
    assert "FED FROM PDU-A-A-1, CB-4" in texts
    # no fault level of the utility is stated: no label of its service equipment
    assert not any("110.24" in text for text in texts)
    assert any("SWITCHBOARD LVB" in text for text in texts)
    setup = PageSetup("", "", "", metric_paper=False)
    sheets = {sheet.name: sheet for sheet in list_sheets(made(US), setup)}
    circuits = made(US).distribution.feeders.feeders
    devices = {row for row, _ in sheets["Study devices"].cells}
    assert len(devices) == 1 + len(circuits)
    buses = {row for row, _ in sheets["Study buses"].cells}
    assert len(buses) == 1 + len(made(US).distribution.arc_flash)


def test_cover_of_an_issued_set_names_violations_and_missing_identification() -> None:
    base = made(US)  # with a panel rated below its fault current, and no company
    identity = replace(base.facility.identity, status="ISSUED FOR PERMIT")
    issued = replace(base, facility=replace(base.facility, identity=identity))
    texts = [
        block.text
        for block in cover(issued, "ip", [], boxed={}).blocks
        if isinstance(block, Paragraph)
    ]
    assert any(text.startswith("ISSUED FOR PERMIT, with ") for text in texts)
    assert any("not stated: number, company" in text for text in texts)
    assert any(text.startswith("Checks: ") and "not evaluated" in text for text in texts)
    plain = [
        block.text
        for block in cover(base, "ip", [], boxed={}).blocks
        if isinstance(block, Paragraph)
    ]
    assert not any("ISSUED" in text for text in plain)
