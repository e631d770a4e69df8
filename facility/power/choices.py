"""Power chain choices: models, ratings and counts, as sized or as built."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class UpsChoice:
    """UPS modules: model, rating, number per system, output buses per system.

    `conductor_spare` is the fraction of a module reserved for conductor losses.
    """

    model: str
    rating_w: float
    modules_per_system: int
    buses: int
    conductor_spare: float


@dataclass(frozen=True)
class TransformerChoice:
    """Identical transformers: rating and installed number; both 0 if none."""

    rating_va: float
    count: int


@dataclass(frozen=True)
class GeneratorChoice:
    """Identical generator sets: model, rating, installed number, side of the transformers."""

    model: str
    rating_w: float
    count: int
    connection: str


@dataclass(frozen=True)
class BatteryChoice:
    """Batteries of one set: block model, parallel strings."""

    model: str
    strings: int


@dataclass(frozen=True)
class PowerChoices:
    """Choices of one power chain.

    The next sizing pass retains models and ratings, and may increase counts but not decrease
    them.
    """

    rack_system: str
    panel_main_a: float
    ups: UpsChoice
    pdus: TransformerChoice
    transformers: TransformerChoice
    generators: GeneratorChoice
