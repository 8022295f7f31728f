"""Participant texts in Markdown by language, step and answer format, found as package data."""
