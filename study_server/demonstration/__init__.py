"""The demonstration: a whole study on synthetic leaves, answered by simulated people."""
