"""What every test has: the program speaks English whatever the computer does, and draws the same examples."""

import os

from hypothesis import settings

os.environ.setdefault("REPLITUNE_LANGUAGE", "en")

# The same examples in each run: what fails, fails because of a change. `make fuzz` draws new ones each time.
settings.register_profile("same", derandomize=True)
settings.register_profile("new", derandomize=False, print_blob=True)
settings.load_profile("same")
