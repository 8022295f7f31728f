"""What is asked: study definition, questions, vocabularies, normalisation, the draw, the plan."""
