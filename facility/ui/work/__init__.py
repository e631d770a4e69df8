"""Background jobs: long studies in worker processes, requested by pages and shared by sessions."""
