"""HTTP helpers shared by the pages and the API."""
