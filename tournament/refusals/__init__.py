"""The catalogue of refusals: for each noun a module of constants. `Refused` raises one, and front doors render it."""
