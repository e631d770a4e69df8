"""The loop diagram of the cooling."""
