"""The study of all loops: heads against those of the pumps, volumes, results."""
