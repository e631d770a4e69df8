"""Circuit tables of panels, in the layouts of users."""
