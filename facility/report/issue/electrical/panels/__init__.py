"""Panel schedules: mirrored under the NEC, one row per way under the IEC."""
