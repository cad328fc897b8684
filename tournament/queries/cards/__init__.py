"""Data of the score cards on the phones of the two players."""
