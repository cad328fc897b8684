"""The room as the desk and the public see it: tables, calls and lateness."""
