# %% [markdown]
# # A hall of 64 GB200 racks
#
# To size the power and cooling of 64 GB200 NVL72 racks, state the GPUs, the redundancy and the
# cooling method. Everything else is selected, and each choice can be explained.

# %%
import facility

project = facility.project(
    {
        "site": {"station": "ashburn"},
        "it": {"gpu_model": "GB200 NVL72", "gpus": 64 * 72},
        "power": {"redundancy": "2N"},
        "cooling": {"method": "hybrid"},
    }
)
design = facility.design(project)

# %% [markdown]
# ## Key results

# %%
keys = ["load.racks", "load.it", "load.facility", "utility.demand_kva", "pue.design"]
results = design.results.to_frame()
print(results.loc[keys, ["value", "unit"]].to_string())

# %% [markdown]
# ## Power
#
# The candidates for the UPS, the selected one first.

# %%
print(facility.explain(design, "power.ups.model"))

# %% [markdown]
# ## Cooling
#
# The loops in the design hour, from racks to heat rejection.

# %%
facility.draw(design, "loops")

# %% [markdown]
# ## What fails
#
# Failed checks of the sizing, worst first. `design.checks` runs and adds all other studies.

# %%
failed = [check for check in design.sizing_checks if check.failed]
print(f"{len(failed)} failed")
for check in failed[:10]:
    print(check.severity.value, check.rule, check.subject)
