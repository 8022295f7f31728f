"""Model outputs in their own formats: found by looking, joined to questions, always re-scored."""
