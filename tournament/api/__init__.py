"""The API of programs and phones: a front door. It parses, asks `access`, calls one work function, answers."""
