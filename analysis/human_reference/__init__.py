"""People against people, and models in their place."""
