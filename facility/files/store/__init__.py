"""Project store: revisions, panels, access rights, backup."""
