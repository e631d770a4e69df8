"""From the ``it`` section to a complete plan of halls and racks."""

from __future__ import annotations

from facility.core.errors import FacilityError
from facility.core.sources import RULE
from facility.core.trace import Trace
from facility.model.device import Device
from facility.model.inputs.it import HallSection, ItSection
from facility.model.it import Hall, ItPlan, Rack
from facility.study.resolve.it.basis import Inputs, resolve_basis, resolve_factors
from facility.study.resolve.it.devices import device_book
from facility.study.resolve.it.halls import resolve_hall
from facility.study.resolve.it.long_form import built_racks, check_feeds
from facility.study.resolve.it.short_form import design_racks, rack_pitch, refuse_circuits


def resolve_it(
    section: ItSection, feeds: tuple[str, ...], trace: Trace, most_air_m3_s: float = float("inf")
) -> ItPlan:
    """Return the IT plan of `section`, every default in ``trace.ledger``.

    section: What the project says.
    feeds: Feeds of the plant, e.g. ``("A", "B", "C")``.
    trace: Receives givens, assumptions and choices.
    most_air_m3_s: Most air that the cooling may ask a rack to draw: racks left open are filled no
        further.

    Raises for an unknown model or feed, a contradiction, a figure that nobody knows, or equipment
    that does not fit; ``LIMIT`` for more rack circuits than a design is made for.
    """
    own = check_feeds(section.feeds, feeds, "it.feeds") if section.feeds is not None else feeds
    basis = resolve_basis(section, trace)
    factors = resolve_factors(section, trace)
    book = device_book(section.devices, trace)
    optics = section.network.optics if section.network is not None else None
    measured = section.measured_power
    inputs = Inputs(
        basis, measured.si if measured else None, optics or "active", trace, most_air_m3_s
    )
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
        halls=_halls(halls, racks, trace),
        racks=tuple(racks),
        checks=checks,
        **factors,
    )


def _hall_sections(section: ItSection, trace: Trace) -> list[HallSection]:
    halls = section.halls
    if halls is None:
        trace.ledger.add_text("it.halls", "one hall", "all racks stand in one hall", RULE)
        return [HallSection(name="Hall 1")]
    names = [hall.name for hall in halls]
    if not names:
        raise FacilityError(
            "MISSING_FIELD", "it.halls", "the list is empty.", "List a hall, or leave halls out."
        )
    for index, name in enumerate(names):
        if name in names[:index]:
            raise FacilityError(
                "DUPLICATE",
                f"it.halls[{index}].name",
                f"there are two halls {name!r}.",
                "Give each hall its own name.",
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
        count = sum(rack.count for rack in here)
        pitch = rack_pitch(_most_common(here))
        halls.append(resolve_hall(section, index, count, pitch, trace))
    return tuple(halls)


def _most_common(racks: list[Rack]) -> Device:
    return max(racks, key=lambda rack: rack.count).placed[0].device
