"""Events: the public page, set-up and the people who run them."""
