"""`python -m facility` is the command `facility`."""

import sys

from facility.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
