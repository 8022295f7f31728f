"""The benchmark's own files: questions, annotators and images."""
