"""What fails, what each outage does, and the verdicts over all of them."""
