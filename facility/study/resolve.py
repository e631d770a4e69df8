"""From what the user said to a complete facility, with every default in the ledger."""

from __future__ import annotations

import math

from facility.core.errors import FacilityError, near_matches
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.facility import Criteria, Facility
from facility.model.project.document import Project
from facility.model.project.power import PowerSection
from facility.power.it_load import ItLoad, roll_up
from facility.study.resolve_cooling import resolve_cooling
from facility.study.resolve_it import resolve_it
from facility.study.resolve_power import resolve_power
from facility.study.resolve_site import (
    resolve_criteria,
    resolve_house,
    resolve_identity,
    resolve_site,
)

_SIDES = "ABCD"
_RULE = Source("planning-rule", "default of this program", verified="computed")


def resolve(project: Project, trace: Trace) -> tuple[Facility, ItLoad]:
    """Return the complete facility of `project`, and its IT load.

    Every value the project leaves open is filled with a named, sourced default that is recorded
    in ``trace.ledger``.

    Raises
    ------
    FacilityError
        For a reference that does not exist, or values that contradict each other.
    """
    site = resolve_site(project.site, trace)
    criteria = resolve_criteria(project.criteria, trace)
    section = _with_enough_feeds(project, criteria, trace)
    power = resolve_power(section, criteria, trace)
    it = resolve_it(project.it, power.feeds, trace)
    load = roll_up(it, trace)
    cooling = resolve_cooling(project.cooling, it, site, criteria, trace)
    house = resolve_house(project.house, load.it_w, it, trace)
    facility = Facility(
        identity=resolve_identity(project.project, trace),
        site=site,
        criteria=criteria,
        it=it,
        power=power,
        cooling=cooling,
        house=house,
    )
    return facility, load


def _with_enough_feeds(project: Project, criteria: Criteria, trace: Trace) -> PowerSection:
    """Return the power section with the feeds the supplies need, where they are left open.

    One UPS system, or primary systems behind transfer switches, can feed any number of
    distribution sides: a server of 4+2 supplies needs three of them to lose one. Schemes with a
    system per feed are left as they are and checked.
    """
    section = project.power
    if section.feeds is not None or project.it.feeds is not None:
        return section
    probe = Trace()
    power = resolve_power(section, criteria, probe)
    if not (power.scheme.one_system or power.scheme.reserve):
        return section
    sets = [
        placed.device.psu
        for rack in resolve_it(project.it, power.feeds, probe).racks
        for placed in rack.placed
        if placed.device.psu is not None
    ]
    for feeds in (power.feeds, *(tuple(_SIDES[:n]) for n in range(3, len(_SIDES) + 1))):
        if all(math.ceil(psu.count / len(feeds)) <= psu.count - psu.needed for psu in sets):
            break
    else:
        return section
    if feeds == power.feeds:
        return section
    trace.ledger.add_text(
        "power.feeds", ", ".join(feeds),
        f"the supplies outlive the loss of one of {len(feeds)} sides, not of {len(power.feeds)}",
        _RULE,
    )  # fmt: skip
    return section.model_copy(update={"feeds": feeds})


def refuse_unknown_confirmations(project: Project, trace: Trace) -> None:
    """Refuse a confirmation of an assumption that was never made.

    Raises
    ------
    FacilityError
        ``UNKNOWN_ASSUMPTION`` with near matches.
    """
    known = {assumption.id for assumption in trace.ledger}
    for index, id in enumerate(project.confirmed or ()):
        if id not in known:
            raise FacilityError(
                "UNKNOWN_ASSUMPTION",
                f"confirmed[{index}]",
                f"no assumption {id!r} is made in this project.",
                near_matches(id, known),
            )
