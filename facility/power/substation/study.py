"""Transformer operation: efficiency by state, regulation, harmonics, inrush, MV side."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.check import Check
from facility.core.rounding import argmax_within_rounding
from facility.core.sources import DERIVED, PROJECT, RECALLED, RULE, Source
from facility.core.table import Value
from facility.core.trace import Findings, Trace
from facility.model.facility import Criteria
from facility.model.power.chain import PowerChain, TransformerBasis, WiringBasis
from facility.model.power.chain import Spectrum as GivenSpectrum
from facility.physics.circuits.currents import three_phase_current
from facility.physics.circuits.harmonics import (
    HarmonicSpectrum,
    current_distortion,
    harmonic_capability,
    k_factor,
    k_rating,
    rectifier_spectrum,
)
from facility.physics.machines.transformer import transformer_efficiency, voltage_regulation
from facility.power.panels.design.lineups import pdu_peak
from facility.power.rules import RULES
from facility.power.substation.losses import loss_check
from facility.power.substation.units import floor_pdus
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDesign, UpsModule
from facility.power.ups.modules import OWN_MODULE

MV_VOLTAGES_V = {"13_8kv": 13.8e3, "33kv": 33e3, "34_5kv": 34.5e3}
"""Medium voltages for comparison of the site current, by key suffix."""

_DISTORTION = 0.05
_INRUSH = 12.0


def study_transformers(
    design: ChainDesign, flow: ChainFlow, now: ChainFlow, criteria: Criteria, trace: Trace
) -> Findings:
    """Return the operation results of MV/LV and PDU transformers.

    flow, now: Power flow with growth, and at present load.
    criteria: Code, which determines the loss rule.
    """
    found, present = Findings(trace), design.transformers.present
    count = len(design.ups.systems) * design.ups.buses
    each = design.transformers.count // count
    words = f"one LV board for each UPS output bus, with {each} transformers"
    trace.derive("substation.count", count, "count", words, buses="power.ups.buses")
    found.results["substation.count"] = Value(count, "count", words)
    if present:
        _efficiency(design, now, found)
        _regulation(design, now, found)
    for end, volts in MV_VOLTAGES_V.items():
        id = f"utility.mv_current_{end}"
        found.trace.do(
            id,
            three_phase_current,
            f"if the site had a {volts / 1e3:g} kV supply",
            apparent_va="utility.demand_kva",
            line_voltage_v=volts,
        )
        found.show(id, f"at {volts / 1e3:g} kV")
    if present:
        _harmonics(design, flow, found)
    _pdu_harmonics(design, flow, found)
    if present:
        unit = design.transformers.unit
        rated_a = float(three_phase_current.si(unit.rating_va, design.utility_voltage_v))
        found.checks += [
            RULES["TRANSFORMER-INRUSH"].not_evaluated(
                _subject(design),
                f"typical inrush is 8 to {_INRUSH:.0f} x {rated_a:,.0f} A for 0.1 s"
                f" ({_INRUSH * rated_a:,.0f} A on the primary), more for high-efficiency units;"
                " unverified, the manufacturer's curve decides",
            ),
            *_losses(design, criteria),
        ]
    return found


def _efficiency(design: ChainDesign, now: ChainFlow, found: Findings) -> None:
    unit, trace = design.transformers.unit, found.trace
    highest = now.systems[argmax_within_rounding([one.board_va for one in now.systems])]
    factor = trace.given(
        "transformer.power_factor",
        float(highest.board_w / highest.board_va),
        "ratio",
        DERIVED,
        "most loaded LV board",
    )
    for state, load in (("normal", now.transformers.normal), ("failure", now.transformers.failure)):
        id = f"transformer.efficiency_{state}"
        trace.do(
            id,
            transformer_efficiency,
            "most loaded board",
            load_fraction=float(load),
            rating_va="transformer.rating_kva",
            power_factor="transformer.power_factor",
            no_load_w=unit.no_load_w,
            load_loss_w=unit.load_loss_w,
        )
        found.show(id, f"{float(load):.1%} load, pf {factor:.3f}")


def _regulation(design: ChainDesign, now: ChainFlow, found: Findings) -> None:
    unit, id = design.transformers.unit, "transformer.regulation"
    found.trace.do(
        id,
        voltage_regulation,
        "largest load in a designed state",
        load_fraction=float(now.transformers.failure),
        impedance=unit.impedance,
        resistance=unit.load_loss_w / unit.rating_va,
        power_factor="transformer.power_factor",
    )
    words = f"LV voltage drop from no load, at {float(now.transformers.failure):.1%} load"
    found.show(id, words)


def _spectrum(given: GivenSpectrum) -> HarmonicSpectrum:
    return HarmonicSpectrum(((1, 1.0), *given))


def _distortion(chain: PowerChain, module: UpsModule) -> tuple[float, str, Source]:
    """Return the current distortion of the MV/LV transformers, its basis and source.

    As specified, otherwise the input current of the UPS.
    """
    if chain.transformer.distortion is not None:
        return chain.transformer.distortion, "as specified", PROJECT
    if module.model != OWN_MODULE:
        row = table("equipment/ups").get(module.frame)
        stated = row.si_or_none("input_thdi_pct")
        if stated is not None:
            return stated, f"data sheet of {module.model}", row.cite("input_thdi_pct")
    return _DISTORTION, "typical limit of a UPS input", RECALLED


def _mv_spectrum(chain: PowerChain, module: UpsModule) -> tuple[HarmonicSpectrum, str]:
    """Return the spectrum of the MV/LV transformers: as specified, or of the UPS input."""
    given = chain.transformer.harmonics
    if given:
        return _spectrum(given), "as stated"
    distortion, where, _ = _distortion(chain, module)
    return rectifier_spectrum(distortion), f"{distortion:.1%} distortion, {where}"


def harmonics_leave(chain: PowerChain, module: UpsModule) -> float:
    """Return the permitted fraction of the rated MV/LV transformer current with harmonics."""
    spectrum, _ = _mv_spectrum(chain, module)
    factor = float(k_factor.si(spectrum.weighted, spectrum.rms))
    return float(harmonic_capability.si(factor, chain.transformer.factors["eddy_loss"], 1.0))


def pdu_loading_limit(wiring: WiringBasis, transformer: TransformerBasis) -> float:
    """Return the permitted loading of PDU transformers with the specified harmonics."""
    return wiring.pdu_max_loading * pdu_harmonics_leave(wiring, transformer)


def pdu_harmonics_leave(wiring: WiringBasis, transformer: TransformerBasis) -> float:
    """Return the permitted fraction of rated PDU transformer current with specified harmonics."""
    given = transformer.it_harmonics
    if not given or not wiring.has_pdu_transformers:
        return 1.0
    spectrum = _spectrum(given)
    factor = float(k_factor.si(spectrum.weighted, spectrum.rms))
    rated = max(_k_rated(wiring)[0], 1)
    return min(1.0, float(harmonic_capability.si(factor, transformer.factors["eddy_loss"], rated)))


def _k_rated(wiring: WiringBasis) -> tuple[int, str, Source]:
    """Return the K rating of the PDU transformers, its basis and source."""
    if wiring.pdu_k_rating is not None:
        return wiring.pdu_k_rating, "as stated", PROJECT
    if wiring.pdu_rating_va is None:
        rows = floor_pdus(wiring)
        if rows and all(row["k_factor"] is not None for row in rows):
            lowest = min(rows, key=lambda row: row.si("k_factor"))
            return int(lowest.si("k_factor")), "of the listed floor PDUs", lowest.cite("k_factor")
    return 1, "no K rating known: suitable for sinusoidal currents", RULE


def _of_spectrum(prefix: str, spectrum: HarmonicSpectrum, words: str, found: Findings) -> float:
    """Record distortion and K-factor of a spectrum as results; return the K-factor."""
    found.do(
        f"{prefix}.thd",
        current_distortion,
        words,
        harmonics=spectrum.harmonics,
        fundamental=spectrum.fundamental,
    )
    return found.do(
        f"{prefix}.k_factor", k_factor, words, weighted=spectrum.weighted, rms=spectrum.rms
    )


def _capability(prefix: str, rated: float | str, words: str, found: Findings) -> float:
    """Record the permitted fraction of rated current for the K-factor, and return it."""
    id = f"{prefix}.harmonic_capability"
    left = found.trace.do(
        id,
        harmonic_capability,
        words,
        factor=f"{prefix}.k_factor",
        eddy_loss="power.transformer.eddy_loss",
        rated=rated,
    )
    found.show(id, "of the rated current")
    return float(left)


def _record_distortion(design: ChainDesign, trace: Trace) -> None:
    id = "power.transformer.distortion"
    distortion, where, source = _distortion(design.chain, design.ups.module)
    if design.chain.transformer.distortion is not None:
        trace.given(id, distortion, "fraction", source)
        return
    trace.assume(
        id,
        distortion,
        "fraction",
        f"distortion of the input current, {where}, assumed for the whole board; harmonics of a"
        " six-pulse rectifier, in proportion to 1/h",
        source,
    )


def _harmonics(design: ChainDesign, flow: ChainFlow, found: Findings) -> None:
    spectrum, words = _mv_spectrum(design.chain, design.ups.module)
    if not design.chain.transformer.harmonics:
        _record_distortion(design, found.trace)
    factor = _of_spectrum("transformer", spectrum, words, found)
    left = _capability("transformer", 1.0, "of the rated current", found)
    limit = left * design.chain.transformer.max_loading
    highest = float(flow.transformers.failure)
    why = f"{highest:.1%} in the worst designed state; K {factor:.2f} ({words}), limit {left:.1%}"
    rule = RULES["TRANSFORMER-HARMONICS"]
    found.checks.append(rule.at_most(_subject(design), highest, limit, "fraction", why))


def _pdu_harmonics(design: ChainDesign, flow: ChainFlow, found: Findings) -> None:
    """Check the most loaded PDU transformer vs. its rating derated for rack harmonics."""
    if design.pdus is None:
        return
    chain, unit, rule = design.chain, design.pdus.unit, RULES["PDU-K-FACTOR"]
    subject = f"{design.pdus.count} x {unit.rating_va / 1e3:,.0f} kVA PDU"
    given = chain.transformer.it_harmonics
    if not given:
        why = "the harmonics of the rack current are not known (power.transformer.it_harmonics)"
        found.checks.append(rule.not_evaluated(subject, why))
        return
    factor = _of_spectrum("pdu", _spectrum(given), "rack current, as stated", found)
    rated, why, source = _k_rated(chain.wiring)
    id = "power.pdu_k_rating"
    if source is not PROJECT:
        words = f"K rating of PDU transformers: {why}"
        found.trace.assume(id, rated, "ratio", words, source)
    words = "of the rated current; above 1 no derating applies"
    left = _capability("pdu", id, words, found)
    limit = pdu_loading_limit(chain.wiring, chain.transformer)
    highest = float(flow.pdus.failure * pdu_peak(chain, design.pdus.per_carrier))
    standard = k_rating(factor)
    required = f"minimum rating K-{standard}" if standard else "above the highest standard rating"
    why = f"K {factor:.2f}: {required}; K-{rated} ({why}), limit {min(1.0, left):.1%}"
    found.checks.append(rule.at_most(subject, highest, limit, "fraction", why))


def _subject(design: ChainDesign) -> str:
    return f"{design.transformers.count} x {design.transformers.unit.rating_va / 1e3:,.0f} kVA"


def _losses(design: ChainDesign, criteria: Criteria) -> list[Check]:
    if criteria.code == "NEC":
        return []
    voltages_v = design.utility_voltage_v, design.chain.wiring.lv_voltage_v
    return [loss_check(_subject(design), design.transformers.unit, *voltages_v)]
