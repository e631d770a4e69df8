"""The app in a real browser: first paint, entries, states, files, and nothing from outside."""

from __future__ import annotations

import io
import re
import socket
from pathlib import Path
from urllib.parse import urlsplit

import openpyxl
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from facility.files.project.file import apply_sets, dump_project, example_text, parse_project
from facility.study.design.design import design
from facility.study.failures.study import failures
from facility.ui.server.headers import security_headers
from tests.ui.browsing import (
    WRITING_MS,
    Watched,
    bring,
    enter,
    faults,
    field,
    find,
    is_saved,
    key_number,
    look_at,
    sidebar,
    visit,
)
from tests.ui.helpers import design_with
from tests.ui.hostile import HOSTILE, PROJECT

pytestmark = pytest.mark.browser

FIRST_VISIT_BYTES = 2_000_000


@pytest.fixture
def watched(request: pytest.FixtureRequest, visitor: Watched, address: str) -> Watched:
    """Give the app at this address, the first if none is given."""
    visitor.come(f"{address}/{getattr(request, 'param', '')}")
    visitor.settle()
    return visitor


def test_first_paint_shows_a_complete_result(browser: Browser, address: str) -> None:
    """With the headers of the server, and in less than 2 MB."""
    opened = Watched(browser)
    page = opened.page
    answer = page.goto(address)
    assert answer is not None
    assert {name.lower(): text for name, text in security_headers().items()}.items() <= (
        answer.headers.items()
    )
    opened.settle(charts=3)
    assert 1_000_000 < opened.received_bytes < FIRST_VISIT_BYTES
    found = design_with().results
    for title, key in (("IT load", "load.it"), ("Facility load", "load.facility")):
        assert float(key_number(page, title).inner_text().removesuffix("MW")) == pytest.approx(
            float(found[key].si) / 1e6, abs=0.05
        )
    expect(page.locator(".st-key-power-flow .shapes path").nth(10)).to_be_attached()
    for text in ("IT heat", "Heat to air", "condenser-water pumps"):
        expect(page.get_by_text(text).first).to_be_visible()
    expect(page.locator(".st-key-pue-stack .shapes rect").nth(10)).to_be_attached()
    expect(page.get_by_text("Findings, worst first")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^\d+ passed$")).first).to_be_visible()
    opened.close()


def test_what_is_entered_stays_refused_or_not(watched: Watched) -> None:
    page = watched.page
    before = key_number(page, "Average monthly cost").inner_text()
    enter(page, "Tariff", "lots")
    expect(page.get_by_text("Not applied", exact=True).first).to_be_visible()
    expect(page.get_by_text("'lots' is not a number with a unit").first).to_be_visible()
    watched.settle(charts=3)
    assert key_number(page, "Average monthly cost").inner_text() == before
    assert "faint" not in faults(page, 0)
    enter(page, "Number of GPUs", "2000")
    # Value and unit stand side by side, without a blank.
    expected = design_with("it.gpus=2000").results["load.it"].shown().replace(" ", "")
    expect(key_number(page, "IT load")).to_have_text(expected)
    page.get_by_role("radio", name="IP", exact=True).click()
    expect(page.get_by_text("MBH").first).to_be_visible()
    find(page, "RPP-A01")
    expect(page.get_by_role("radio", name="IP", exact=True)).to_be_checked()
    expect(field(page, "Number of GPUs")).to_have_value("2000")
    expect(field(page, "Tariff")).to_have_value("lots")
    expect(page.get_by_text("Not applied", exact=True).first).to_be_visible()
    look_at(page)
    expect(key_number(page, "IT load")).to_have_text(expected)
    page.goto(f"{page.url.partition('?')[0]}?units=ip")
    expect(page.get_by_text("MBH").first).to_be_visible()


def test_escape_clears_no_choice(watched: Watched) -> None:
    page = watched.page
    field(page, "Number of GPUs")  # opens the main inputs
    boxes = sidebar(page).get_by_role("combobox")
    expect(boxes.first).to_be_visible()
    watched.settle(charts=3)
    before = [boxes.nth(n).input_value() for n in range(boxes.count())]
    said = page.get_by_text(re.compile(r"^(Example|Saved.* · Revision \d+)$")).first.inner_text()
    assert len(before) == 4
    for number in range(len(before)):
        boxes.nth(number).click()
        for _ in range(3):
            page.keyboard.press("Escape")
    watched.settle(charts=3)
    assert [boxes.nth(n).input_value() for n in range(boxes.count())] == before
    expect(page.get_by_text(said, exact=True).first).to_be_visible()


def test_downloads_open(watched: Watched, tmp_path: Path) -> None:
    page = watched.page
    small = parse_project(example_text("nvl72-hall"))
    bring(page, "p.yaml", dump_project(small).encode())
    sidebar(page).get_by_text("Downloads", exact=True).click()
    with page.expect_download(timeout=WRITING_MS) as workbook:
        page.get_by_role("button", name="Download workbook (.xlsx)").click()
    assert workbook.value.suggested_filename == "nvl72-hall.xlsx"
    content = Path(workbook.value.path()).read_bytes()
    sheets = openpyxl.load_workbook(io.BytesIO(content), read_only=True).sheetnames
    assert {"Cover", "Assumptions", "RPP-A01"} <= set(sheets)
    watched.settle()
    with page.expect_download() as project:
        page.get_by_role("button", name="Download project file (.yaml)").click()
    text = Path(project.value.path()).read_text(encoding="utf-8")
    assert dump_project(parse_project(text)) == dump_project(small)


def choose_state(page: Page, words: str) -> None:
    """Type a state, and take the highlighted entry."""
    box = page.get_by_role("combobox", name="State", exact=True)
    box.click()
    box.fill(words)
    expect(page.get_by_role("option").first).to_contain_text(words)
    page.keyboard.press("Enter")
    expect(box).to_have_value(re.compile(f"^{re.escape(words)}"))


@pytest.mark.parametrize("watched", ["?view=one-line"], indirect=True)
def test_the_state_changes_the_one_line(watched: Watched) -> None:
    page = watched.page
    drawing = page.locator(".stage .picture")
    expect(drawing.get_by_text("A1", exact=True)).to_be_visible()
    watched.settle()
    expect(drawing.get_by_text("out of service")).to_have_count(0)
    choose_state(page, "Loss of utility")
    expect(drawing.get_by_text("out of service")).to_have_count(1)
    page.get_by_role("radio", name="On battery").click()
    expect(drawing.get_by_text("batt.").first).to_be_visible()


def test_a_circuit_that_is_lost_drops_the_racks_that_the_failures_say(watched: Watched) -> None:
    page = watched.page
    fragile = parse_project(example_text("mixed-hall"))
    fragile = apply_sets(fragile, ["power.redundancy=N+1", "power.ups.buses=2"])
    states = {s.case.outage.id: s for s in failures(design(fragile)).states}
    expected = len(states["loss of TX-11>LVB-11"].racks)
    bring(page, "p.yaml", dump_project(fragile).encode())
    look_at(page, "Power")
    dropped = page.locator(".strip .cell").filter(has_text="Racks dropped")
    expect(dropped).to_contain_text("0 of 24")
    choose_state(page, "Loss of circuit TX-11>LVB-11")
    expect(dropped).to_contain_text(f"{expected} of 24")
    page.get_by_role("button", name="Hall plan", exact=True).click()
    crossed = page.locator('.stage .picture polyline[stroke="var(--over)"]')
    expect(crossed).to_have_count(2 * expected)


@pytest.mark.parametrize("left_after_ms", [0, 200, 400])
def test_a_page_left_at_once_changes_nothing_of_the_project_that_was_opened(
    watched: Watched, left_after_ms: int
) -> None:
    """What the inputs of the page held before is sent once more, and is no edit."""
    page = watched.page
    bring(page, "two-halls.yaml", example_text("mixed-hall").encode())
    expect(page.get_by_role("heading", name="Summary")).to_be_visible()
    page.wait_for_timeout(left_after_ms)  # the project is open, and not all of the page drawn
    visit(page, "Studies")
    is_saved(page, 1)
    visit(page, "Design")
    is_saved(page, 1)
    expect(page.get_by_text("Not applied")).to_have_count(0)
    expect(field(page, "Weather station")).to_have_value("chicago")


def test_what_was_undone_stays_undone_when_the_page_is_left_at_once(watched: Watched) -> None:
    page, undo = watched.page, watched.page.get_by_role("button", name="Undo", exact=True)
    expect(field(page, "Number of GPUs")).not_to_have_value("")
    before = field(page, "Number of GPUs").input_value()
    for edited in (2, 4):
        enter(page, "Number of GPUs", "2048")
        is_saved(page, edited)
        watched.settle()
        undo.click()
        visit(page, "Studies")
        visit(page, "Design")
        is_saved(page, edited + 1)
        watched.settle()
        expect(field(page, "Number of GPUs")).to_have_value(before)
        assert page.get_by_role("button", name="Redo", exact=True).is_enabled()


def test_uploaded_text_is_shown_as_written(watched: Watched) -> None:
    page = watched.page
    bring(page, "p.json", PROJECT)
    is_saved(page, 1)
    expect(page.get_by_text(HOSTILE, exact=False).first).to_be_visible()
    for place in ("Studies", "Checks", "Documents", "Library", "Design"):
        visit(page, place)
        watched.settle()
        expect(page.get_by_text(HOSTILE[:30]).first).to_be_visible()  # long titles are shortened
        assert page.locator("a[href^=javascript]").count() == 0
        assert page.locator(".katex").count() == 0
        assert page.locator("[data-testid=stMain] b:text-is('h')").count() == 0
    bring(page, "b.yaml", b"a: &a [x]\nb: *a")
    expect(page.get_by_text("Action not completed")).to_be_visible()
    expect(page.get_by_text("YAML_ALIAS", exact=True)).to_be_visible()
    visit(page, "Design")
    watched.settle()
    bring(page, "l.yaml", b"#" * 2_000_000)
    expect(page.get_by_text(re.compile("must be 1.*MB or smaller"))).to_be_visible()


@pytest.mark.parametrize("watched", ["?view=panels"], indirect=True)
def test_circuits_of_the_design_are_typed_one_after_the_other(watched: Watched) -> None:
    page = watched.page
    grid = page.get_by_role("grid", name="Circuits of panel")

    def position(circuit: int) -> Locator:
        """Return the number of the first pole; odd ones stand on the left."""
        row = grid.get_by_role("row").filter(has_text=f"Compute {circuit:03}:")
        return row.get_by_role("gridcell").nth(4 if circuit % 2 else 6)

    expect(position(1)).to_have_text("1")
    watched.settle()
    for circuit, text in ((1, "37"), (2, "38")):
        position(circuit).click()
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(position(circuit)).to_have_text(text)
        # The view is drawn anew after each edit, as soon as the power network is known again.
        is_saved(page, circuit + 1)
        expect(page.get_by_role("progressbar", name="progress")).to_have_count(0)
        watched.settle()
    look_at(page)
    watched.settle(charts=3)
    find(page, "RPP-A01")
    expect(position(2)).to_have_text("38")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(position(2)).to_have_text("2")
    expect(position(1)).to_have_text("37")


@pytest.mark.parametrize("watched", ["studies?view=year"], indirect=True)
def test_an_hour_is_clicked_and_opened_in_the_cooling(watched: Watched) -> None:
    page = watched.page
    number = page.get_by_label("Hour of the year")
    expect(number).to_be_visible()
    watched.settle(charts=4)
    before = int(number.input_value())
    cells = page.locator("[data-chart] .cells").first
    box = cells.bounding_box()
    assert box is not None
    # The middle of 2 July (day 183 of 365), and of its hour from 6 to 7.
    x, y = box["x"] + box["width"] * 182.5 / 365, box["y"] + box["height"] * (1 - 6.5 / 24)
    page.mouse.click(x, y)
    expect(number).not_to_have_value(str(before))
    chosen = int(number.input_value())
    assert abs(chosen // 24 - 182) <= 1
    expect(page.get_by_text(re.compile(r"^\d Jul, hour [678]: .* at the meter"))).to_be_visible()
    page.get_by_role("button", name="Show hour in Design").click()
    expect(page.get_by_role("heading", name="Cooling", exact=True)).to_be_visible()
    page.get_by_role("button", name="Hour of the year").click()
    expect(page.get_by_label("Hour of the year").last).to_have_value(str(chosen))
    page.keyboard.press("Escape")
    visit(page, "Studies", "Year")
    expect(page.get_by_label("Hour of the year")).to_have_value(str(chosen))


def test_a_number_is_asked_about_by_keyboard_cell_bar_and_words(watched: Watched) -> None:
    page = watched.page
    drawer = page.get_by_role("dialog")
    expect(page.get_by_role("heading", name="Verdict:").last).not_to_contain_text("Pending: ")
    page.get_by_role("button", name=re.compile("^Facility load")).focus()
    page.keyboard.press("Enter")
    expect(drawer.get_by_text("load.facility = ")).to_be_visible()
    drawer.get_by_role("button", name="Losses, meter to equipment").click()
    expect(drawer.get_by_text("load.losses = ")).to_be_visible()
    drawer.get_by_role("button", name="Facility").first.click()
    drawer.get_by_role("button", name="PUE, design hour").click()
    expect(drawer.locator(".katex").first).to_be_visible()
    assert "faint" not in faults(page, 0)
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    watched.settle(charts=3)
    page.keyboard.press("Control+k")
    expect(drawer.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("generator ratng")
    drawer.get_by_role("option", name="Generator rating").first.click()
    expect(drawer.get_by_text("generator.rating = ")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    watched.settle(charts=3)
    page.locator(".st-key-pue-stack .plot").focus()
    for _ in range(9):
        page.keyboard.press("ArrowDown")
    expect(page.locator(".st-key-pue-stack .tip")).to_have_text(re.compile(r"^Chillers \+0\.1"))
    page.keyboard.press("Enter")
    expect(drawer.get_by_text("pue.part.cooling.chillers = ")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    watched.settle(charts=3)
    row = page.get_by_role("grid").get_by_role("row", name="Partial PUE, cooling")
    row.get_by_role("gridcell", name="1.120").click()
    expect(drawer.get_by_text("ppue.cooling = ")).to_be_visible()
    page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [("127.0.0.1", None, 101), ("evil.example", None, 403), ("127.0.0.1", "http://evil", 403)],
)
def test_only_this_machine_may_talk(
    address: str, host: str, origin: str | None, status: int
) -> None:
    port = urlsplit(address).port
    lines = [
        "GET /_stcore/stream HTTP/1.1",
        f"Host: {host}:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    lines += [f"Origin: {origin}"] if origin else []
    with socket.create_connection(("127.0.0.1", port or 0), timeout=10) as link:
        link.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = link.recv(64).decode("ascii", "replace")
    assert int(answer.split()[1]) == status


@pytest.mark.parametrize("watched", ["start?view=import"], indirect=True)
def test_an_inventory_is_uploaded_and_imported(watched: Watched) -> None:
    page = watched.page
    rows = "Room,Rack,Racks,Model,Devices per rack\nH1,Nodes,4,DGX H100,4\nH1,Fabric,2,QM9700,12\n"
    page.locator("input[type=file]").first.set_input_files(
        {"name": "racks.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    )
    summary = "6 racks, 16 servers, 24 other devices, 2 models, largest rack 40.8 kW, 1 room"
    expect(page.get_by_text(summary)).to_be_visible()
    watched.settle()
    page.get_by_role("button", name="Use these racks").click()
    expect(page.get_by_text(f"Imported: {summary}")).to_be_visible()
