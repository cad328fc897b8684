"""Game records: from the phone, at the desk, and their verdict."""
