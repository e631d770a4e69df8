"""PDF, DXF, SVG and JSON of a set: the same values, the same bytes, safe with any text."""

from __future__ import annotations

import io
import json
import re
from functools import cache
from xml.etree import ElementTree

import ezdxf
import pypdf
import pytest
from ezdxf.document import Drawing
from PIL import ImageFont

from facility.files.issue.dxf import sheet_dxf
from facility.files.issue.pdf import _SIGNS, font_folder, pdf_bytes
from facility.files.issue.record import record_bytes
from facility.files.issue.svg import sheet_svg
from facility.report.issue.sheet import IssuedSheet
from tests.files.issue.issued import issued, texts
from tests.ui.hostile import HOSTILE

HOSTILES = (
    HOSTILE,
    '#panic("x") $x$ \\u{41} @ref <label> [*b*] // /* `raw` "quoted"',
    "<script>alert(1)</script>]]>&\"'\x00 <img src=x>",
    "%%u100 %%% ^J \\U+0041 {\\fArial;x} =cmd()",
)


@cache
def reader(*sets: str) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(pdf_bytes(issued(*sets))))


def dxf(sheet: IssuedSheet) -> Drawing:
    return ezdxf.read(io.StringIO(sheet_dxf(sheet).decode()))


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text.replace("\xa0", " "))


def test_title_block_states_who_issued_what() -> None:
    (block,) = dxf(issued().sheets[0]).modelspace().query("INSERT")
    found = {one.dxf.tag: one.dxf.text for one in block.attribs}
    assert found["COMPANY"] == "Example Engineering PLLC"
    assert found["PROJECT"] == "Server room of four servers"
    assert found["NUMBER"] == "2031"
    assert found["REVISION"], found["DATE"] == ("A", "2026-11-30")
    assert found["ORIGINATOR"] == "A. Moreno"
    assert found["CHECKER"] == "B. Okafor"
    assert found["APPROVER"] == "C. Lindqvist"
    assert found["STATUS"] == "PRELIMINARY · NOT FOR CONSTRUCTION"
    assert found["CODE"] == "NEC 2023"
    assert found["UNITS"] == "IP"
    assert found["HASH"] == issued().sha256[:12]


def test_pdf_has_bookmarks_metadata_and_embedded_fonts() -> None:
    found = reader()
    assert [one.title for one in found.outline] == [
        f"{sheet.number} {sheet.title}" for sheet in issued().sheets
    ]
    assert found.metadata is not None
    assert found.metadata.title == "Four servers: Server room of four servers"
    assert found.metadata.author == "A. Moreno"
    assert str(found.metadata.creation_date)[:10] == "2026-11-30"
    fonts = {
        font.get_object()["/BaseFont"].partition("+")[2]: font.get_object()
        for page in found.pages
        for font in page["/Resources"]["/Font"].values()
    }
    assert {"LiberationSans", "LiberationSans-Bold"} <= set(fonts)
    for font in fonts.values():
        (inner,) = font["/DescendantFonts"]
        assert {"/FontFile2", "/FontFile3"} & set(inner.get_object()["/FontDescriptor"])


def test_the_sheet_list_links_to_the_sheets() -> None:
    found = reader()
    links = [one.get_object() for one in found.pages[0]["/Annots"]]
    pages = [found.get_page_number(one["/Dest"].get_object()[0].get_object()) for one in links]
    titles = {sheet.content for sheet in issued().sheets}
    assert len(links) == len(titles)
    assert pages == sorted(pages)
    assert (pages[0], pages[1]) == (0, 1)


