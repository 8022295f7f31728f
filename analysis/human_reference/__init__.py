"""People against people: ceilings, aggregates, key audit, participants, order and time."""
