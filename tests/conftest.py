"""What every test has: the program speaks English, whatever the computer it runs on speaks."""

import os

os.environ.setdefault("REPLITUNE_LANGUAGE", "en")
