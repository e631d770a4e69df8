"""Memory of the server: cache of designs within a limit, and release of free memory."""
