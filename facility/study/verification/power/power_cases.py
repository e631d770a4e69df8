"""Cases of the power chain: UPS schemes, transformers, generators, supplies, racks."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.kinds import Numeric
from facility.core.rounding import whole_units
from facility.core.sources import DERIVED
from facility.model.it import Device, PsuSet
from facility.model.power.redundancy import Scheme, build_scheme, default_feeds, scheme_name
from facility.physics.circuits.currents import apparent_power, continuous_limit, three_phase_current
from facility.physics.machines.generator import site_derate
from facility.physics.machines.transformer import transformer_efficiency
from facility.physics.machines.ups import loading, modules_needed
from facility.power.backup.sizing import derating
from facility.power.it.racking import max_per_rack
from facility.power.it.supplies import check_psu_redundancy, split_supplies
from facility.power.substation.units import dry_unit
from facility.power.train.schemes import Shares, equal_groups, system_shares
from facility.study.verification.inputs import CaseFunctions


def _scheme(scheme: str, blocks: float = 1) -> tuple[Scheme, Shares]:
    name = scheme_name(scheme, "verification")
    feeds = default_feeds(name)
    built = build_scheme(name, feeds, int(blocks), "verification")
    return built, system_shares(built, feeds, equal_groups(feeds))


def _modules(
    scheme: str, load_w: float, module_w: float, load_va: float = 0.0, module_va: float = 1.0
) -> float:
    """Return the modules installed for a load, spare modules and systems included."""
    built, shares = _scheme(scheme)
    worst = max(shares.worst)
    duty = modules_needed.si(load_w * worst, load_va * worst, module_w, module_va, 1.0)
    return float(len(built.systems) * (duty + built.spare_modules))


def _normal_loading(scheme: str, load_w: float, system_w: float) -> float:
    _, shares = _scheme(scheme)
    return float(loading.si(load_w * max(shares.normal), 1, system_w))


def _failure_loading(scheme: str, load_w: float, system_w: float) -> float:
    _, shares = _scheme(scheme)
    worst = max(max(parts) for parts in shares.after)
    return float(loading.si(load_w * worst, 1, system_w))


def _standard_rating(least_va: float) -> float:
    ratings = (row.si("kva") for row in table("electrical/transformer_standard_kva").rows)
    return min(rating for rating in ratings if rating >= least_va)


def _dry_efficiency(rating_va: float, load_fraction: float) -> Numeric:
    """Return the efficiency of the dry-type transformer in a PDU of this rating."""
    unit = dry_unit(rating_va)
    losses_w = unit.no_load_w, unit.load_loss_w
    return transformer_efficiency.si(load_fraction, rating_va, 1.0, *losses_w)


def _alternator(altitude_m: float, ambient_c: float) -> float:
    _, by_altitude, by_ambient = derating(altitude_m, ambient_c)
    return float(site_derate.si(1.0, by_altitude, by_ambient))


def _supplies_fail(load_w: float, supplies: float, supply_w: float, feeds: str) -> float:
    """Return 1 if a server with these supplies fails the redundancy rule, else 0."""
    psu = PsuSet(
        count=int(supplies),
        needed=min(int(supplies), whole_units(load_w / supply_w)),
        rating_w=supply_w,
        voltage_min_v=200.0,
        voltage_max_v=240.0,
        phases=1,
        power_factor=1.0,
        efficiency=(),
        source=DERIVED,
    )
    device = Device(
        model="server",
        category="server",
        gpus=8,
        gpu_power_w=700.0,
        maximum_w=load_w,
        psu=psu,
        rack_units=8,
        source=DERIVED,
    )
    split = split_supplies(psu.count, tuple(feeds.split("+")))
    return float(check_psu_redundancy(device, split, "server").failed)


def _per_rack(
    device_w: float,
    device_units: float,
    rack_units: float,
    breaker_a: float,
    continuous_factor: float,
    line_voltage_v: float,
    power_factor: float,
) -> float:
    """Return the devices per rack that one feed supports after the loss of the other."""
    limit_a = continuous_limit.si(breaker_a, continuous_factor)
    one_a = three_phase_current.si(apparent_power.si(device_w, power_factor), line_voltage_v)
    power_limit_w = device_w * float(limit_a / one_a)
    sizes = int(device_units), device_w, int(rack_units)
    return max_per_rack(*sizes, power_limit_w, "verification")[0]


def _fit_by_height(device_units: float, rack_units: float) -> float:
    return float(max_per_rack(int(device_units), 0.0, int(rack_units), None, "verification")[0])


FUNCTIONS: CaseFunctions = {
    "ups.modules_installed": ("count", _modules),
    "ups.systems": ("count", lambda scheme: len(_scheme(scheme)[0].systems)),
    "ups.normal_loading": ("fraction", _normal_loading),
    "ups.failure_loading": ("fraction", _failure_loading),
    "transformer.standard_rating": ("apparent_power", _standard_rating),
    "transformer.dry_efficiency": ("fraction", _dry_efficiency),
    "generator.altitude_factor": ("ratio", lambda **at: derating(**at)[1]),
    "generator.ambient_factor": ("ratio", lambda **at: derating(**at)[2]),
    "generator.alternator_factor": ("ratio", _alternator),
    "supplies.needed": ("count", lambda load_w, supply_w: whole_units(load_w / supply_w)),
    "supplies.fail": ("count", _supplies_fail),
    "rack.devices_on_one_feed": ("count", _per_rack),
    "rack.devices_by_height": ("count", _fit_by_height),
}
