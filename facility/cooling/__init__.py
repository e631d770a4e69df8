"""Cooling: from the heat of the equipment to the heat rejected outdoors.

To read it: `parts`, `air`, `loops`, `plant`, `liquid` and `economizer` size one kind of equipment
each and run it; `chain/sizing.py` calls them in turn (`size_cooling`, then `cooling_at_work` at any
load and weather). The other folders are studies of a finished design.

- A figure at work is typed as a float and may be an array of hours; `facility.physics.elementwise`
  compares, selects and solves both alike. Sizing has single numbers only.
- A function at work reads what earlier ones recorded in its trace, by the id of the step
  (``heat.cdu``), and records its own. With `Quiet` in place of `Trace` the same code keeps only the
  numbers.
- Units: *duty* carry the load, *installed* are duty and spares, or as built; *on duty* are the duty
  units that are installed, *remaining* those left after the loss that the redundancy covers.
- *floor* holds the counts of an earlier pass of the iteration, which are never undercut.
- *subject* is the prefix of the ids of steps, *place* the weather and its rise by recirculation.
"""
