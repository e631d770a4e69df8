"""Dynamic load: a training job at rack, UPS, generators and utility, and its smoothing."""
