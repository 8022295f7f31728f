"""Which slot goes to whom."""
