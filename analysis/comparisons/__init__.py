"""People against models and models against models: gaps, tests, equivalence, detectability."""
