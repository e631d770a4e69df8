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
# Facility power, PUE and water in the design hour.

# %%
frame = comparison.to_frame()
print(frame.filter(regex=r"^option\.", axis="index").to_string(max_rows=60))

# %% [markdown]
# ## At which density does the answer change?
#
# `crossover.density` is the rack density above which liquid cooling takes less power than air, or
# above which air reaches its limit.

# %%
print(frame.filter(regex="crossover", axis="index").to_string())
