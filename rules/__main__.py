"""`python3 -m rules`: the judge of records at a terminal, with no server and no set-up."""

import sys

from rules.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
