"""From raw answers to scores: people and models pass through one scorer."""
