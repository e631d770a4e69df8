"""What a session holds, and its history."""
