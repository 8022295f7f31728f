"""The public bundle: what is released, described, checked for leaks, and verified."""
