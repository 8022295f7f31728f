"""How sure a number is: clustered variances, crossed components, resampling, intervals."""
