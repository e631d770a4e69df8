"""The power chain as built under other inputs: its units stay, and how they run follows."""

from __future__ import annotations

from dataclasses import replace

from facility.model.power.chain import PowerChain
from facility.power.substation.units import mv_units
from facility.power.train.schemes import FeedGroup, equal_groups, feed_shares, system_shares
from facility.power.train.types import ChainDesign, TransformerDesign, UpsDesign
from facility.power.ups.modules import OWN_MODULE, catalogue_module, own_module


def held_chain(
    built: ChainDesign, chain: PowerChain, groups: tuple[FeedGroup, ...], code: str
) -> ChainDesign:
    """Return the chain as built, with the basis of each stage as `chain` has it.

    Units, ratings, lineups and conductors stay; losses, efficiencies and power factors are those
    of `chain`, and the load hangs on the feeds as `groups` do.

    chain: The same scheme and feeds, with other numbers.
    groups: How the racks hang on the feeds.
    code: Code of the criteria, which decides the family of the transformers.
    """
    kept = built.chain
    chain = replace(
        chain,
        ups=replace(chain.ups, buses=kept.ups.buses),
        generator=replace(chain.generator, section_parts=kept.generator.section_parts),
        unevenness=kept.unevenness,
        bus_phases=kept.bus_phases,
        fullest_pdu=kept.fullest_pdu,
        bus_air=kept.bus_air,
        bus_coolant=kept.bus_coolant,
        bus_load=kept.bus_load,
    )
    groups = groups or equal_groups(chain.feeds)
    return replace(
        built,
        chain=chain,
        feeds=feed_shares(chain.feeds, groups),
        systems=system_shares(chain.scheme, chain.feeds, groups),
        ups=_ups(built.ups, chain),
        transformers=_transformers(built, chain, code),
    )


def _ups(built: UpsDesign, chain: PowerChain) -> UpsDesign:
    """Return the UPS with the loss curve and the power factor that `chain` states."""
    module, basis = built.module, chain.ups
    factor = basis.input_power_factor
    if factor is None:
        factor = module.input_power_factor
    if module.model == OWN_MODULE:
        ratings = module.rating_w, module.rating_va
        return replace(built, module=own_module(basis, *ratings, factor, chain.wiring.lv_voltage_v))
    if basis.efficiency:
        stated = catalogue_module(module.model, basis.efficiency, basis.code)
        module = replace(stated, max_parallel=module.max_parallel)
    return replace(built, module=replace(module, input_power_factor=factor))


def _transformers(design: ChainDesign, chain: PowerChain, code: str) -> TransformerDesign:
    """Return the MV/LV transformers with the losses that `chain` states."""
    built = design.transformers
    if not built.present:
        return built
    at_rating = replace(chain.transformer, rating_va=built.unit.rating_va)
    return replace(built, unit=mv_units(at_rating, code, design.utility_voltage_v)[0])
