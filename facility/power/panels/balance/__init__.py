"""Phase balancing of panels, cabinets and busways: problem, search, and program."""
