"""A believable event to look at: invented people, a weekend in full swing. Made by the work functions alone."""
