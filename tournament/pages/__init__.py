"""Pages for people: views that parse, authorise, call one work function and answer. They never write."""
