"""Run every benchmark: ``python -m benchmarks``."""

from __future__ import annotations

from benchmarks import cooling, design, panels, states, units, workbooks

for _module in (design, units, panels, states, workbooks, cooling):
    print(f"== {_module.__name__}")
    _module.main()
