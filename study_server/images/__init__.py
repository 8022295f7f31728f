"""Images as participants get them: the same pixels, and nothing else."""
