"""Where a number comes from and what rests on it, for doors that are asked one at a time."""
