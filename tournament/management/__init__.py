"""Django finds the commands of a tournament below."""
