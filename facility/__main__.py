"""`python -m facility` is the command `facility`."""

from facility.cli.main import main

if __name__ == "__main__":
    main()
