"""The power chain of a design once more, in every state that it is designed for.

Shares of feeds and systems are counted from the cords of the racks; powers are complex numbers,
added stage by stage from the racks to the utility, for all in service and after each failure.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from facility.power.substation.interrupting_ratings import assembly_ratings
from facility.power.train.types import TransformerDesign
from facility.study.design.design import Design

SQRT3 = math.sqrt(3.0)
CLOSE = 1e-7


def _same(name: str, found: float, wanted: float, part: float = CLOSE) -> Iterator[str]:
    if not abs(found - wanted) <= part * max(abs(found), abs(wanted), 1e-9):
        yield f"{name}: {float(found)!r}, by hand {float(wanted)!r}"


def lagging(watts: float, factor: float) -> complex:
    return complex(watts, watts * math.tan(math.acos(factor)))


def feed_parts(found: Design, lost: str = "") -> dict[str, float]:
    """Return the part of the IT load on each feed: a device shares over its supplies alive."""
    feeds, parts, total = found.chain.chain.feeds, defaultdict[str, float](float), 0.0
    for rack in found.facility.it.racks:
        for number, watts in enumerate(rack.device_w):
            cords = Counter(s.feed for s in rack.supplies if s.device == number)
            if not cords:
                continue
            total += rack.count * watts
            alive = sum(n for feed, n in cords.items() if feed != lost)
            for feed, n in cords.items():
                if feed != lost and alive:
                    parts[feed] += rack.count * watts * n / alive
    return {feed: parts[feed] / total for feed in feeds}


@dataclass(frozen=True)
class FailureCase:
    """Parts of racks, LV boards and cooling on the UPS by system; units of each that are out."""

    racks: dict[str, float]
    boards: dict[str, float]
    cooling: dict[str, float]
    lost: str = ""
    modules_out: int = 0
    transformers_out: int = 0


def cases_of(found: Design) -> list[FailureCase]:
    """Return all in service, then each failure that the scheme is designed for."""
    chain = found.chain.chain
    scheme, buses = chain.scheme, chain.ups.buses
    systems = scheme.systems
    primaries = [s for s in systems if s != scheme.reserve]
    able = primaries if len(primaries) > 1 else list(systems)

    def even(names: list[str], lost: str) -> dict[str, float]:
        left = [s for s in names if s != lost]
        return {s: 1.0 / len(left) if s in left else 0.0 for s in systems}

    def racks(lost: str) -> dict[str, float]:
        if len(systems) == 1:
            return {systems[0]: 1.0}
        if not scheme.reserve:
            return feed_parts(found, lost)
        own = {s: 1.0 / len(primaries) if s in primaries else 0.0 for s in systems}
        if lost:
            own[scheme.reserve], own[lost] = own[lost], 0.0
        return own

    normal = FailureCase(racks(""), even(list(systems), ""), even(able, ""))
    if len(systems) > 1:
        return [
            normal,
            *(FailureCase(racks(s), even(list(systems), s), even(able, s), s) for s in systems),
        ]
    found_cases = [normal]
    parts = normal.racks, normal.boards, normal.cooling
    if scheme.spare_modules:
        found_cases.append(FailureCase(*parts, modules_out=scheme.spare_modules * buses))
    if chain.transformer.spare:
        found_cases.append(FailureCase(*parts, transformers_out=chain.transformer.spare * buses))
    return found_cases


def _through(bank: TransformerDesign, load: complex) -> complex:
    """Return loss and reactive power of the transformers of one carrier under a load."""
    unit, units = bank.unit, max(1, bank.per_carrier)
    x = abs(load) / (units * unit.rating_va)
    resistance = unit.load_loss_w / unit.rating_va
    leakage = math.sqrt(unit.impedance**2 - resistance**2)
    loss_w = units * (unit.no_load_w + x**2 * unit.load_loss_w)
    return complex(loss_w, units * unit.rating_va * x**2 * leakage)


class WorkedChain:
    """Every stage of the chain under a demand."""

    def __init__(self, found: Design, feeds: dict[str, float] | None = None) -> None:
        chain, demand = found.chain, found.point.demand
        self.found, self.basis = found, chain.chain
        it_w, it_va = float(demand.it_w), float(demand.it_va)
        square = it_w**2 / chain.reference_it_w
        wiring = chain.chain.wiring
        normal = feed_parts(found)
        ratio = 1.0
        if feeds is not None:
            ratio = sum(p**2 for p in feeds.values()) / sum(p**2 for p in normal.values())
        feeds = normal if feeds is None else feeds
        fractions = demand.rack_pdu_fraction + wiring.branch_loss + wiring.feeder_loss
        below_w = it_w + fractions * square * ratio
        self.below = complex(below_w, math.sqrt(max(0.0, it_va**2 - it_w**2)))
        self.board_w = wiring.lv_loss * square
        self.pdu = 0j
        if chain.pdus is not None:
            for part in feeds.values():
                if part > 0.0:
                    self.pdu += _through(chain.pdus, self.below * part)
        self.racks = self.below + self.pdu
        factor = chain.chain.mechanical_power_factor
        self.cooling = lagging(float(demand.mech_ups_w), factor)
        self.other = lagging(float(demand.mech_w), factor)
        self.other += lagging(float(demand.house_w), chain.chain.house_power_factor)

    def ups(self, case: FailureCase) -> dict[str, tuple[complex, float, complex, int]]:
        """Return output, loss, input and modules of each system in a case."""
        ups = self.found.chain.ups
        module, units = ups.module, max(1, ups.modules_per_system - case.modules_out)
        flows = {}
        for system in ups.systems:
            out = self.racks * case.racks[system] + self.cooling * case.cooling[system]
            if system == case.lost:
                flows[system] = (0j, 0.0, 0j, units)
                continue
            rated_w = units * module.rating_w
            x = out.real / rated_w
            loss_w = rated_w * (module.constant + module.linear * x + module.quadratic * x * x)
            taken = lagging(out.real + loss_w, module.input_power_factor)
            flows[system] = (out, loss_w, taken, units)
        return flows

    def boards(self, case: FailureCase) -> dict[str, complex]:
        """Return the load on the LV boards of each system in a case."""
        return {
            system: taken + (self.other + self.board_w) * case.boards[system]
            for system, (_, _, taken, _) in self.ups(case).items()
        }


def power_train(found: Design) -> Iterator[str]:
    """UPS, PDU and MV transformers, generators and utility, in all cases."""
    work, cases, flow, chain = WorkedChain(found), cases_of(found), found.point.flow, found.chain
    ups, module = chain.ups, chain.ups.module
    for part, share in feed_parts(found).items():
        number = chain.chain.feeds.index(part)
        yield from _same(f"part of feed {part}", chain.feeds.normal[number], share)
    yield from _same("losses.pdu_transformer", flow.part("pdu_transformer").loss_w, work.pdu.real)
    loads = [work.ups(case) for case in cases]
    out = work.racks + work.cooling
    yield from _same("ups.output", flow.ups.output_w, out.real)
    yield from _same("ups.output_va", flow.ups.output_va, abs(out))
    taken = sum((one[2] for one in loads[0].values()), 0j)
    yield from _same("ups.input", flow.ups.input_w, taken.real)
    yield from _same("ups.input_va", flow.ups.input_va, abs(taken))
    losses = [sum(one[1] for one in case.values()) for case in loads]
    yield from _same("ups.losses", flow.ups.losses_w, losses[0])
    yield from _same("ups.losses_failure", flow.ups.losses_failure_w, max(losses))

    def fullest(of: list[dict[str, tuple[complex, float, complex, int]]], by_va: bool) -> float:
        return max(
            (abs(o) / module.rating_va if by_va else o.real / module.rating_w) / units
            for case in of
            for o, _, _, units in case.values()
        )

    for name, by_va, found_in in (
        ("loading", False, flow.ups.loading),
        ("loading_va", True, flow.ups.loading_va),
    ):
        yield from _same(f"ups.{name}_normal", found_in.normal, fullest(loads[:1], by_va))
        yield from _same(f"ups.{name}_failure", found_in.failure, fullest(loads, by_va))
    worst_w = max(o.real for case in loads for o, _, _, _ in case.values())
    yield from _same("ups.output.failure", flow.ups.system_w_worst, worst_w)
    yield from _same(
        "ups.loading_fullest", flow.ups.most_loaded_phase, _fullest_phase(found, work, cases)
    )
    boards = [work.boards(case) for case in cases]
    worst_va = max(abs(load) for case in boards for load in case.values())
    yield from _same("worst LV board", flow.board_va_worst, worst_va)
    lost = 0j
    if chain.transformers.present:
        lost = sum((_through(chain.transformers, load) for load in boards[0].values()), 0j)
        unit, each = chain.transformers.unit, chain.transformers.per_carrier
        for name, of in (("normal", cases[:1]), ("failure", cases)):
            wanted = max(
                abs(load) * chain.chain.unevenness
                / (max(1, each - case.transformers_out) * unit.rating_va)
                for case in of
                for system, load in work.boards(case).items()
                if system != case.lost
            )  # fmt: skip
            yield from _same(f"transformer.{name}", getattr(flow.transformers, name), wanted)
    if chain.pdus is not None:
        rated_va = chain.pdus.per_carrier * chain.pdus.unit.rating_va
        normal = max(feed_parts(found).values())
        worst = max(max(feed_parts(found, f).values()) for f in ("", *chain.chain.feeds))
        yield from _same("PDU normal", flow.pdus.normal, abs(work.below) * normal / rated_va)
        yield from _same("PDU failure", flow.pdus.failure, abs(work.below) * worst / rated_va)
    yield from _plant_and_utility(found, sum(boards[0].values(), 0j), lost)
    demand = found.facility.criteria.growth
    if demand == 0.0:
        yield from _same("share of the worst system", chain.worst_share, worst_w / out.real)
        yield from _shortlist(found)
        yield from _board_of_a_lineup(found, work, cases, worst_va)
    yield from _sections(found)
    spare = chain.chain.scheme.spare_modules * ups.buses
    if ups.modules_per_system < ups.duty_per_system:
        yield f"ups.modules: {ups.modules_per_system} with {spare} spare of {ups.duty_per_system}"


def _plant_and_utility(found: Design, boards: complex, lost: complex) -> Iterator[str]:
    chain, flow = found.chain, found.point.flow
    ups, plant = chain.ups, chain.generators
    charge_w = chain.chain.ups.recharge * ups.module.rating_w
    charge_w *= ups.modules_per_system * len(ups.systems)
    load = boards + lagging(charge_w, ups.module.input_power_factor)
    if plant.connection == "MV":
        load += lost
    if plant.step_up is not None:
        units = max(1, plant.count - plant.spare)
        raised = _through(TransformerDesign(plant.step_up, ("",), 1, units, units), load)
        yield from _same("step-up loss", flow.generators.step_up_w, raised.real)
        load += raised
    yield from _same("generator.load", flow.generators.load_w, load.real)
    yield from _same("generator.load_va", flow.generators.load_va, abs(load))
    utility = boards + lost
    yield from _same("utility.demand", flow.utility.demand_w, utility.real)
    yield from _same("utility.demand_va", flow.utility.demand_va, abs(utility))
    amperes = abs(utility) / (SQRT3 * chain.utility_voltage_v)
    yield from _same("utility.current", flow.utility.current_a, amperes)
    factor = utility.real / abs(utility)
    yield from _same("utility.power_factor", flow.utility.power_factor, factor)


def _fullest_phase(found: Design, work: WorkedChain, cases: list[FailureCase]) -> float:
    """Return the loading of the fullest phase of the fullest bus, a feed lost too."""
    chain, demand = found.chain, found.point.demand
    basis, ups = chain.chain, chain.ups
    scheme, module, on_bus = basis.scheme, ups.module, ups.modules_per_system // ups.buses
    mech_w, coolant_w = float(demand.mech_ups_w), float(demand.mech_ups_coolant_w)
    of_bus = [
        ((mech_w - coolant_w) * air + coolant_w * wet) / max(mech_w, 1e-9)
        for air, wet in zip(basis.bus_air, basis.bus_coolant, strict=True)
    ]
    own_feeds = not (scheme.one_system or scheme.reserve)
    states: list[tuple[FailureCase, WorkedChain]] = []
    for case in cases:
        given = work
        if own_feeds and case.lost:
            given = WorkedChain(found, feed_parts(found, case.lost))
        states.append((case, given))
    if len(basis.feeds) > 1 and not own_feeds:
        states += [(cases[0], WorkedChain(found, feed_parts(found, f))) for f in basis.feeds]
    most = 0.0
    for case, given in states:
        units = max(1, on_bus - case.modules_out // ups.buses)
        for system in ups.systems:
            loads = [
                given.racks * case.racks[system] * phase / ups.buses
                + given.cooling * case.cooling[system] * cooling
                for phase, cooling in zip(basis.bus_phases, of_bus, strict=True)
            ]
            fullest = max(loads, key=lambda load: load.real)
            most = max(
                most,
                fullest.real / (units * module.rating_w),
                abs(fullest) / (units * module.rating_va),
            )
    return most


def _shortlist(found: Design) -> Iterator[str]:
    """Installed power, and efficiencies, of the module chosen."""
    ups, flow = found.chain.ups, found.point.flow.ups
    if not ups.shortlist:
        return
    first = ups.shortlist[0]
    installed = ups.modules_per_system * len(ups.systems)
    yield from _same("shortlist modules", first.modules, installed)
    yield from _same("shortlist installed", first.installed_w, installed * ups.module.rating_w)
    yield from _same("shortlist loss", first.loss_normal_w, flow.losses_w)
    yield from _same("shortlist loss after failure", first.loss_failure_w, flow.losses_failure_w)
    for name, loss_w in (("normal", flow.losses_w), ("failure", flow.losses_failure_w)):
        wanted = flow.output_w / (flow.output_w + loss_w)
        yield from _same(f"shortlist {name}", getattr(first, f"efficiency_{name}"), wanted)


def _board_of_a_lineup(
    found: Design, work: WorkedChain, cases: list[FailureCase], worst_va: float
) -> Iterator[str]:
    """The fullest LV board: of the worst case, and with its UPS at its rating where that is open.

    Beside the UPS at its rating it carries cooling, house and board losses of the worst case.
    """
    chain, basis = found.chain, found.chain.chain
    ups, module = chain.ups, chain.ups.module
    duty = max(1, ups.modules_per_system // ups.buses - basis.scheme.spare_modules)
    curve = module.constant + module.linear + module.quadratic
    rated = lagging(duty * module.rating_w * (1.0 + curve), module.input_power_factor)
    share = max(max(case.boards.values()) for case in cases)
    rated += (work.other + work.board_w) * share * basis.unevenness / ups.buses
    rated_va = max(abs(rated), duty * module.rating_va)
    if basis.transformer.rating_va is not None:
        rated_va = 0.0
    elif not basis.ups.is_open:
        return
    board_va = max(worst_va * basis.unevenness / ups.buses, rated_va)
    amperes = board_va / (SQRT3 * basis.wiring.lv_voltage_v)
    for check in found.sizing_checks:
        if check.rule == "LV-BOARD-BUS":
            yield from _same("LV-BOARD-BUS", check.value or 0.0, amperes)


def _sections(found: Design) -> Iterator[str]:
    """No section has more sets, or more current, than its bus carries; fewer would not do.

    A section less would put the sets on duty, shared evenly, above what one bus permits.
    """
    chain, plant = found.chain, found.chain.generators
    sections = len(chain.chain.generator.section_parts)
    if not plant.count or found.facility.power.generator.count is not None:
        return
    bus_v = chain.utility_voltage_v
    if plant.connection != "MV":
        bus_v = chain.chain.wiring.lv_voltage_v
    data = found.facility.electrical.faults.sources
    reactance, zero = data.generator_reactance, data.generator_zero * data.generator_reactance
    if plant.step_up is not None:
        zero = plant.step_up.impedance * plant.rating_va / plant.step_up.rating_va
        reactance += zero
    ground = max(1.0, 3.0 / (2.0 + zero / reactance))
    one_a = ground * plant.rating_va / (SQRT3 * bus_v) / reactance
    ratings = assembly_ratings(
        "lv-board" if bus_v <= 1000.0 else "mv-switchgear", found.facility.criteria.code, bus_v
    )
    if not ratings:
        return
    motors_a = 0.0
    if plant.connection != "MV":
        running_va = float(found.point.demand.mech_w) / chain.chain.mechanical_power_factor
        motors_a = data.motor_share * data.motor_multiple * running_va / (SQRT3 * bus_v)
    most_a, spare = 0.95 * ratings[-1].rating_a, plant.spare // sections

    def fits(number: int) -> bool:
        on_bus = math.ceil(plant.duty / number) + spare
        fault_a = on_bus * one_a + motors_a / number
        load_a = float(found.point.flow.generators.load_va) / (SQRT3 * bus_v) / number
        return on_bus <= 32 and fault_a <= most_a and load_a <= 0.95 * ratings[-1].bus_max_a

    mv = assembly_ratings("mv-switchgear", found.facility.criteria.code, chain.utility_voltage_v)
    service = bool(mv) and float(found.point.flow.utility.current_a) > 0.5 * mv[-1].bus_max_a
    if sections > 1 and not service and fits(1):
        yield f"{sections} sections of generators, one does"
    each = max(plant.section_duty) + spare
    if sections > 1 and each > 1 and each * one_a + motors_a / sections > most_a * 1.001:
        yield f"{each} sets of {one_a:.0f} A on a section of {most_a:.0f} A"
    if sections == 1 and plant.count > 1 and not fits(1) and found.facility.criteria.growth == 0.0:
        yield f"one section of generators: {plant.count} sets of {one_a:.0f} A, {most_a:.0f} A"
