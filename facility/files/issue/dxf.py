"""A drawing of a set as DXF: layers, the title block as a block with attributes, keys as data.

Shapes are in millimetres of the sheet, of ANSI sizes in inches, in model space and on a layout of
the paper size. A keyed
text has its key as extended data of the application FACILITY.
"""

from __future__ import annotations

import hashlib
import io
import re
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING

from facility.files.issue.pdf import missing_extra, one_line
from facility.report.drawings.scene import Arc, Layer, Point, Polyline, Shape, Text, Tone, moved
from facility.report.issue.revision import OWN_PREFIX
from facility.report.issue.sheet import IssuedSheet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ezdxf.document import Drawing
    from ezdxf.entities import Text as DxfText
    from ezdxf.layouts import BlockLayout, Modelspace

APPLICATION = "FACILITY"
INCHES, MILLIMETRES = 1, 4
"""Units of a DXF document ($INSUNITS)."""
MM_PER_INCH = 25.4
BLOCK = "TITLE-BLOCK"
SYMBOL_PREFIX = "SYMBOL-"
"""Start of the name of the blocks of symbols, which have the attribute TAG."""
LAYERS: dict[Layer, tuple[str, int]] = {
    "frame": ("G-ANNO-TTLB", 7),
    "table": ("G-ANNO-TABL", 7),
    "text": ("G-ANNO-TEXT", 7),
    "cloud": ("G-ANNO-REVS", 1),
    "power": ("E-POWR", 7),
    "device": ("E-POWR-DEVC", 7),
    "water": ("M-HYDR", 5),
    "machine": ("M-EQPM", 7),
    "chw": ("M-CWTR", 5),
    "cw": ("M-CNDW", 3),
    "fws": ("M-FWTR", 4),
    "fws_tower": ("M-TWTR", 3),
    "tcs": ("M-TCSW", 6),
    "air": ("M-HVAC", 4),
}
"""Layer names of the US National CAD Standard, and their colours.

Pipes have the suffix -RETN or -SUPP by their tone. FWTR, TWTR and TCSW (facility water, tower water
and coolant) are additions to the standard, which permits them.
"""
_SIDES: dict[Tone, str] = {"warm": "-RETN", "cold": "-SUPP"}
"""Suffix of the layer of a water pipe."""
_LOOPS: tuple[Layer, ...] = ("chw", "cw", "fws", "fws_tower", "tcs")
_COLOURS: dict[Tone, int] = {"plain": 256, "grey": 8, "alarm": 1, "warm": 1, "cold": 5}
_RULES: dict[Tone, int] = {"grey": 9}
_FILLS: dict[Tone, int] = {"plain": 7, "grey": 254, "alarm": 11, "warm": 31, "cold": 151}
_CAPITALS = 0.688
"""Height of capitals, by which DXF states the size of letters."""
_WEIGHTS = (13, 15, 18, 20, 25, 30, 35, 40, 50, 53, 60, 70, 80, 90, 100, 120, 140, 158, 200, 211)
_MAX_KEY_BYTES = 250
_HIDDEN = {"height": 1.0, "flags": 1}
"""Attribute that is not displayed."""
_CODES = re.compile(r"%%|\\[UuMm]\+")
_DASHED = "FACILITY-DASHED"
_FONTS = {False: ("FACILITY", "arial.ttf"), True: ("FACILITY-BOLD", "arialbd.ttf")}


