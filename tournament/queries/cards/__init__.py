"""Score cards as the phones of the two players show them."""
