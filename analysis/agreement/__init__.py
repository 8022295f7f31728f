"""How far people agree: exact agreement and chance-corrected coefficients by answer format."""
