"""Tables that people bring, read with their addresses, their headings mapped to fields."""
