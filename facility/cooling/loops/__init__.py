"""One water loop as laid out: routes, pipes, components, head."""
