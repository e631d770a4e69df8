"""The liquid side between racks and plant: choice of CDUs, facility water."""
