"""The desk of a tournament and one match at the desk."""
