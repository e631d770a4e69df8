"""The drawer that says how a number came about, and what is asked of it."""
