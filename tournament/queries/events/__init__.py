"""Events, their overview and their winners."""
