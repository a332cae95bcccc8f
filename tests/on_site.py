"""By hand: what there is at the site of the scenario "on-site"."""

from typing import Final

DATABASE: Final = "distribution"
"""The one that is meant of its distribution databases."""
SERVERS: Final = {
    ("Distributor", "DIST1"),
    ("Publisher", "PUB1"),
    ("Publisher", "SALES-AG"),
    ("Subscriber", "SUB3"),
    ("Subscriber", "SUB4\\Ω 😀"),
    ("Subscriber", "SUB5"),
}
UNREACHED: Final = {"SUB1": "SUB1", "SUB2": "refused the login"}
"""By name, with what the sentence says at least."""
AGENTS: Final = {
    *((f"PUB1-Sales{digit}-{digit}", "", True) for digit in (1, 2, 3)),
    ("PUB1-O'Brien [EU]; Verkäufe ---4", "", True),
    ("PUB1-SALES3-5", "", True),
    ("PUB1-Sales1-Sales1Orders-SUB1-1", "push", True),
    ("PUB1-Sales2-Sales2Orders-SUB2-2", "push", True),
    ("PUB1-Sales3-Sales3Orders-SUB3-3", "pull", False),
    ('PUB1-O\'Brien [EU]; Verkäufe ---[Aufträge]] "2018".x */-SUB4\\Ω 😀-4', "push", True),
    ("PUB1-SALES3-sales3orders-SUB5-5", "push", True),
}
"""Name, kind of subscription, and whether its job stands at the Distributor."""

CAUTIONS: Final = (
    "The distribution database distribution is in an availability group",
    "Database O'Brien [EU]; Verkäufe -- of PUB1 is in an availability group and is asked at SALES-AG",
)
"""How each sentence on what is not as elsewhere begins."""
