"""The headline table, the tables beside it, and the record of a run."""
