"""`python3 -m rules`: checks records in a terminal, without server or setup."""

import sys

from rules.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
