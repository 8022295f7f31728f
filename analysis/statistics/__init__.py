"""The statistics tables under `results/`, made from the functions of the other folders."""
