"""Who may answer what: roster, exclusions, feasibility, order, and the plan."""
