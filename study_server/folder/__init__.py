"""Between a study's folder and its database: loading, exporting, verifying."""
