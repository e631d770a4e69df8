"""Many designs in the app: asked for, made in processes beside the server, and chosen from."""
