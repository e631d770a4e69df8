"""Ground floor: units, sources, equations, trace, checks, tables, errors."""
