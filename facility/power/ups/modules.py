"""Candidate UPS modules: catalogue rows with a loss curve, or a user-defined module."""

from __future__ import annotations

import math
from dataclasses import replace

from facility.catalogue import Row, table
from facility.catalogue.loader import per_catalogue
from facility.core.errors import FacilityError
from facility.core.sources import PROJECT
from facility.model.power.chain import Curve, UpsBasis
from facility.physics.machines.ups import fit_loss_curve
from facility.power.train.types import UpsModule

CLASS_CURVE = "9395XR-1935"
"""Default module for unknown loss curves: the only one read in full."""

OWN_MODULE = "own module"
_EQUIPPED_AT = " at "
"""Separator between frame and equipped power in the name of a partly equipped frame."""
MIN_EQUIPPED = 0.25
"""Minimum fraction of the power modules of a frame in the design."""

_POINTS = (
    (0.25, "eff_dc_25_pct"),
    (0.5, "eff_dc_50_pct"),
    (0.75, "eff_dc_75_pct"),
    (1.0, "eff_dc_100_pct"),
)
_ECO_POINTS = tuple((load, column.replace("_dc_", "_eco_")) for load, column in _POINTS)
_VOLTAGE_BAND = 0.01
"""Tolerance between a nominal voltage and the outputs of a data sheet."""


def voltages_fit(module: UpsModule, voltage_v: float) -> bool:
    """Return whether a voltage is listed, or within the listed bands, of a data sheet."""
    low, high = voltage_v * (1.0 - _VOLTAGE_BAND), voltage_v * (1.0 + _VOLTAGE_BAND)
    return any(lower <= high and upper >= low for lower, upper in module.output_bands_v)


def _read_curve(row: Row, points: tuple[tuple[float, str], ...] = _POINTS) -> Curve:
    if any(row[column] is None for _, column in points):
        return ()
    return tuple((load, row.si(column)) for load, column in points)


def _curve_of(row: Row) -> tuple[Curve, str]:
    own = _read_curve(row)
    if own:
        basis = row.text("curve_basis")
        scaled = f"shape of {CLASS_CURVE} scaled to the published peak"
        return own, "read at 25, 50, 75 and 100 %" if basis == "read" else scaled
    if row["curve_of"] is not None:
        other = row.text("curve_of")
        curve = _read_curve(table("equipment/ups").get(other))
        return curve, f"of {other}, same product family"
    return (), ""


def _fit(curve: Curve, where: str) -> tuple[float, float, float, float]:
    return fit_loss_curve([load for load, _ in curve], [eta for _, eta in curve], where)


def _memory_of(row: Row) -> tuple[str, ...]:
    used = (
        "rating_kw",
        "rating_kva",
        "input_power_factor",
        "max_parallel_units",
        "max_parallel_kw",
        "curve_of",
    )
    return tuple(name for name in used if row[name] is not None and row.is_memory(name))


def _max_parallel(row: Row) -> int | None:
    """Return the maximum parallel modules: as specified, or within the specified power."""
    if row["max_parallel_units"] is not None:
        return int(row["max_parallel_units"])
    if row["max_parallel_kw"] is None:
        return None
    return math.floor(row.si("max_parallel_kw") / row.si("rating_kw"))


def _from_row(row: Row, stated: Curve = (), code: str = "") -> UpsModule | None:
    curve, basis = (stated, "as stated") if stated else _curve_of(row)
    if not curve or row["input_power_factor"] is None:
        return None
    constant, linear, quadratic, residual = _fit(curve, row.label)
    read = bool(stated) or row["curve_basis"] == "read"
    of_curve = () if stated else ("curve_of", *(column for _, column in _POINTS))
    rests_on = [column for column in ("rating_kw", *of_curve) if row[column] is not None]
    recalled = any(row.is_memory(column) for column in rests_on)
    return UpsModule(
        model=row.text("model"),
        rating_w=row.si("rating_kw"),
        rating_va=row.si("rating_kva"),
        input_power_factor=row.si("input_power_factor"),
        constant=constant,
        linear=linear,
        quadratic=quadratic,
        residual=residual,
        curve=basis,
        max_parallel=_max_parallel(row),
        voltages=row.text("output_voltage_v"),
        output_bands_v=tuple(
            (band.si("output_min_v"), band.si("output_max_v"))
            for band in table("equipment/ups_outputs").select(model=row["model"])
            if not code or band["code"] in (None, code)
        ),
        own_curve=read,
        source=row.cite("rating_kw"),
        tier=2 if recalled else 0 if read else 1,
        memory=_memory_of(row),
        frame=row.text("model"),
        power_module_w=row.si_or_none("module_kw") or 0.0,
    )