def test_ansi_drawings_are_in_inches_with_extents() -> None:
    """ANSI B is 17 in. by 11 in. (ASME Y14.1)."""
    sheet = next(one for one in issued().sheets if one.is_drawing)
    document = dxf(sheet)
    assert document.header["$INSUNITS"] == 1
    assert document.header["$EXTMIN"] == (0.0, 0.0, 0.0)
    assert document.header["$EXTMAX"] == pytest.approx((17.0, 11.0, 0.0))
    spots = [one.dxf.insert for one in document.modelspace().query("TEXT")]
    assert spots
    assert all(0.0 < spot.x < 17.0 and 0.0 < spot.y < 11.0 for spot in spots)
    (block,) = document.modelspace().query("INSERT[name=='TITLE-BLOCK']")
    assert block.dxf.xscale == pytest.approx(1.0 / 25.4)
    assert all(0.0 < one.dxf.insert.x < 17.0 for one in block.attribs)


def test_symbols_of_a_one_line_are_blocks_with_their_tags() -> None:
    tags: dict[str, str] = {}
    for sheet in issued().sheets:
        if sheet.content == "One-line diagram":
            for one in dxf(sheet).modelspace().query("INSERT"):
                tags[one.get_attrib_text("TAG")] = one.dxf.name.rpartition("-")[0]
    assert tags["UTIL"] == "SYMBOL-UTILITY"
    assert tags["ATS-1"] == "SYMBOL-ATS"
    assert tags["LVB-1"] == "SYMBOL-LV-BOARD"
    assert tags["TX-1>ATS-1"] == "SYMBOL-BREAKER"


def test_machines_and_pipes_of_the_flow_diagram_are_on_their_layers() -> None:
    """Layers of the US National CAD Standard: M-CWTR is chilled water."""
    (sheet,) = (one for one in issued().sheets if one.content == "Cooling flow diagram")
    space = dxf(sheet).modelspace()
    tags = {
        one.get_attrib_text("TAG"): (one.dxf.name.rpartition("-")[0], one.dxf.layer)
        for one in space.query("INSERT")
    }
    assert tags["CH-1"] == ("SYMBOL-MACHINE", "M-EQPM")
    assert tags["CRAH-2"] == ("SYMBOL-MACHINE", "M-EQPM")
    assert tags["P-CHW-1"] == ("SYMBOL-PUMP", "M-CWTR")
    assert tags["CH-1 supply"] == ("SYMBOL-VALVE", "M-CWTR")
    assert {one.dxf.layer for one in space.query("LWPOLYLINE")} >= {"M-CWTR-RETN", "M-CWTR-SUPP"}


def test_widths_of_signs_are_those_of_the_fonts() -> None:
    for name in ("Regular", "Bold"):
        font = ImageFont.truetype(str(font_folder() / f"LiberationSans-{name}.ttf"), 2048)
        for sign, wide in _SIGNS.items():
            assert font.getlength(sign) / 2048.0 == pytest.approx(wide, abs=1e-3), sign


def test_same_set_gives_same_bytes() -> None:
    sheet = issued().sheets[-1]
    assert pdf_bytes(issued()) == pdf_bytes(issued())
    assert sheet_dxf(sheet) == sheet_dxf(sheet)
    assert record_bytes(issued()) == record_bytes(issued())


@pytest.mark.parametrize("text", HOSTILES, ids=range(len(HOSTILES)))
def test_hostile_names_are_shown_literally(text: str) -> None:
    name = json.dumps(text.replace("\x00", ""))
    found = issued(f"project.title={name}", f"project.originator={name}")
    (page, *_) = pypdf.PdfReader(io.BytesIO(pdf_bytes(found))).pages
    shown = next(s.text for _, s in texts(found) if s.key == "sheet.project")
    assert squeezed(shown) in squeezed(page.extract_text())
    root = ElementTree.fromstring(sheet_svg(found.sheets[0]))
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        "svg",
        "title",
        "rect",
        "path",
        "text",
    }
    document = dxf(found.sheets[0])
    assert not document.audit().errors
    (block,) = document.modelspace().query("INSERT")
    (stated,) = (one.plain_text() for one in block.attribs if one.dxf.tag == "PROJECT")
    assert stated.replace("\u200b", "") == shown
