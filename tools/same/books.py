"""Workbooks read as XML, cell by cell: value, formula and style, and what else a sheet says.

Read without a library for workbooks: nothing is interpreted, and a part that is equal byte for
byte is never parsed.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

from tools.same.values import Difference, texts

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_XF_PARTS = ("numFmtId", "fontId", "fillId", "borderId")
# Strings and styles are compared where cells use them: their order in the file means nothing.
_BY_CELL = ("xl/sharedStrings.xml", "xl/styles.xml")

Mask = Callable[[str], str]
Cell = tuple[str, str, str]


class Book:
    """The parts of one workbook, with its strings, styles and the names of its sheets."""

    def __init__(self, data: bytes, mask: Mask) -> None:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            self.parts = {name: archive.read(name) for name in archive.namelist()}
        self.mask = mask
        self.strings = [mask(_text(item)) for item in self._xml("xl/sharedStrings.xml")]
        self.styles = _styles(self._xml("xl/styles.xml"))
        self.sheets = self._sheets()

    def _xml(self, part: str) -> Any:
        if part not in self.parts:
            return ElementTree.Element("none")
        return ElementTree.fromstring(self.parts[part])

    def _sheets(self) -> dict[str, str]:
        """Return the part of each sheet by its name."""
        targets = {
            one.get("Id"): one.get("Target", "").removeprefix("/xl/")
            for one in self._xml("xl/_rels/workbook.xml.rels")
        }
        found = self._xml("xl/workbook.xml").iter(f"{_MAIN}sheet")
        return {one.get("name", ""): f"xl/{targets[one.get(_RELATION)]}" for one in found}

    def rest(self) -> dict[str, str]:
        """Return the parts that are neither sheets nor compared by cell, masked."""
        apart = {*self.sheets.values(), *_BY_CELL}
        return {
            name: self.mask(data.decode("utf-8", "surrogateescape"))
            for name, data in self.parts.items()
            if name not in apart
        }

    def cells(self, part: str) -> tuple[dict[str, Cell], dict[str, str]]:
        """Return the cells of a sheet (value, formula, style), and its other elements as text."""
        found: dict[str, Cell] = {}
        others: dict[str, str] = {}
        for element in self._xml(part):
            if element.tag == f"{_MAIN}sheetData":
                for row in element:
                    for cell in row:
                        found[cell.get("r", "")] = self._cell(cell)
                    layout = {k: v for k, v in row.attrib.items() if k not in ("r", "spans", "s")}
                    if layout:
                        others[f"row {row.get('r')}"] = str(sorted(layout.items()))
            else:
                for n, one in enumerate([element, *element]):
                    name = element.tag.removeprefix(_MAIN)
                    words = str(sorted(one.attrib.items()))
                    deep = "" if n == 0 else _canonical(one)
                    key = name if n == 0 else f"{name} {n}"
                    while key in others:
                        key += "'"
                    others[key] = self.mask(deep or words)
        return found, others

    def _cell(self, cell: Any) -> Cell:
        value = cell.find(f"{_MAIN}v")
        formula = cell.find(f"{_MAIN}f")
        shown = "" if value is None else value.text or ""
        if cell.get("t") == "s":
            shown = self.strings[int(shown)]
        elif cell.get("t") == "inlineStr":
            shown = self.mask(_text(cell))
        elif cell.get("t") in ("str", "e", "b"):
            shown = self.mask(shown)
        formula_text = "" if formula is None else "=" + (formula.text or "")
        style = self.styles[int(cell.get("s", "0"))] if self.styles else ""
        return f"{shown}", self.mask(formula_text), style


def _text(element: Any) -> str:
    return "".join(found.text or "" for found in element.iter(f"{_MAIN}t"))


def _canonical(element: Any) -> str:
    return str(ElementTree.tostring(element, encoding="unicode"))


def _styles(root: Any) -> list[str]:
    """Return each cell format as text: number format, font, fill, border, lock, alignment."""
    formats = {one.get("numFmtId"): one.get("formatCode") for one in root.iter(f"{_MAIN}numFmt")}
    lists = {
        name: list(root.find(f"{_MAIN}{name}") or ()) for name in ("fonts", "fills", "borders")
    }
    found = []
    for xf in root.find(f"{_MAIN}cellXfs") or ():
        ids = [xf.get(part, "0") for part in _XF_PARTS]
        words = [f"format {formats.get(ids[0], ids[0])}"]
        for name, id in zip(("fonts", "fills", "borders"), ids[1:], strict=True):
            words.append(_short(lists[name][int(id)]))
        words += [_short(part) for part in xf]
        found.append(" | ".join(words))
    return found


def _short(element: Any) -> str:
    return re.sub(r' ?xmlns(:\w+)?="[^"]*"|ns0:', "", _canonical(element))


def books(
    before: bytes, after: bytes, masks: tuple[Mask, Mask], near: float
) -> Iterator[Difference]:
    """Yield the differences of two workbooks, cell by cell."""
    old, new = Book(before, masks[0]), Book(after, masks[1])
    if list(old.sheets) != list(new.sheets):
        yield Difference("(sheets)", ", ".join(old.sheets), ", ".join(new.sheets))
    alike = all(
        old.parts.get(part) == new.parts.get(part) for part in _BY_CELL
    )  # then equal bytes of a sheet are equal cells
    for name, part in old.sheets.items():
        if name not in new.sheets:
            continue
        other = new.sheets[name]
        if alike and old.parts[part] == new.parts[other]:
            continue
        yield from _sheet(name, old.cells(part), new.cells(other), near)
    rest = old.rest(), new.rest()
    for part in sorted({*rest[0], *rest[1]}):
        one, two = (some.get(part, "(not there)") for some in rest)
        if one != two:
            where = next(
                (n for n, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]),
                min(len(one), len(two)),
            )
            start = max(0, where - 30)
            yield Difference(f"({part})", *(some[start : where + 60] for some in (one, two)))


def _sheet(name: str, old: Any, new: Any, near: float) -> Iterator[Difference]:
    (cells, others), (new_cells, new_others) = old, new
    for ref in [*cells, *(ref for ref in new_cells if ref not in cells)]:
        one, two = cells.get(ref), new_cells.get(ref)
        if one == two:
            continue
        if one is None or two is None:
            gone = "(not there)"
            yield Difference(f"{name}!{ref}", _whole(one) or gone, _whole(two) or gone)
            continue
        yield from texts(f"{name}!{ref}", one[0], two[0], near)
        if one[1] != two[1]:
            yield Difference(f"{name}!{ref} (formula)", one[1], two[1])
        if one[2] != two[2]:
            yield Difference(f"{name}!{ref} (style)", one[2], two[2])
    for key in [*others, *(key for key in new_others if key not in others)]:
        one, two = others.get(key, "(not there)"), new_others.get(key, "(not there)")
        if one != two:
            yield Difference(f"{name}!({key})", one, two)


def _whole(cell: Cell | None) -> str:
    return "" if cell is None else (cell[1] or cell[0] or "(empty)")