def sheet_dxf(sheet: IssuedSheet) -> bytes:
    """Return a sheet as a DXF document (AutoCAD 2010); equal sheets produce equal bytes.

    Raises ``NO_DOCUMENTS_EXTRA`` without the extra packages of documents.
    """
    try:
        import ezdxf
        from ezdxf.transform import scale_uniform
    except ModuleNotFoundError:
        raise missing_extra("DXF", "ezdxf") from None
    with _fixed_data():
        inches = sheet.paper.name.startswith("ANSI")
        document = ezdxf.new("R2010", units=INCHES if inches else MILLIMETRES)
        document.appids.add(APPLICATION)
        for name, font in _FONTS.values():
            document.styles.add(name, font=font)
        document.linetypes.add(_DASHED, [2.6, 1.6, -1.0])
        for layer, (name, colour) in LAYERS.items():
            for suffix in ("", *_SIDES.values()) if layer in _LOOPS else ("",):
                document.layers.add(f"{name}{suffix}", color=colour)
        _add_block(document, sheet)
        space = document.modelspace()
        blocks: dict[tuple[object, ...], str] = {}
        for name, shapes in groupby(sheet.body, key=lambda shape: shape.symbol):
            if name:
                _add_symbol(document, name, list(shapes), sheet.paper.height_mm, blocks)
            else:
                for shape in shapes:
                    _add(space, shape, sheet.paper.height_mm)
        unit_mm = MM_PER_INCH if inches else 1.0
        if inches:
            document.header["$LTSCALE"] = 1.0 / unit_mm
            scale_uniform(space, 1.0 / unit_mm)
        wide, high = (
            round(sheet.paper.width_mm / unit_mm, 6),
            round(sheet.paper.height_mm / unit_mm, 6),
        )
        _set_page(document, sheet.number, wide, high, "inch" if inches else "mm")
        space.reset_extents((0.0, 0.0, 0.0), (wide, high, 0.0))
        document.header["$EXTMIN"], document.header["$EXTMAX"] = (0.0, 0.0, 0.0), (wide, high, 0.0)
        stream = io.StringIO()
        document.write(stream)
    return stream.getvalue().encode("utf-8", "replace")


@contextmanager
def _fixed_data() -> Iterator[None]:
    """Write documents without time and random numbers."""
    from ezdxf import options

    before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        options.write_fixed_meta_data_for_testing = before


def _add_block(document: Drawing, sheet: IssuedSheet) -> None:
    """Add border and title block as a block whose attributes are the texts of the sheet."""
    block = document.blocks.new(BLOCK)
    high = sheet.paper.height_mm
    for shape in sheet.frame:
        _add(block, shape, high)
    insert = document.modelspace().add_blockref(BLOCK, (0, 0), {"layer": LAYERS["frame"][0]})
    for text in sheet.stamps:
        tag = text.key.removeprefix(OWN_PREFIX).upper()
        _place(block.add_attdef(tag, dxfattribs=_style(text)), text, high)
        attribute = insert.add_attrib(tag, _words(text.text), dxfattribs=_style(text))
        _place(attribute, text, high)


def _add_symbol(
    document: Drawing,
    name: str,
    shapes: list[Shape],
    height_mm: float,
    blocks: dict[tuple[object, ...], str],
) -> None:
    """Insert the block of a symbol with its tag as an attribute; equal symbols share a block.

    Its name has a hash of its shapes: blocks of one name are equal on all sheets.
    """
    kind, _, tag = name.partition(":")
    x, y = _corner(shapes[0])
    local = list(moved(shapes, -x, -y))
    found = (kind, *(_outline(shape) for shape in local))
    if found not in blocks:
        digest = hashlib.sha256(repr(found).encode()).hexdigest()[:6]
        blocks[found] = f"{SYMBOL_PREFIX}{kind.upper()}-{digest.upper()}"
        block = document.blocks.new(blocks[found])
        for shape in local:
            _add(block, shape, 0.0)
        block.add_attdef("TAG", (0.0, 0.0), dxfattribs=_HIDDEN)
    layer = {"layer": _layer_name(shapes[0])}
    insert = document.modelspace().add_blockref(blocks[found], (x, height_mm - y), layer)
    insert.add_attrib("TAG", _words(tag)[:_MAX_KEY_BYTES], (x, height_mm - y), _HIDDEN)


def _layer_name(shape: Shape) -> str:
    name = LAYERS[shape.layer][0]
    return name + _SIDES.get(shape.tone, "") if shape.layer in _LOOPS else name


def _corner(shape: Shape) -> Point:
    if isinstance(shape, Polyline):
        return shape.points_mm[0]
    return shape.centre_mm if isinstance(shape, Arc) else shape.at_mm


