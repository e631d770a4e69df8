"""Cooling: from the heat of the equipment to the heat rejected outdoors.

Reading order: `parts`, `air`, `loops`, `plant`, `liquid` and `economizer` size one kind of
equipment each and run it; `chain/sizing.py` calls them in turn (`size_cooling`, then
`solve_cooling` at any load and weather; their `_unchecked` halves are for passes of an iteration).
The other folders are studies of a finished design.

- An operating value is typed as a float and may be an array of hours;
  `facility.physics.elementwise` compares, selects and solves both identically. Sizing uses scalars
  only.
- An operating function reads the trace steps of earlier functions, by id
  (``heat.cdu``), and records its own. With `Quiet` instead of `Trace` the same code retains only
  the numbers.
- Units: *duty* units carry the load; *installed* are duty and spare units, or as built; *on duty*
  are duty units that are installed, *remaining* are in service after the loss that the redundancy
  covers.
- *floor* holds the counts of an earlier pass of the iteration, which are lower bounds.
- *subject* is the prefix of the ids of steps, *place* the weather and its recirculation rise.
"""
