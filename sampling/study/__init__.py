"""The study as configured: definition, folder, errors, and choices that follow from its seed."""
