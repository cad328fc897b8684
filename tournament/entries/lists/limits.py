"""Size limits of entry lists. A larger list is refused at once with one sentence."""

MOST_BYTES = 5_000_000
MOST_LINES = 2_000
MOST_PHYSICAL_LINES = 20_000  # blank ones among them
LONGEST_LINE = 5_000
LONGEST_QUOTE = 5  # lines that one quoted cell may run over
MOST_COLUMNS = 60

LONGEST_NAME = 100
LONGEST_CLUB = 80
LONGEST_TEAM = 80
LONGEST_FEDERATION_ID = 40
HIGHEST_RATING = 4_000
LOWEST_LIKELY_RATING = 100  # a smaller number without a heading could be anything
HIGHEST_SEED = 1_024
MOST_ENTRIES = 1_024  # of a tournament, as of its draw

MOST_UNPACKED_BYTES = 30_000_000  # a workbook is a packed folder
MOST_PACKED_FILES = 1_000
MOST_XML_TAGS = 400_000
