#!/usr/bin/env python3
"""Entry point of all commands. `manage.py up` runs the program, `manage.py test` checks it."""

import signal
import sys

from deploy import bootstrap


def main():  # type: () -> None
    if sys.argv[1:2] == ["up"]:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C during the installation prints no traceback
    bootstrap.prepare(sys.argv)
    from deploy import command_line  # noqa: PLC0415 (needs packages that the line above installs)

    command_line.run(sys.argv)


if __name__ == "__main__":
    main()
