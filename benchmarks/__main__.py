"""Run every benchmark: ``python -m benchmarks``."""

from __future__ import annotations

from benchmarks import design, panels, states, units, workbooks

for _module in (design, units, panels, states, workbooks):
    print(f"== {_module.__name__}")
    _module.main()
