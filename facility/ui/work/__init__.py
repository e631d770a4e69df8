"""Long studies in processes beside the server: asked for by pages, shared, watched, ended."""
