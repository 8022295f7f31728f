"""Models' outputs in any known format, and the prompts they were given."""
