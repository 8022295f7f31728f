"""The commands of `lontar`, one module each, loaded when called."""
