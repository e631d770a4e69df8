"""Files of sweeps: samples in, rows out, as CSV or Parquet."""
