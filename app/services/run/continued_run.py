"""A run that goes on: one that did not complete, or a complete one that confirms further."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.errors import BadInput
from app.domain.family import Site
from app.domain.plan import Plan
from app.domain.session import Environment, RunRecord
from app.domain.system import System
from app.foundation.texts import _


@dataclass(frozen=True)
class ContinuedRun:
    """The last run of a session.

    Attributes:
        run: with the plan it goes on with; its trials are kept.
        least_confirm_blocks: confirming blocks there are to be at least, 0 for what the plan says.
        blocks_left: how many a complete run may still add.
    """

    session_id: str
    run: RunRecord
    least_confirm_blocks: int = 0
    blocks_left: int = 0


def refuse_other_servers(before: Environment, site: Site, plan: Plan, system: System, subject: str) -> None:
    """Refuse to lay the trials that are kept together with trials of other servers, or of servers in other roles.

    Raises:
        BadInput: a run would touch others than when the environment was read.
    """
    earlier = system.kept_site(before, subject)
    if earlier is None:
        return
    touched = system.rig_kind(subject).servers
    then, now = (sorted({(server.name, server.role) for server in touched(plan, one)}) for one in (earlier, site))
    if then != now:
        raise BadInput(
            _(
                "the trials that are kept were run with {old}; the next one would be run with {new}, and the two "
                "cannot be compared: go on once the servers have their earlier roles again, or start a new run"
            ).format(old=_listed(then), new=_listed(now))
        )


def _listed(servers: Sequence[tuple[str, str]]) -> str:
    return ", ".join(_("{server} ({role})").format(server=name, role=role) for name, role in servers)


def set_otherwise(before: Environment, now: Environment, system: System) -> str:
    """Return a sentence on settings changed since the kept trials were run, "" for none."""
    was, present = (system.kept_settings(environment).by_place() for environment in (before, now))
    told = [
        _("{where}, {name}: {old} before, {new} now").format(
            where=where,
            name=name,
            old=was.get((where, name)) or _("not there"),
            new=present.get((where, name)) or _("not there"),
        )
        for where, name in dict.fromkeys((*was, *present))
        if present.get((where, name), "") != was.get((where, name), "")
    ]
    if not told:
        return ""
    return _("Not everything is as it was when the trials that are kept were run: {differences}").format(
        differences="; ".join(told)
    )
