"""Points list: meters and sensors by equipment, with ranges, alarm limits and their sources."""
