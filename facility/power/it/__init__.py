"""IT load: devices, supplies, racks, fabric, and their totals."""