def _outline(shape: Shape) -> tuple[object, ...]:
    """Return the identity of a shape of a symbol, rounded to 1 µm."""
    if isinstance(shape, Polyline):
        points = tuple((round(x, 3) + 0.0, round(y, 3) + 0.0) for x, y in shape.points_mm)
        return points, shape.closed, shape.dashed, shape.fill, shape.tone, shape.weight_mm
    x, y = _corner(shape)
    at = round(x, 3) + 0.0, round(y, 3) + 0.0
    if isinstance(shape, Arc):
        return *at, round(shape.radius_mm, 3), shape.from_deg, shape.to_deg, shape.fill
    return *at, shape.text, shape.size_mm


def _set_page(document: Drawing, number: str, wide: float, high: float, units: str) -> None:
    """Add a layout of the paper size that shows the whole sheet at full size."""
    document.layouts.rename("Layout1", number)
    layout = document.layout(number)
    layout.page_setup(size=(wide, high), margins=(0, 0, 0, 0), units=units)  # type: ignore[attr-defined]
    middle = wide / 2.0, high / 2.0
    layout.add_viewport(  # type: ignore[attr-defined]
        center=middle, size=(wide, high), view_center_point=middle, view_height=high
    )
    document.set_modelspace_vport(high, middle)


def _add(space: BlockLayout | Modelspace, shape: Shape, height_mm: float) -> None:
    if isinstance(shape, Text):
        if shape.text:
            text = space.add_text(_words(shape.text), dxfattribs=_style(shape))
            _place(text, shape, height_mm)
            if shape.key:
                key = one_line(shape.key).encode()[:_MAX_KEY_BYTES].decode("utf-8", "ignore")
                text.set_xdata(APPLICATION, [(1000, key)])
        return
    style = {
        "layer": _layer_name(shape),
        "color": _RULES.get(shape.tone, _COLOURS[shape.tone]),
        "lineweight": min(_WEIGHTS, key=lambda one: abs(one - 100.0 * shape.weight_mm)),
    }
    if isinstance(shape, Polyline) and shape.dashed:
        style["linetype"] = _DASHED
    if isinstance(shape, Arc):
        x, y = shape.centre_mm
        centre, radius = (x, height_mm - y), shape.radius_mm
        if shape.fill:
            hatch = space.add_hatch(_FILLS[shape.fill], dxfattribs={"layer": style["layer"]})
            hatch.paths.add_edge_path().add_arc(centre, radius, 0.0, 360.0)
        if shape.to_deg - shape.from_deg >= 360.0:
            space.add_circle(centre, radius, dxfattribs=style)
        else:
            space.add_arc(centre, radius, shape.from_deg, shape.to_deg, dxfattribs=style)
        return
    points = [(x, height_mm - y) for x, y in shape.points_mm]
    if shape.fill:
        hatch = space.add_hatch(_FILLS[shape.fill], dxfattribs={"layer": style["layer"]})
        hatch.paths.add_polyline_path(points, is_closed=True)
    space.add_lwpolyline(points, close=shape.closed, dxfattribs=style)


def _style(text: Text) -> dict[str, object]:
    return {
        "layer": _layer_name(text),
        "color": _COLOURS[text.tone],
        "style": _FONTS[text.bold][0],
        "height": _CAPITALS * text.size_mm,
    }


def _place(entity: DxfText, text: Text, height_mm: float) -> None:
    from ezdxf.enums import TextEntityAlignment

    aligned = {
        "start": TextEntityAlignment.LEFT,
        "middle": TextEntityAlignment.CENTER,
        "end": TextEntityAlignment.RIGHT,
    }
    x, y = text.at_mm
    entity.set_placement((x, height_mm - y), align=aligned[text.anchor])


def _words(text: str) -> str:
    """Return user text with the control codes of DXF (two percent signs, caret) taken apart."""
    # A blank after a caret stands for the caret.
    return _CODES.sub(lambda match: "\u200b".join(match[0]), one_line(text).replace("^", "^ "))
