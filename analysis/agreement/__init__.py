"""How well people agree: coefficients over one table of answers."""
