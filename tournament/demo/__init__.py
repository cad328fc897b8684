"""The demonstration event: invented players, a weekend in progress. Created only through work functions."""
