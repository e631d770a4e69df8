"""The app: choose, call, show. Nothing is computed here."""
