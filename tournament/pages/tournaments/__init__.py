"""Set-up of a tournament: format, rules, lengths and prizes."""
