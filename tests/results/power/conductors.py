"""Devices and conductors of a design once more, from the tables of the codes as they are written.

Every sort of circuit: the rating its load asks for and the device; factors, ampacities, resistance
and drop of the size chosen; earth conductor and conduit; and that the next smaller size, or one set
less, does not do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from facility.power.feeders.schedule import Feeder
from facility.study.design.design import Design
from facility.study.isolation.devices import DeviceData
from tests.results.power.plant import rows

SQRT3 = math.sqrt(3.0)
CLOSE = 1e-6
_FT_M = 0.3048
_UNDER = 1.0 - 1e-9


def _same(name: str, found: float, wanted: float, part: float = CLOSE) -> Iterator[str]:
    if not abs(found - wanted) <= part * max(abs(found), abs(wanted), 1e-9):
        yield f"{name}: {found!r}, by hand {wanted!r}"


def circuits_of_the_tables(found: Design) -> Iterator[str]:
    """Yield what differs of the heaviest circuit of each sort; busways and MV have their tests."""
    nec = found.facility.criteria.code == "NEC"
    for feeder in found.distribution.feeders.feeders:
        choice, circuit = feeder.choice, feeder.circuit
        if choice is None or feeder.heaviest != circuit.tag or circuit.stage == "mv":
            continue
        yield from _device(found, feeder, nec)
        if choice.is_busway or feeder.length_m is None:
            continue
        yield from (_nec(found, feeder) if nec else _iec(found, feeder))


def _devices(nec: bool, edition: str) -> list[float]:
    if not nec:
        table = rows("electrical/iec_breaker_ratings.csv")
        return sorted({float(x["rated_current_a"]) for x in table})
    old = not edition.isdigit() or int(edition) < 2023
    table = rows("electrical/nec_240_6_standard_ocpd.csv")
    return sorted(
        float(x["rating_a"])
        for x in table
        if float(x["rating_a"]) >= 10.0 and not (old and x["since_edition"].isdigit())
    )  # 1, 3 and 6 A are ratings of fuses


def _device(found: Design, feeder: Feeder, nec: bool) -> Iterator[str]:
    choice, circuit, criteria = feeder.choice, feeder.circuit, found.facility.criteria
    assert choice is not None
    factor = 1.0 if found.facility.power.panels.listed_100 else criteria.continuous_factor
    wanted = factor * (feeder.worst_a - feeder.other_a) + feeder.other_a
    if f"feeder.{circuit.tag}.required" in found.distribution.trace:
        yield from _same(f"required of {circuit.tag}", choice.required_a, wanted, 1e-4)
    if circuit.breaker_a is not None:
        yield from _same(f"device of {circuit.tag}", choice.ocpd_a, circuit.breaker_a)
        return
    standard = _devices(nec, criteria.edition)
    least = next((a for a in standard if a >= choice.required_a * _UNDER), choice.ocpd_a)
    if not feeder.series:
        yield from _same(f"device of {circuit.tag}", choice.ocpd_a, least)
    elif choice.ocpd_a < least or choice.ocpd_a not in standard:
        yield f"device of {circuit.tag}: {choice.ocpd_a}, at least {least}"


def exact_drop(feeder: Feeder, ohm: complex, amperes: float) -> float:
    """Return |V| - |V - I Z| by phasors, of the way and back where there is no third line [V]."""
    factor = min(1.0, feeder.power_factor)
    current = amperes * complex(factor, -math.sqrt(1.0 - factor**2))
    line_v = feeder.circuit.voltage_v
    if feeder.circuit.poles == 3:
        return line_v - SQRT3 * abs(line_v / SQRT3 - ohm * current)
    volts = line_v / SQRT3 if feeder.circuit.poles == 1 else line_v
    return volts - abs(volts - 2.0 * ohm * current)


def _for_losses(found: Design, feeder: Feeder) -> bool:
    """Return whether the design asks for larger conductors, to lose no more than it assumes."""
    step = found.distribution.trace[f"feeder.{feeder.circuit.tag}.continuous"]
    return "conductors larger" in step.because


# --- NEC --------------------------------------------------------------------------------------


class NecCircuit:
    """One circuit with the tables of its metal, insulation and terminations."""

    def __init__(self, found: Design, feeder: Feeder) -> None:
        self.feeder, self.basis = feeder, found.facility.electrical.conductors
        self.criteria = found.facility.criteria
        self.source = found.distribution.plan.network[feeder.circuit.source]
        choice = feeder.choice
        assert choice is not None
        self.choice, self.metal = choice, choice.material
        low = self.basis.termination_c == 60.0 and choice.ocpd_a <= 100.0
        self.column_c = min(60.0 if low else 75.0, self.basis.insulation_c)
        self.sizes = [x["size"] for x in rows("electrical/nec_310_16_ampacity.csv")]
        self.table = {x["size"]: x for x in rows("electrical/nec_310_16_ampacity.csv")}
        poles = feeder.circuit.poles
        counted = self.basis.neutral_counted or poles < 3
        neutral = bool(choice.neutral_size)
        self.each = max(poles, 2) if not neutral else poles + counted
        if neutral and choice.current_carrying % self.each:
            self.each = poles
        self.groups = choice.current_carrying // self.each

    def table_a(self, size: str, column_c: float) -> float:
        return float(self.table[size][f"{self.metal}_{column_c:.0f}c_a"] or 0.0)

    def ambient(self) -> float:
        ambient_c, top_c = self.basis.ambient_c, self.basis.insulation_c
        if not self.basis.ambient_by_table:
            return math.sqrt((top_c - max(ambient_c, 10.0)) / (top_c - 30.0))
        band = next(
            x
            for x in rows("electrical/nec_310_15_b1_temperature.csv")
            if ambient_c <= float(x["ambient_max_c"]) + 1e-9
        )
        return float(band[f"factor_{top_c:.0f}c"])

    def bundling(self) -> float:
        if self.choice.current_carrying <= 3:
            return 1.0
        return next(
            float(x["factor"])
            for x in rows("electrical/nec_310_15_c1_bundling.csv")
            if not x["ccc_max"] or self.choice.current_carrying <= int(x["ccc_max"])
        )

    def ampacities(self, size: str, sets: int) -> tuple[float, float]:
        at_terminal = sets * self.table_a(size, self.column_c)
        of_insulation = sets * self.table_a(size, self.basis.insulation_c)
        return at_terminal, of_insulation * self.ambient() * self.bundling()

    def impedance(self, size: str) -> complex | None:
        """Return R at 75 degC and X at the frequency of the site over the length [ohm]."""
        row = next((x for x in rows("electrical/nec_ch9_table9.csv") if x["size"] == size), None)
        steel = self.basis.raceway in ("EMT", "RMC", "IMC")
        if row is None:
            return None
        r = row[f"r_{self.metal}_{'steel' if steel else 'pvc'}_ohm_per_kft"]
        x = row["x_steel_ohm_per_kft" if steel else "x_pvc_al_ohm_per_kft"]
        if not r or not x:
            return None
        hz = self.basis.frequency_hz or 60.0
        kft = (self.feeder.length_m or 0.0) / (1000.0 * _FT_M)
        return complex(float(r), float(x) * hz / 60.0) * kft

    def drop_v(self, size: str, sets: int) -> float:
        ohm, factor = self.impedance(size), min(1.0, self.feeder.power_factor)
        if ohm is None:
            return math.inf
        along = ohm.real * factor + ohm.imag * math.sqrt(1.0 - factor**2)
        times = SQRT3 if self.feeder.circuit.poles == 3 else 2.0
        return times * self.feeder.worst_a / sets * along

    def suffices(self, size: str, sets: int) -> bool:
        """Return whether ampacity, 240.4 and drop permit a size; the fault is left out."""
        choice, at_terminal = self.choice, self.ampacities(size, sets)[0]
        corrected = self.ampacities(size, sets)[1]
        branch = self.feeder.circuit.stage == "branch"
        needed = choice.required_a
        if at_terminal < needed * _UNDER or corrected < self.feeder.worst_a * _UNDER:
            return False
        if branch and at_terminal < 1.25 * self.feeder.worst_a * _UNDER:
            return False
        if sets > 1 and self.sizes.index(size) < self.sizes.index("1/0"):
            return False
        small = self.table[size][f"max_ocpd_240_4_d_{self.metal}_a"]
        if small and choice.ocpd_a > float(small):
            return False
        if choice.ocpd_a > self.protects(min(at_terminal, corrected)) * (1.0 + 1e-9):
            return False
        limit = self.criteria.voltage_drop_branch if branch else self.criteria.voltage_drop_feeder
        return self.drop_v(size, sets) <= limit * choice.voltage_v * (1.0 + 1e-9)

    def protects(self, usable_a: float) -> float:
        """Return the largest device, 240.4(B) and (C); the ampacity itself on a secondary."""
        secondary = self.source.kind in ("pdu", "transformer")
        if secondary and self.feeder.circuit.stage in ("feeder", "set", "transformer"):
            return usable_a
        standard = _devices(True, self.criteria.edition)
        above = next((a for a in standard if a >= usable_a * _UNDER), math.inf)
        return max(above, usable_a) if above <= 800.0 else usable_a


def _nec(found: Design, feeder: Feeder) -> Iterator[str]:
    one, tag = NecCircuit(found, feeder), feeder.circuit.tag
    choice = one.choice
    at_terminal, corrected = one.ampacities(choice.size, choice.sets)
    yield from _same(f"ambient factor of {tag}", choice.ambient_factor, one.ambient())
    yield from _same(f"bundling of {tag}", choice.bundling_factor, one.bundling())
    yield from _same(f"terminations of {tag}", choice.ampacity_term_a, at_terminal)
    yield from _same(f"corrected ampacity of {tag}", choice.ampacity_corrected_a, corrected)
    ohm = one.impedance(choice.size)
    if ohm is not None:
        yield from _same(f"resistance of {tag}", choice.resistance_ohm or 0.0, ohm.real)
        yield from _same(f"reactance of {tag}", choice.reactance_ohm or 0.0, ohm.imag)
        drop_v = one.drop_v(choice.size, choice.sets)
        yield from _same(f"drop of {tag}", choice.drop_v or 0.0, drop_v, 1e-3)
        exact_v = exact_drop(feeder, ohm, feeder.worst_a / choice.sets)
        yield from _same(f"phasor drop of {tag}", choice.drop_exact_v or 0.0, exact_v, 1e-3)
    named = feeder.circuit.terminals is not None or feeder.circuit.stage in ("set", "service")
    raised = "withstand" in choice.governed_by or "250.122" in choice.governed_by
    raised = raised or _for_losses(found, feeder)
    listed = "smallest size" in choice.governed_by or "fill" in choice.governed_by
    if not named and not raised and not listed:
        known = [s for s in one.sizes if one.table_a(s, one.column_c)]
        smaller = known[known.index(choice.size) - 1] if known.index(choice.size) else ""
        if smaller and one.suffices(smaller, choice.sets):
            yield f"{tag}: {choice.sets} x {smaller} does, {choice.size}: {choice.governed_by}"
        if not one.suffices(choice.size, choice.sets):
            yield f"{tag}: {choice.sets} x {choice.size} does not do ({choice.governed_by})"
        if choice.sets > 1:
            largest = known[: known.index(one.basis.largest_size.split()[0]) + 1][-1]
            if one.suffices(largest, choice.sets - 1) and not _overfull(one, largest):
                yield f"{tag}: {choice.sets - 1} x {largest} does, {choice.sets} sets chosen"
    yield from _earth_and_conduit(one, tag)


def _overfull(one: NecCircuit, size: str) -> bool:
    """Return whether no conduit takes so large conductors."""
    return _conduit(one, size, size)[0] == ""


def _insulated(one: NecCircuit, size: str) -> float:
    name = "THHN/THWN-2" if one.basis.insulation == "THWN" else one.basis.insulation
    return next(
        (
            float(x["approx_area_in2"])
            for x in rows("electrical/nec_ch9_table5_thhn.csv")
            if x["insulation"] == name and x["size"] == size
        ),
        math.nan,
    )


def _conduit(one: NecCircuit, line: str, earth: str) -> tuple[str, float]:
    """Return the smallest trade size that all conductors fill to 40 % (two 31 %), and the fill."""
    neutral = bool(one.choice.neutral_size)
    own = line if one.choice.neutral_size == one.choice.size else one.choice.neutral_size
    poles = one.feeder.circuit.poles
    area = poles * one.groups * _insulated(one, line) + _insulated(one, earth)
    if neutral:
        area += one.groups * _insulated(one, own)
    count = (poles + neutral) * one.groups + 1
    limit = {1: 0.53, 2: 0.31}.get(count, 0.40)
    sizes = sorted(
        (float(x["total_area_in2"]), x["trade_size_in"])
        for x in rows("electrical/nec_ch9_table4_conduit.csv")
        if x["conduit_type"] == one.basis.raceway
    )
    return next(
        ((name, area / inner) for inner, name in sizes if area <= limit * inner * (1.0 + 1e-9)),
        ("", math.nan),
    )


def _earth_and_conduit(one: NecCircuit, tag: str) -> Iterator[str]:
    choice, circuit = one.choice, one.feeder.circuit
    old = one.criteria.edition.isdigit() and int(one.criteria.edition) <= 2017
    column = "al_size_2017" if one.metal == "al" and old else f"{one.metal}_size"
    source = one.source.kind in ("pdu", "transformer", "utility") and circuit.stage != "branch"
    if not source and circuit.stage != "service" and circuit.terminals is None:
        table = rows("electrical/nec_250_122_egc.csv")
        row = next(x for x in table if choice.ocpd_a <= float(x["ocpd_max_a"]))
        if choice.egc_minimum != row[column]:
            yield f"{tag}: earth conductor of at least {choice.egc_minimum}, {row[column]} by hand"
        sizes = one.sizes
        if sizes.index(choice.egc_size) < min(sizes.index(row[column]), sizes.index(choice.size)):
            yield f"{tag}: earth conductor {choice.egc_size} below {row[column]}"
    if choice.trade_size and choice.fill is not None:
        name, fill = _conduit(one, choice.size, choice.egc_size)
        if not math.isnan(fill):
            if name != choice.trade_size:
                yield f"{tag}: conduit {choice.trade_size}, {name} by hand"
            yield from _same(f"fill of {tag}", choice.fill, fill)


# --- IEC --------------------------------------------------------------------------------------


class IecCircuit:
    """One circuit with its table of IEC 60364-5-52."""

    def __init__(self, found: Design, feeder: Feeder) -> None:
        self.feeder, self.basis = feeder, found.facility.electrical.conductors
        self.criteria, self.choice = found.facility.criteria, feeder.choice
        assert feeder.choice is not None
        loaded = 3 if feeder.circuit.poles == 3 else 2
        for conductors in (loaded, 3):
            self.table = {
                float(x["size_mm2"]): float(x["ampacity_a"])
                for x in rows("electrical/iec_60364_5_52.csv")
                if (x["conductor"], x["insulation"], x["method"])
                == (self.basis.material, self.basis.insulation, self.basis.method)
                and int(x["loaded_conductors"]) == conductors
            }
            if self.table:
                break
        self.sizes = sorted(self.table)

    def ambient(self) -> float:
        medium = "ground" if self.basis.method in ("D1", "D2") else "air"
        factors = sorted(
            (float(x["ambient_c"]), float(x["factor"]))
            for x in rows("electrical/iec_60364_temperature.csv")
            if (x["medium"], x["insulation"]) == (medium, self.basis.insulation)
        )
        return next(factor for c, factor in factors if c >= self.basis.ambient_c - 1e-9)

    def impedance(self, size: float) -> complex | None:
        row = next(
            (x for x in rows("electrical/iec_cable_r_x.csv") if float(x["size_mm2"]) == size), None
        )
        if row is None or not row[f"r20_{self.basis.material}_ohm_per_km"]:
            return None
        per_kelvin = {"cu": 0.00393, "al": 0.00403}[self.basis.material]
        r = float(row[f"r20_{self.basis.material}_ohm_per_km"])
        r *= 1.0 + per_kelvin * (self.basis.insulation_c - 20.0)
        hz = self.basis.frequency_hz or 50.0
        x = float(row["x_default_ohm_per_km"]) * hz / 50.0
        return complex(r, x) * (self.feeder.length_m or 0.0) / 1e3

    def drop_v(self, size: float, sets: int) -> float:
        ohm, factor = self.impedance(size), min(1.0, self.feeder.power_factor)
        if ohm is None:
            return math.inf
        along = ohm.real * factor + ohm.imag * math.sqrt(1.0 - factor**2)
        times = SQRT3 if self.feeder.circuit.poles == 3 else 2.0
        return times * self.feeder.worst_a / sets * along

    def suffices(self, size: float) -> bool:
        choice = self.choice
        assert choice is not None
        iz_a = choice.sets * self.table[size] * choice.ambient_factor * choice.bundling_factor
        if choice.ocpd_a > iz_a * choice.harmonic_factor * (1.0 + 1e-9):
            return False
        branch = self.feeder.circuit.stage == "branch"
        limit = self.criteria.voltage_drop_branch if branch else self.criteria.voltage_drop_feeder
        return self.drop_v(size, choice.sets) <= limit * choice.voltage_v * (1.0 + 1e-9)


def _iec(found: Design, feeder: Feeder) -> Iterator[str]:
    one, tag = IecCircuit(found, feeder), feeder.circuit.tag
    choice = one.choice
    assert choice is not None
    size = float(choice.size)
    tabulated = choice.sets * one.table[size]
    yield from _same(f"table ampacity of {tag}", choice.ampacity_term_a, tabulated)
    yield from _same(f"ambient factor of {tag}", choice.ambient_factor, one.ambient())
    yield from _grouping(one, tag)
    factors = choice.ambient_factor * choice.bundling_factor * choice.harmonic_factor
    iz_a = tabulated * factors  # IEC 60364-5-52, Annex E: 0.86 where the third harmonic loads N
    yield from _same(f"ampacity of {tag}", choice.ampacity_a, iz_a)
    ohm = one.impedance(size)
    if ohm is not None:
        yield from _same(f"resistance of {tag}", choice.resistance_ohm or 0.0, ohm.real)
        yield from _same(f"reactance of {tag}", choice.reactance_ohm or 0.0, ohm.imag)
        yield from _same(
            f"drop of {tag}", choice.drop_v or 0.0, one.drop_v(size, choice.sets), 1e-3
        )
        exact_v = exact_drop(feeder, ohm, feeder.worst_a / choice.sets)
        yield from _same(f"phasor drop of {tag}", choice.drop_exact_v or 0.0, exact_v, 1e-3)
    raised = "withstand" in choice.governed_by or "earth fault" in choice.governed_by
    raised = raised or _for_losses(found, feeder)
    if feeder.circuit.terminals is None and not raised:
        smaller = [s for s in one.sizes if s < size]
        if smaller and one.suffices(smaller[-1]):
            yield f"{tag}: {smaller[-1]:g} mm2 does, {size:g} mm2 chosen: {choice.governed_by}"
        if not one.suffices(size):
            yield f"{tag}: {size:g} mm2 does not do ({choice.governed_by})"
    # IEC 60364-5-54, table 54.2.
    least = size if size <= 16.0 else 16.0 if size <= 35.0 else size / 2.0
    wanted = next((s for s in one.sizes if s >= least * _UNDER), size)
    yield from _same(f"protective conductor of {tag}", float(choice.egc_minimum), wanted)
    if float(choice.egc_size) < wanted * _UNDER:
        yield f"{tag}: protective conductor {choice.egc_size} below {wanted:g}"


def _grouping(one: IecCircuit, tag: str) -> Iterator[str]:
    """The factor of the next listed number of circuits; beyond one layer the last of it."""
    choice, basis = one.choice, one.basis
    assert choice is not None
    lies = {"C": "wall", "E": "tray", "F": "tray", "D1": "ducts", "D2": "buried"}
    arrangement = basis.arrangement or lies.get(basis.method, "bunched")
    cables = math.ceil(choice.current_carrying / basis.trays)
    own = [
        x
        for x in rows("electrical/iec_60364_grouping.csv")
        if x["arrangement"] == arrangement and int(x["trays"]) == basis.trays
    ]
    for known in (
        [x for x in own if x["method"] == basis.method],
        [x for x in own if not x["method"]],
    ):
        fitting = [x for x in known if int(x["circuits"]) >= cables]
        if fitting:
            row = min(fitting, key=lambda x: int(x["circuits"]))
            break
    else:
        row = max(own, key=lambda x: int(x["circuits"]))
    yield from _same(f"grouping of {tag}", choice.bundling_factor, float(row["factor"]))


# --- devices as told ----------------------------------------------------------------------------


def devices_as_told(found: Design) -> Iterator[str]:
    """Number, rating and functions of the device of each circuit, as steps of switching name it."""
    data, made = DeviceData(found), found.distribution
    feeders = {one.circuit.tag: one for one in made.feeders.feeders}
    for tag, circuit in made.plan.circuits.items():
        rating_a = made.feeders.device_a.get(tag) or circuit.breaker_a
        if tag in made.feeders.pickup_a:
            wanted = f"MV breaker, relay pickup {made.feeders.pickup_a[tag]:,.0f} A"
        elif rating_a is None:
            wanted = "rating not stated"
        else:
            many = f"{circuit.runs} x " if circuit.runs != 1 else ""
            wanted = f"{many}{rating_a:,.0f} A"
            trip = feeders[tag].trip if tag in feeders else None
            wanted += f" {trip.functions}" if trip is not None else ""
        if data.device(tag) != wanted:
            yield f"device of {tag}: {data.device(tag)!r}, by hand {wanted!r}"
    for panel in found.panels.panels:
        for circuit in panel.circuits:
            at = circuit.position or 0
            stride = 2 if panel.numbering == "US" else 1
            poles = "-".join(str(at + stride * pole) for pole in range(circuit.poles))
            place = data.location(panel.tag, (circuit.id,)).partition("poles ")[2]
            if panel.numbering in ("US", "IEC", "SINGLE") and at and place != poles:
                yield f"poles of {circuit.id}: {place!r}, by hand {poles!r}"
