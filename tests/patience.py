"""How long a test waits for what must come: so long that no verdict depends on how fast the machine is.

A limit here is a guard against hanging for ever and never a verdict. How fast something must be is a matter of the
benches, which compare it with a floor measured in the same run.
"""

from typing import Final

# What takes a minute with other work on the machine, 8 times slower, still ends in it, as well as all that waits twice.
PATIENCE_S: Final = 900.0
PATIENCE_MS: Final = int(PATIENCE_S * 1_000)

# Between two looks at what is to come, and where something that must not come is given a chance; nothing ends by it.
PAUSE_S: Final = 0.05
