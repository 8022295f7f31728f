"""The rows of the statistics tables under `results/`, made from the pure functions beside it."""
