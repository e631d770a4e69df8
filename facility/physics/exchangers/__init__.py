"""Heat exchangers: effectiveness, dry and wet coils, economizers on water."""
