"""HTTP helpers shared by the pages and the API. Imported by nothing below them."""
