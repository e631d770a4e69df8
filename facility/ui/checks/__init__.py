"""What is known of the checks of the session's design, as cards and as an inbox."""
