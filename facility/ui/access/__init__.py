"""Access control: sign-in configuration, and the middleware that enforces it."""
