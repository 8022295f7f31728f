"""Intervals, tests and comparisons: what a number says about new questions and new people."""
