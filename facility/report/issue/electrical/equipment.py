"""Equipment schedule: tags, ratings, makes, weights and footprints of the power chain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from facility.catalogue import Row, table
from facility.core.views import System, show
from facility.model.inputs.power.nameplates import EquipmentNameplateSection
from facility.report.book.distribution.mechanical import (
    MECHANICAL_BOARDS,
    MECHANICAL_CIRCUITS,
    mechanical_board_rows,
    mechanical_circuit_rows,
)
from facility.report.issue.content import Block, SheetContent, TableBlock
from facility.report.issue.electrical.facts import ElectricalFacts
from facility.report.issue.electrical.printed import NOT_STATED, listing, printed
from facility.report.issue.one_line import transfer_poles
from facility.report.sheet.grid import Amount, Column, GridValue, SheetTable
from facility.report.tables.names import tag_list

_SERIES = 200
KINDS: Mapping[str, str] = {
    "generator-plant": "Generator sets",
    "mv-switchgear": "MV switchgear",
    "transformer": "Transformer",
    "generator-bus": "Generator bus",
    "ats": "Transfer switch",
    "lv-board": "LV board",
    "ups": "UPS module",
    "static-bypass": "Static bypass",
    "maintenance-bypass": "Maintenance bypass",
    "ups-output": "UPS output board",
    "sts": "Static transfer switch",
    "pdu": "PDU",
    "panel": "Panelboard",
    "busway": "Busway",
}
IEC_KINDS: Mapping[str, str] = {**KINDS, "panel": "Distribution board"}
_INCH = 0.0254
_PLATES = {"generator-plant": "generator"}
_NOTE = (
    "Weight and size: of one unit, from its nameplate as stated, otherwise the catalogue; "
    "structural engineer and installer confirm them with the approved submittals. Rating of "
    "generator sets: nameplate, before derating to the site."
)
_STUDIES = (
    "Entries that are not stated are for the submittal; nameplates of equipment and panels that "
    "the project states are printed here."
)


@dataclass(frozen=True)
class EquipmentItem:
    """One piece of equipment, or its equal units."""

    tags: tuple[str, ...]
    kind: str
    voltage_v: float | None
    rating: Amount | None
    source: str
    location: str
    plate: EquipmentNameplateSection | None
    row: Row | None  # Catalogue row of its model
    model: str
    units: int

    @property
    def manufacturer(self) -> str:
        """Manufacturer as stated, else of the catalogue row."""
        if self.plate is not None and self.plate.manufacturer:
            return self.plate.manufacturer
        return str(self.row["vendor"] or NOT_STATED) if self.row is not None else NOT_STATED

    @property
    def type(self) -> str:
        """Type as stated, else the model of the design."""
        stated = self.plate.type if self.plate is not None else None
        return stated or self.model or NOT_STATED

    @property
    def number(self) -> str:
        """Catalogue number as stated."""
        stated = self.plate.catalogue_number if self.plate is not None else None
        return stated or NOT_STATED

    @property
    def tag(self) -> str:
        """First and last tag."""
        return self.tags[0] if len(self.tags) == 1 else f"{self.tags[0]} to {self.tags[-1]}"

    @property
    def listed(self) -> str:
        """All tags, runs of consecutive numbers as first and last."""
        return tag_list(self.tags)

    @property
    def weight(self) -> GridValue:
        """Weight of one unit [kg]."""
        if self.plate is not None and self.plate.weight is not None:
            return self.plate.weight.si
        for name in ("dry_weight_kg", "weight_kg"):
            found = (
                None
                if self.row is None or name not in self.row.values
                else self.row.si_or_none(name)
            )
            if found is not None:
                return found
        return NOT_STATED

    def footprint(self, system: System) -> str:
        """Return width, depth and height of one unit."""
        plate, row = self.plate, self.row
        sides: list[float | None] = []
        if plate is not None and plate.width and plate.depth:
            sides = [side.si for side in (plate.width, plate.depth, plate.height) if side]
        elif row is not None:
            deep = "depth_mm" if "depth_mm" in row.values else "length_mm"
            names = ("width_mm", deep, "height_mm")
            sides = [row.si_or_none(name) if name in row.values else None for name in names]
        if len(sides) < 2 or None in sides[:2]:
            return NOT_STATED
        scale = _INCH if system == "ip" else 1e-3
        return " x ".join(f"{side / scale:,.0f}" for side in sides if side is not None)


_COLUMNS: SheetTable[EquipmentItem] = SheetTable(
    "Equipment schedule",
    (
        Column("listed", "Tag", 26),
        Column("kind", "Equipment", 26),
        Column("units", "Quantity", 13, "count"),
        Column("voltage", "Voltage", 13, "line_voltage", of=lambda e: e.voltage_v),
        Column("rating", "Rating of one", 18),
        Column("manufacturer", "Manufacturer", 30),
        Column("type", "Type", 34),
        Column("number", "Catalogue no.", 24),
        Column("weight", "Weight of one", 16, "mass", number_format="n0"),
        Column("footprint", "W x D x H", 30),
        Column("source", "Fed from", 26),
        Column("location", "Location", 24),
    ),
)


def equipment_schedule(facts: ElectricalFacts) -> SheetContent:
    """Return the equipment of the power chain, and the mechanical circuits and boards."""
    items, system = list(equipment_items(facts)), facts.system
    head = f"W x D x H ({'in.' if system == 'ip' else 'mm'})"
    size = Column[EquipmentItem]("footprint", head, 30, of=lambda e: e.footprint(system))
    columns = (size if one.key == "footprint" else one for one in _COLUMNS.columns)
    table_of = replace(_COLUMNS, columns=tuple(columns))
    tags = [one.tag for one in items]
    blocks: list[Block] = [listing(table_of, items, facts.system, _NOTE, _STUDIES, keys=tags)]
    design = facts.design
    egc = "Equipment grounding conductor" if facts.nec else "Protective conductor"
    circuits = tuple(
        replace(one, head=egc) if one.key == "egc" else one for one in MECHANICAL_CIRCUITS.columns
    )
    for of, rows in (
        (replace(MECHANICAL_CIRCUITS, columns=circuits), list(mechanical_circuit_rows(design))),
        (MECHANICAL_BOARDS, list(mechanical_board_rows(design))),
    ):
        if rows:
            keys = [str(row["tag"]) for row in rows]
            blocks.append(TableBlock(printed(of, rows, facts.system, keys=keys)))
    return SheetContent("E", _SERIES, "Equipment schedule", tuple(blocks), large=True)


def equipment_items(facts: ElectricalFacts) -> Iterator[EquipmentItem]:
    """Yield the equipment in the order of supply; equal panels of one source are together."""
    design = facts.design
    plates: dict[str, EquipmentNameplateSection] = {
        one.equipment: one for one in design.project.power.nameplates or ()
    }
    poles = transfer_poles(design)
    module, plant = design.chain.ups.module, design.chain.generators
    models = {
        "ups": (module.model, _row("equipment/ups", module.frame or module.model)),
        "generator-plant": (plant.model, _row("equipment/generators", plant.model)),
    }
    for one in design.distribution.plan.network.equipment:
        if one.kind not in KINDS:
            continue
        model, row = models.get(one.kind, ("", None))
        plate = plates.get(_PLATES.get(one.kind, one.kind))
        if one.tag in facts.supplies:
            stated = facts.supplies[one.tag].plate
            plate = EquipmentNameplateSection(
                equipment="lv-board", manufacturer=stated.manufacturer, type=stated.type
            )
        rating = None if one.rating_a is None else Amount(one.rating_a, "current")
        if one.rating_va is not None:
            sets_va = design.chain.generators.rating_va if one.kind == "generator-plant" else None
            rating = Amount(sets_va or one.rating_va, "apparent_power")
        kind = (KINDS if facts.nec else IEC_KINDS)[one.kind]
        yield EquipmentItem(
            one.unit_tags,
            f"{kind}, {poles[one.tag]}" if one.tag in poles else kind,
            one.voltage_v,
            rating,
            ", ".join(link.source for link in one.links) or "none",
            one.hall or NOT_STATED,
            plate,
            row,
            model,
            len(one.unit_tags),
        )
    yield from _batteries(facts, plates.get("battery"))


def _row(name: str, model: str) -> Row | None:
    return next((row for row in table(name).rows if row["model"] == model), None)


def _batteries(
    facts: ElectricalFacts, plate: EquipmentNameplateSection | None
) -> Iterator[EquipmentItem]:
    """Yield the battery cabinets of the UPS systems."""
    results = facts.design.results
    count, model = results.get("battery.cabinets"), results.get("battery.model")
    if count is None:
        return
    mass, cabinets = results.get("battery.mass"), int(float(count.si))
    words = [] if model is None else [str(model.si)]
    if mass is not None and cabinets:
        words.append(f"blocks {show(float(mass.si) / cabinets, 'mass', facts.system, digits=0)}")
    yield EquipmentItem(
        ("BAT",),
        "Battery cabinets",
        None,
        None,
        "UPS modules",
        NOT_STATED,
        plate,
        None,
        ", ".join(words),
        cabinets,
    )
