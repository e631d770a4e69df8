"""Place Studies: one module for each study."""
