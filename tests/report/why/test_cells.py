"""Every number in a table of a page can be asked about, and is told as the table has it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import pytest

from facility.core.errors import FacilityError
from facility.report.sheet.grid import Amount, Column, SheetTable, TextTable, Values
from facility.report.studies.annual import Annual
from facility.report.studies.equipment import CoolingAtHour, PowerTrain
from facility.report.studies.load_motion import LoadMotionShown
from facility.report.studies.protocol import Study
from facility.report.studies.transient import Transient
from facility.report.why.cells import ExplainedCell, cell_of
from facility.report.why.derivation import why
from facility.report.why.known import Known, known
from facility.report.why.pages import of_hour, of_ride
from facility.study.cooling_hour import cooling_hour
from facility.study.design.design import Design
from tests.study.helpers import design_of, reference

IEC = """\
schema_version: 1
site: {station: ashburn, country: DE}
it: {gpu_model: H100 SXM5, gpus: 256}
power: {redundancy: 2N}
cooling: {method: air}
criteria: {code: IEC}
"""


def shown(found: Design) -> Iterator[tuple[TextTable, tuple[Known, ...]]]:
    """Yield the tables of the pages, each with what is known where it is shown."""
    tuple(found.studies)
    ride, of_design = found.ride_through.study, known(found)
    assert ride is not None
    assert found.year is not None
    hour = cooling_hour(found, found.facility.site.design, 1.0)
    studies: list[tuple[Study, tuple[Known, ...]]] = [
        (PowerTrain(found), (of_design,)),
        (CoolingAtHour(found, hour), (of_hour(hour), of_design)),
        (Transient(found, ride), (of_ride(ride), of_design)),
        (Annual(found, found.year), (of_design,)),
    ]
    if found.moving_load.study is not None:
        studies.append((LoadMotionShown(found, found.moving_load.study), (of_design,)))
    for study, where in studies:
        for table in study.tables("si"):
            yield table, where


def asked_everywhere(
    table: TextTable, where: tuple[Known, ...]
) -> Iterator[tuple[int, int, ExplainedCell | None]]:
    for row in range(len(list(table.rows))):
        for column, head in enumerate(table.heads):
            yield row, column, cell_of(table, row, head, *where)


@pytest.mark.parametrize("found", ["dgx-su-32", IEC], ids=["NEC", "IEC"])
def test_every_number_of_every_table_is_told_as_it_stands(found: str) -> None:
    design = reference(found) if found == "dgx-su-32" else design_of(found)
    how: Counter[str] = Counter()
    for table, where in shown(design):
        assert len(set(table.heads)) == len(table.heads), table.title
        for row, column, asked in asked_everywhere(table, where):
            value = table.cells[row][column].value if table.cells else None
            number = value.si if isinstance(value, Amount) else value
            if asked is None:
                assert number is None or isinstance(number, str), (table.title, row, column)
                continue
            told = why(asked.known, asked.id)
            assert told.because or told.equation or told.value, (table.title, asked.id)
            if asked.id in asked.known.trace and isinstance(number, int | float):
                step = asked.known.trace.value(asked.id)
                same = table.keys or math.isclose(step, number, rel_tol=1e-12)
                assert same, (table.title, asked.id, step, number)
            how["result" if " · " not in asked.id else told.how] += 1
    assert how["result"] > 300
    assert how["computed"] > 5
    assert how["derived"] > 300


def test_a_circuit_is_told_by_the_steps_that_chose_it() -> None:
    found = reference("dgx-su-32")
    circuits = next(t for t, _ in shown(found) if "Feeder" in t.title)  # runs the distribution
    of_design = known(found)
    row = [cells[0] for cells in circuits.rows].index("LVB-A>UPS-A")
    for head, id in (
        ("Required", "feeder.LVB-A>UPS-A.required"),
        ("Device", "feeder.LVB-A>UPS-A.ocpd"),
        ("Line conductor", "feeder.LVB-A>UPS-A.conductor"),
        ("Ampacity used", "LVB-A>UPS-A · Ampacity used"),
    ):
        asked = cell_of(circuits, row, head, of_design)
        assert asked is not None
        assert asked.id == id
    assert asked is not None
    used = why(asked.known, asked.id)
    assert used.because == "Ampacity used = MIN(Corrected ampacity,Ampacity at terminations)"
    assert [one.id for one in used.inputs] == [
        "feeder.LVB-A>UPS-A.ampacity_corrected",
        "feeder.LVB-A>UPS-A.ampacity_termination",
    ]


ROOM: SheetTable[Values] = SheetTable(
    "Rooms",
    (
        Column("name", "Room", 0),
        Column("heat", "Heat (kW)", 0, "heat_flow", because="as measured"),
        Column("share", "Share", 0, "fraction", "{heat}/{whole}"),
        Column("most", "Most kW", 0, "heat_flow", "2*{heat}"),
        Column("it", "IT (kW)", 0, "active_power", id=lambda _: "load.it"),
    ),
)


def test_a_cell_is_never_told_by_a_result_of_another_value() -> None:
    of_design = known(reference("dgx-su-32"))
    it_w = of_design.trace.value("load.it")
    rows: list[Values] = [
        {"name": "A", "heat": 10.0, "share": 0.5, "most": 20.0, "it": it_w},
        {"name": "B", "heat": 20.0, "share": 1.0, "most": None, "it": 1.0},
    ]
    table = ROOM.text(rows, "si", "Of two rooms.")

    def asked(row: int, head: str) -> ExplainedCell:
        found = cell_of(table, row, head, of_design)
        assert found is not None
        return found

    assert asked(0, "IT").id == "load.it"
    assert asked(1, "IT").id == "B · IT"
    assert cell_of(table, 0, "Room", of_design) is None
    assert cell_of(table, 1, "Most", of_design) is None
    assert why(asked(0, "Heat").known, "A · Heat").because == "as measured"
    assert why(asked(0, "Share").known, "A · Share").because == "Rooms. Of two rooms."
    most = why(asked(0, "Most").known, "A · Most")
    assert most.because == "Most = 2*Heat"
    assert [(one.id, one.value) for one in most.inputs] == [("A · Heat", "0.01 kW")]
    with pytest.raises(FacilityError, match="UNKNOWN_RESULT"):
        why(of_design, "A · Heat")


def test_rows_that_are_left_out_take_their_cells_with_them() -> None:
    rows: list[Values] = [{"name": name, "heat": heat} for name, heat in (("A", 1.0), ("B", 2.0))]
    table = ROOM.text(rows).only(lambda cells: cells[0] == "B")
    assert [cells[0] for cells in table.rows] == ["B"]
    assert [cells[1].value for cells in table.cells] == [2.0]
