"""Dependencies: bill of materials, and a check against published advisories."""
