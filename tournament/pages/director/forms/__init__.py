"""What directors type, read into the plans that the work functions take. Nothing here asks the database."""