@per_catalogue(4)
def _all_modules(code: str = "") -> tuple[UpsModule, ...]:
    """Return the modules of known loss curve, with the outputs for a code; all if no code."""
    found = (_from_row(row, code=code) for row in table("equipment/ups").rows)
    return tuple(module for module in found if module is not None)


def catalogue_modules(voltage_v: float, code: str) -> tuple[UpsModule, ...]:
    """Return the catalogue modules of known loss curve with an output of `voltage_v` for a code."""
    return tuple(m for m in _all_modules(code) if voltages_fit(m, voltage_v))


@per_catalogue(256)
def partly_equipped(module: UpsModule) -> tuple[UpsModule, ...]:
    """Return the frame of a catalogue module with fewer power modules, down to a quarter.

    Its ratings and losses are those of the equipped modules.
    """
    each_w = module.power_module_w
    if not each_w or module.rating_w % each_w:
        return ()
    whole = round(module.rating_w / each_w)
    return tuple(
        replace(
            module,
            model=f"{module.frame}{_EQUIPPED_AT}{count * each_w / 1e3:,.0f} kW",
            rating_w=count * each_w,
            rating_va=count / whole * module.rating_va,
            memory=tuple(dict.fromkeys((*module.memory, "module_kw"))),
        )
        for count in range(math.ceil(MIN_EQUIPPED * whole), whole)
    )


def catalogue_voltages(min_v: float, code: str) -> tuple[str, ...]:
    """Return the outputs of the catalogue modules of known loss curve, rising, as `380-440` V.

    Only outputs that reach `min_v`.
    """
    bands = {band for module in _all_modules(code) for band in module.output_bands_v}
    return tuple(
        f"{low:.0f}" if low == high else f"{low:.0f}-{high:.0f}"
        for low, high in sorted(bands)
        if high >= min_v
    )


def catalogue_module(model: str, efficiency: Curve = (), code: str = "") -> UpsModule:
    """Return the catalogue module `model`, with its own or the specified loss curve.

    model: Catalogue row, or a partly equipped frame, ``9395XR-600 at 300 kW``.
    code: Outputs for this code; all if empty.

    Raises ``UNKNOWN_MODEL`` with near matches; ``UNKNOWN_VALUE`` if no loss curve is known.
    """
    frame = model.partition(_EQUIPPED_AT)[0]
    row = table("equipment/ups").get(frame, where="power.ups.model")
    if efficiency:
        module = _from_row(row, efficiency, code)
    else:
        module = next((m for m in _all_modules(code) if m.model == frame), None)
    if module is None and row["input_power_factor"] is None:
        row.require("input_power_factor")
    if not table("equipment/ups_outputs").select(model=row["model"]):
        raise FacilityError(
            "UNKNOWN_VALUE",
            "power.ups.model",
            f"the output voltages of {row['model']} are not in the catalogue.",
            "Add rows for it to the table equipment/ups_outputs.",
        )
    if module is None:
        raise FacilityError(
            "UNKNOWN_VALUE",
            "power.ups.model",
            f"the double-conversion efficiency of {row.text('model')} is not in the catalogue.",
            "Enter efficiency_25, efficiency_50, efficiency_75, efficiency_100 of its data sheet.",
        )
    parts = {part.model: part for part in (module, *partly_equipped(module))}
    if model not in parts:
        raise FacilityError(
            "UNKNOWN_MODEL",
            "power.ups.model",
            f"{model!r} is not an equipment level of the frame {frame}.",
            f"Choose one of {', '.join(parts)}.",
        )
    return parts[model]


def eco_curve(model: str) -> Curve:
    """Return the eco-mode points (load, efficiency) of a catalogue module; empty if unknown."""
    row = next((r for r in table("equipment/ups").rows if r.text("model") == model), None)
    return () if row is None else _read_curve(row, _ECO_POINTS)


def own_module(
    basis: UpsBasis, module_w: float, module_va: float, input_power_factor: float, voltage_v: float
) -> UpsModule:
    """Return the module specified in the project; without a curve it uses the class curve."""
    curve = basis.efficiency or _read_curve(table("equipment/ups").get(CLASS_CURVE))
    constant, linear, quadratic, residual = _fit(curve, "power.ups.efficiency")
    return UpsModule(
        model=OWN_MODULE,
        rating_w=module_w,
        rating_va=module_va,
        input_power_factor=input_power_factor,
        constant=constant,
        linear=linear,
        quadratic=quadratic,
        residual=residual,
        curve="as stated" if basis.efficiency else f"of {CLASS_CURVE}, no published curve",
        max_parallel=None,
        voltages=f"{voltage_v:.0f}",
        output_bands_v=((voltage_v, voltage_v),),
        own_curve=bool(basis.efficiency),
        source=PROJECT,
        tier=0,
        memory=(),
    )
