"""Panel schedules, loads and balance as sheets."""
