"""What can be set of a turnstile, and what that means for who waits."""

from typing import Final

from app.domain.setting import Parameter
from app.drivers.sqlserver.parameters import DeclaredParameters

GATES: Final = Parameter("Gates", "count", 1, 1, 16, (1, 2, 4, 8), "Doors open at a time; counts at once.", "made up")
QUEUE: Final = Parameter(
    "QueueLength", "count", 10, 1, 1000, (10, 100), "People who may wait inside; counts from the next start.", "made up"
)

TURNSTILE: Final = DeclaredParameters(
    of="turnstile",
    title="the turnstile at {server}",
    role="Door",
    capabilities={"Turnstile": "a turnstile whose gates and queue may be changed"},
    parameters=(GATES, QUEUE),
    read="turnstile_settings",
    set="set_turnstile",
    restart="restart_turnstile",
    counts_from_restart={QUEUE.name: "the turnstile stands still while it restarts"},
)
