"""The study of all loops: heads compared with pump heads, volumes, results."""
