"""Help inside the product: tasks of a director, and a glossary."""
