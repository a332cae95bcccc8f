"""By hand: what there is at the site of the scenario "on-site"."""

from typing import Final

SERVERS: Final = {
    ("Distributor", "DIST1"),
    ("Publisher", "PUB1"),
    ("Subscriber", "SUB3"),
    ("Subscriber", "SUB4"),
    ("Subscriber", "SUB5"),
}
UNREACHED: Final = {"SUB1": "SUB1", "SUB2": "refused the login"}
"""By name, with what the sentence says at least."""
AGENTS: Final = {
    *((f"PUB1-Sales{digit}-{digit}", "", True) for digit in (1, 2, 3, 4, 5)),
    ("PUB1-Sales1-Sales1Orders-SUB1-1", "push", True),
    ("PUB1-Sales2-Sales2Orders-SUB2-2", "push", True),
    ("PUB1-Sales3-Sales3Orders-SUB3-3", "pull", False),
    ("PUB1-Sales4-Sales4Orders-SUB4-4", "push", True),
    ("PUB1-Sales5-Sales5Orders-SUB5-5", "push", True),
}
"""Name, kind of subscription, and whether its job stands at the Distributor."""
