"""The coordinators' pages: progress, forecast, interventions, quality."""
