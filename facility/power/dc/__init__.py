"""Direct-current distribution as an option."""
