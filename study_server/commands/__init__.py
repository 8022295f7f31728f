"""The commands of `lontar`, by step of a study, loaded when called."""
