"""Backlogs in the distribution database, counted up to a bound, and in the same words wherever they are told."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from app.domain.setting import value_text
from app.flows.words import counted
from app.foundation.texts import _

MOST_COUNTED: Final = 10_000_000
"""Counting the backlog of one agent ends here: beyond it reading costs a server more than the number tells."""


@dataclass(frozen=True)
class StoredBacklog:
    """The backlog of one agent, or of several together.

    Attributes:
        commands: as far as they were counted.
        is_at_least: counting ended before the last one.
    """

    commands: int
    is_at_least: bool = False

    @property
    def exact(self) -> int | None:
        """The exact number of commands, None beyond the bound."""
        return None if self.is_at_least else self.commands

    def plus(self, commands: int) -> "StoredBacklog":
        """Return it with commands that stand elsewhere."""
        return StoredBacklog(self.commands + commands, self.is_at_least)


def backlog_counted(commands: int) -> StoredBacklog:
    """Return the backlog of an agent that was counted up to `MOST_COUNTED`."""
    return StoredBacklog(commands, commands >= MOST_COUNTED)


def backlogs_together(backlogs: Collection[StoredBacklog]) -> StoredBacklog:
    """Return the backlog of several agents."""
    return StoredBacklog(sum(one.commands for one in backlogs), any(one.is_at_least for one in backlogs))


def backlog_text(backlog: StoredBacklog) -> str:
    """Return a backlog with its unit, which stays on its line."""
    count = value_text(backlog.commands)
    text = counted(backlog.commands, _("1 command"), _("{count} commands"))
    text = _("at least {count} commands").format(count=count) if backlog.is_at_least else text
    return text.replace(f"{count} ", f"{count}\u00a0")


def stored_text(backlogs: Collection[StoredBacklog], agents: int) -> str:
    """Return the backlog of all agents together, with how many of them were counted where that is not all.

    Args:
        agents: how many have a backlog.
    """
    text = backlog_text(backlogs_together(backlogs))
    if len(backlogs) >= agents:
        return text
    return _("{backlog} for {counted} of {all} Distribution Agents").format(
        backlog=text, counted=len(backlogs), all=agents
    )


def waits_text(backlog: StoredBacklog) -> str:
    """Return in one sentence that a backlog waits."""
    if backlog.is_at_least:
        return _("at least {count} commands wait").format(count=value_text(backlog.commands))
    return counted(backlog.commands, _("1 command waits"), _("{count} commands wait"))
