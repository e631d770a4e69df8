"""Complete plan of halls and racks from the ``it`` section, and hall geometry."""

from __future__ import annotations

import math

from facility.core.errors import FacilityError
from facility.core.sources import PROJECT, RULE, Source
from facility.core.trace import Trace
from facility.model.inputs.it import HallSection, ItSection
from facility.model.it import Hall, ItPlan, Rack
from facility.physics.facility.hall import hall_area, route_longest, route_mean
from facility.study.resolve.it.basis import Inputs, resolve_basis
from facility.study.resolve.it.devices import device_book
from facility.study.resolve.it.long_form import built_racks, check_feeds
from facility.study.resolve.it.short_form import design_racks, rack_pitch, refuse_circuits
from facility.study.resolve.reader import Reader

_RACKS_PER_ROW = 20


def resolve_it(
    section: ItSection,
    feeds: tuple[str, ...],
    trace: Trace,
    max_air: tuple[float, float] = (math.inf, math.inf),
) -> ItPlan:
    """Return the IT plan of `section`, every default in ``trace.ledger``.

    feeds: Feeds of the plant, e.g. ``("A", "B", "C")``.
    max_air: Maximum rack air flow [m3/s] and heat in air [W] for the cooling: limit for filling
        default racks.

    Raises for an unknown model or feed, a contradiction, an unknown value, or equipment
    that does not fit; ``LIMIT`` for too many rack circuits.
    """
    own = check_feeds(section.feeds, feeds, "it.feeds") if section.feeds is not None else feeds
    basis = resolve_basis(section, trace)
    read = Reader(section, "it", trace)
    demand, diversity, lost = (read(n) for n in ("demand_factor", "diversity", "rack_pdu_loss"))
    book = device_book(section, trace)
    optics = section.network.optics if section.network is not None else None
    measured = section.measured_power
    inputs = Inputs(basis, measured.si if measured else None, optics or "active", trace, *max_air)
    halls = _hall_sections(section, trace)
    built = any(hall.racks for hall in halls)
    if built:
        racks, checks = built_racks(section, own, book, inputs, trace)
    else:
        names = tuple(hall.name for hall in halls)
        racks, checks = design_racks(section, names, own, book, inputs, trace)
    refuse_circuits(racks, "it.halls" if built else "it")
    return ItPlan(
        basis=basis,
        demand_factor=demand,
        diversity=diversity,
        rack_pdu_loss_fraction=lost,
        halls=_halls(halls, racks, trace),
        racks=tuple(racks),
        checks=checks,
    )


def _hall_sections(section: ItSection, trace: Trace) -> list[HallSection]:
    halls = section.halls
    if halls is None:
        trace.ledger.add_text("it.halls", "one hall", "all racks in one hall", RULE)
        return [HallSection(name="Hall 1")]
    names = [hall.name for hall in halls]
    if not names:
        raise FacilityError(
            "MISSING_FIELD", "it.halls", "the list is empty.", "List a hall, or omit halls."
        )
    for index, name in enumerate(names):
        if name in names[:index]:
            raise FacilityError(
                "DUPLICATE",
                f"it.halls[{index}].name",
                f"hall {name!r} is listed twice.",
                "Enter a different name for each hall.",
            )
    return halls


def _halls(sections: list[HallSection], racks: list[Rack], trace: Trace) -> tuple[Hall, ...]:
    halls = []
    for index, section in enumerate(sections):
        here = [rack for rack in racks if rack.hall == section.name]
        if not here:
            raise FacilityError(
                "MISSING_FIELD",
                f"it.halls[{index}].racks",
                f"{section.name} has no racks.",
                "List racks for every hall, or for none.",
            )
        usual = max(here, key=lambda rack: rack.count).placed[0].device
        count = sum(rack.count for rack in here)
        halls.append(resolve_hall(section, index, count, rack_pitch(usual), trace))
    return tuple(halls)


def resolve_hall(
    section: HallSection, index: int, racks: int, pitch: tuple[float, Source], trace: Trace
) -> Hall:
    """Return the hall of `section`, with `racks` racks.

    pitch: Rack pitch [m] if not specified for the hall, and its source.

    Raises ``CONTRADICTION`` if the mean route exceeds the maximum.
    """
    id = f"it.hall.{index + 1}"
    read = Reader(section, id, trace)
    read("rack_pitch", pitch[0], source=pitch[1])
    row_pitch_m = read("row_pitch")
    rows = read.count(
        "rows", max(1, math.ceil(racks / _RACKS_PER_ROW)), f"{_RACKS_PER_ROW} racks per row"
    )
    trace.given(f"{id}.racks", racks, "count", Source("roll-up"))
    if section.floor_area is not None:
        area_m2 = trace.given(f"{id}.floor_area", section.floor_area.si, "area", PROJECT)
    else:
        read("circulation")
        area_m2 = trace.do(
            f"{id}.floor_area",
            hall_area,
            racks=f"{id}.racks",
            rack_pitch_m=f"{id}.rack_pitch",
            row_pitch_m=f"{id}.row_pitch",
            circulation=f"{id}.circulation",
        )
    mean_m, longest_m = _routes(section, id, racks / rows, rows, read)
    pitch_m = trace.value(f"{id}.rack_pitch")
    return Hall(section.name, area_m2, rows, pitch_m, mean_m, longest_m, row_pitch_m)


def _routes(
    section: HallSection, id: str, racks_per_row: float, rows: int, read: Reader
) -> tuple[float, float]:
    trace = read.trace
    where = f"it.halls[{int(id.rsplit('.', 1)[1]) - 1}]"
    lengths = {"route_mean": section.route_mean, "route_max": section.route_max}
    if section.route_mean is None or section.route_max is None:
        rule = read.word("route_rule", section.route_rule)
        read("drops")
        trace.given(f"{id}.racks_per_row", racks_per_row, "ratio", Source("roll-up"))
    found: dict[str, float] = {}
    for (name, given), equation in zip(lengths.items(), (route_mean, route_longest), strict=True):
        if given is not None:
            found[name] = trace.given(f"{id}.{name}", given.si, "length", PROJECT)
        else:
            found[name] = trace.do(
                f"{id}.{name}",
                equation,
                rule,
                racks_per_row=f"{id}.racks_per_row",
                rack_pitch_m=f"{id}.rack_pitch",
                drops_m=f"{id}.drops",
                rows_crossed=float(rows if rule == "wall" else 0),
                row_pitch_m=f"{id}.row_pitch",
            )
    if found["route_mean"] > found["route_max"]:
        raise FacilityError(
            "CONTRADICTION",
            f"{where}.route_mean",
            f"the mean route of {found['route_mean']:g} m exceeds the maximum of "
            f"{found['route_max']:g} m.",
            "Enter both, or neither.",
        )
    return found["route_mean"], found["route_max"]
