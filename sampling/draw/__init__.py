"""Which questions are asked: the draw, its manifest, its check, and what its size can show."""
