"""Room air study: racks, inlets, moisture, units, sensors."""
