"""Run every benchmark: ``python -m benchmarks``."""

from __future__ import annotations

from benchmarks import (
    checks,
    cooling,
    design,
    inventories,
    panels,
    rejections,
    states,
    sweep,
    units,
    workbooks,
    year,
)

for _module in (
    design,
    inventories,
    checks,
    units,
    panels,
    states,
    workbooks,
    rejections,
    cooling,
    year,
    sweep,
):
    print(f"== {_module.__name__}")
    _module.main()
