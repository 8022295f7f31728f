"""The public bundle, and its verification."""
