# %% [markdown]
# # A panel balanced
#
# To balance the phases of a panel, call `facility.balance` with a panel of a design or a panel
# CSV. The result has a bound: no arrangement of these circuits has a lower maximum current.

# %%
from pathlib import Path

import facility

rows = ["# panel: RPP-1A; system: 208Y/120; poles: 42; bus: 400 A; main: 400 A"]
rows.append("description,poles,va,pf,breaker_a,position,fixed,class")
loads = [1800, 900, 2400, 1500, 700, 2100, 1200, 1600, 800, 2000, 1400, 1100]
rows += [f"Rack {n},1,{va},0.95,30,{n},no,IT-AI" for n, va in enumerate(loads, start=1)]
rows += [f"Rack {n},2,{va},0.95,30,,no,IT-AI" for n, va in ((13, 4000), (14, 5200), (15, 3600))]
Path("panel.csv").write_text("\n".join(rows) + "\n")
balanced = facility.balance("panel.csv", exact=True)
balanced

# %% [markdown]
# ## Before, after and the bound

# %%
print(balanced.to_frame()[["value", "unit"]].to_string())

# %% [markdown]
# ## The panel of a design
#
# Designed panels are balanced too, for normal operation and for the loss of each feed.

# %%
project = facility.project(
    {
        "it": {"gpu_model": "H100 SXM5", "gpus": 256},
        "power": {"redundancy": "N+1"},
        "cooling": {"method": "air"},
    }
)
design = facility.design(project)
facility.balance(design.panels.panels[0])
