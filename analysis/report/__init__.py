"""The report: one self-contained page that a reviewer reads from top to bottom."""
