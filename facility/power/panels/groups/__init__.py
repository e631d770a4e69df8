"""Balance of boards whose circuits stand together, apart, or are partners."""
