"""A whole study on synthetic folios, with simulated participants who answer over real HTTP."""
