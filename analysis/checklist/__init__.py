"""The reporting checklist: what the study's files answer by themselves, what was declared."""
