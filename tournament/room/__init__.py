"""The room: tables, who is called to which, and who comes next. Its lock is taken last, after tournament and match."""
