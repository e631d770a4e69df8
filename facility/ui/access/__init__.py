"""Who may reach the app: the state of its sign-in, and the layer that enforces it."""
