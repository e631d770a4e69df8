"""The balance of panels, cabinets and busways: one problem, one search, one program."""
