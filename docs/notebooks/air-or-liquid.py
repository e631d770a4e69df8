# %% [markdown]
# # Air or liquid?
#
# To compare cooling methods for the same racks, call `facility.compare_cooling`. A method that
# exceeds a limit is rejected with the reason.

# %%
import facility

project = facility.project(
    {
        "it": {"gpu_model": "H100 SXM5", "gpus": 256},
        "power": {"redundancy": "N+1"},
        "cooling": {"method": "air"},
    }
)
comparison = facility.compare_cooling(project)
comparison

# %% [markdown]
# ## Each method
#
# Cooling power, PUE and water in the design hour. A method that is not feasible has a reason and
# no numbers.

# %%
display = comparison.to_frame()["display"]
for option in comparison.options:
    keys = (f"option.{option.name}.{key}" for key in ("power", "pue", "water"))
    numbers = [display[key] for key in keys if key in display]
    print(f"{option.name:10}", *(numbers or [option.reason]), sep="  ")

# %% [markdown]
# ## At which density does the answer change?
#
# `crossover.density` is the rack density above which liquid cooling takes less power than air, or
# above which air reaches its limit.

# %%
for key in ("crossover.density", "crossover.density.because"):
    print(display.get(key, "none"))
