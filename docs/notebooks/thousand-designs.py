# %% [markdown]
# # A thousand designs
#
# To design every combination of varied fields, call `facility.sweep`. Two processes design 1,000
# variants of one small hall with fixed equipment, each with its year.

# %%
import facility

project = facility.project(
    {
        "it": {"gpu_model": "H100 SXM5", "gpus": 64},
        "power": {"redundancy": "N+1"},
        "cooling": {"method": "air"},
    }
)
built = facility.design(project).as_built()

# %%
sweep = facility.sweep(
    built,
    {
        "cooling.supply_air": [f"{20 + 0.5 * step} degC" for step in range(10)],
        "it.load_factor": [f"{55 + 5 * step} %" for step in range(10)],
        "site.tariff": [f"{0.04 + 0.01 * step:.2f} USD/kWh" for step in range(10)],
    },
    studies=["sizing", "year"],
    results=["pue.annual", "energy.annual", "cost.annual"],
    jobs=2,
)
sweep

# %% [markdown]
# ## The table
#
# One row per design; varied fields and results are numbers in the unit of their heading.

# %%
frame = sweep.to_frame()
print(len(frame), "designs:", frame["status"].value_counts().to_dict())

# %%
pue = next(name for name in frame if name.startswith("pue.annual"))
supply = next(name for name in frame if name.startswith("cooling.supply_air"))
load = next(name for name in frame if name.startswith("it.load_factor"))
print(frame.pivot_table(index=supply, columns=load, values=pue).round(3).to_string())
