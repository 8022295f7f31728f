"""Figures: pure functions from plain numbers to a matplotlib figure, one figure a file."""
