"""Choices of the power chain: models, ratings and counts, as sized or as built."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class UpsChoice:
    """UPS modules: model, rating, number installed in one system, output buses of a system.

    `conductor_spare` is the part of a module that is reserved for the losses of conductors.
    """

    model: str
    rating_w: float
    modules_per_system: int
    buses: int
    conductor_spare: float


@dataclass(frozen=True)
class TransformerChoice:
    """Equal transformers: rating of one, number installed; both 0 where there are none."""

    rating_va: float
    count: int


@dataclass(frozen=True)
class GeneratorChoice:
    """Equal generator sets: model, rating, number installed, side of the MV/LV transformers."""

    model: str
    rating_w: float
    count: int
    connection: str


@dataclass(frozen=True)
class BatteryChoice:
    """Batteries of one set: model of the block, strings in parallel."""

    model: str
    strings: int


@dataclass(frozen=True)
class PowerChoices:
    """Choices of one power chain.

    The next pass of the sizing keeps their models and ratings, and may raise counts, not lower
    them.
    """

    rack_system: str
    panel_main_a: float
    ups: UpsChoice
    pdus: TransformerChoice
    transformers: TransformerChoice
    generators: GeneratorChoice
