"""Django finds the commands of this installation below."""
