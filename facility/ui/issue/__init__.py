"""Place Documents: what is issued, and the other downloads."""
