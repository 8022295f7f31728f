"""Jinja templates by audience; data found with importlib.resources."""
