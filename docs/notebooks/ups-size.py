# %% [markdown]
# # Why is the UPS this size?
#
# To find the reason of a size, call `facility.explain` with its result key, from the rating back
# to the GPUs.

# %%
import facility

project = facility.project(
    {
        "it": {"gpu_model": "H100 SXM5", "gpus": 256},
        "power": {"redundancy": "N+1"},
        "cooling": {"method": "air"},
    }
)
design = facility.design(project)
print(facility.explain(design, "ups.module_rating"))

# %% [markdown]
# ## The candidates
#
# The module was selected among these, by the annual loss or the life-cycle cost.

# %%
print(facility.explain(design, "power.ups.model"))

# %% [markdown]
# ## Loading, normal and after the designed failure

# %%
for key in ("ups.loading_normal", "ups.loading_failure"):
    print(key, design.results[key])

# %% [markdown]
# ## What a different redundancy changes

# %%
for scheme in ("N", "N+1", "2N"):
    other = facility.design(project.with_(power__redundancy=scheme)).results
    print(f"{scheme:4} {other['ups.modules']} x {other['ups.module_rating']}")
