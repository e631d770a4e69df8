"""Projects in a database: revisions, panels, who may see them, backup."""
