"""Temperature coefficients of the resistance of conductor metals, by short name of the metal."""

from __future__ import annotations

PER_KELVIN_20 = {"cu": 0.00393, "al": 0.00403}
"""From 20 degC, IEC 60228 and IEC 60287-1-1 [1/K]."""

PER_KELVIN_75 = {"cu": 0.00323, "al": 0.00330}
"""From 75 degC, note of table 8 of NEC chapter 9 [1/K]."""
