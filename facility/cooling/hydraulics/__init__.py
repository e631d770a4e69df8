"""The study of all loops: heads compared with those of the pumps, volumes, results."""
