#!/usr/bin/env python3
"""The one entrance: `manage.py up` runs the product, `manage.py test` proves it."""

import signal
import sys

from deploy import bootstrap


def main():  # type: () -> None
    if sys.argv[1:2] == ["up"]:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # who thinks better of it is not shown where we were
    bootstrap.prepare(sys.argv)
    from deploy import command_line  # noqa: PLC0415 (needs what the line above installs)

    command_line.run(sys.argv)


if __name__ == "__main__":
    main()
