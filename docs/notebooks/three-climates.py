# %% [markdown]
# # A year in three climates
#
# To compare sites, design the project for each weather station and run the year.

# %%
import facility

project = facility.project(
    {
        "it": {"gpu_model": "H100 SXM5", "gpus": 256},
        "power": {"redundancy": "N+1"},
        "cooling": {"method": "air"},
    }
)
sites = ("ashburn", "phoenix", "chicago")
designs = {site: facility.design(project.with_(site__station=site)) for site in sites}
years = {site: facility.annual(design) for site, design in designs.items()}

# %% [markdown]
# ## PUE, peak and water

# %%
for site, year in years.items():
    shown = (str(year.results[key]) for key in ("pue.annual", "annual.peak", "water.annual"))
    print(f"{site:8}", *shown, sep="  ")

# %% [markdown]
# ## Every month
#
# The hours of the year are a table, indexed by standard time.

# %%
import pandas as pd

monthly = {}
for site, design in designs.items():
    hours = facility.frames.hours(design)
    power = hours[[name for name in ("facility_kw", "it_kw") if name in hours]]
    by_month = power.groupby(power.index.month).sum()
    monthly[site] = by_month["facility_kw"] / by_month["it_kw"]
print(pd.DataFrame(monthly).round(3).to_string())
