"""The generator plant: sets, sections, voltages, load steps, fuel."""
