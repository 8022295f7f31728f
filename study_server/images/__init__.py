"""Image files as participants get them: the benchmark's own pixels, and nothing else."""
