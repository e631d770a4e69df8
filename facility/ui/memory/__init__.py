"""Memory of the server: cache of designs within a limit, files of users, free memory."""
