"""The IT load: devices, supplies, racks, fabric, and their roll-up."""
