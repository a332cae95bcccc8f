"""Effort, interruption and prerequisites of a recommendation for availability groups."""

from app.domain.decision import ChangeEffort, Later, Level, Prerequisite
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.systems.availability_groups.commit_steps import COMPRESS_SYNCHRONOUS
from app.systems.availability_groups.hand_over.scripts import COMPRESSION, GROUP_COMMIT_TIME, plan_group_changes


def change_effort_of(finding: Finding, session: SessionRecord) -> ChangeEffort:
    """Return effort, interruption, check and levels of one change."""
    if finding.parameter not in (COMPRESSION, GROUP_COMMIT_TIME):
        return ChangeEffort(
            places=(),
            effort=_("Nothing to set; the next replica is added this way"),
            interruption=_("None, though seeding loads both servers while it runs."),
            check=_("The replica reports SYNCHRONIZED or SYNCHRONIZING when seeding has ended."),
        )
    changes = plan_group_changes([Recommendation(finding, str(finding.to_value), "")], session)
    servers = tuple(f"{change.server} ({change.target})" for change in changes if change.server)
    if finding.parameter == GROUP_COMMIT_TIME:
        return ChangeEffort(
            places=servers,
            effort=(
                _("1 server option at {count} replicas").format(count=len(servers))
                if len(servers) > 1
                else _("1 server option at each replica")
            ),
            interruption=_("None: the option takes effect at once, and stays over a restart."),
            check=_("value_in_use of the option in sys.configurations is {value} at every replica.").format(
                value=finding.to_value
            ),
            effort_level=Level.LOW,
            risk_level=Level.MEDIUM,
        )
    return ChangeEffort(
        places=servers,
        effort=(
            _("1 trace flag, also as start-up parameter, at {count} replicas").format(count=len(servers))
            if len(servers) > 1
            else _("1 trace flag, also as start-up parameter, at each replica")
        ),
        interruption=_("None: the flag takes effect at once, the start-up parameter with the next restart."),
        check=_("DBCC TRACESTATUS ({flag}, -1) shows the flag at every replica.").format(flag=COMPRESS_SYNCHRONOUS),
        later=(
            Later(
                _("next restart"),
                _("Look whether the start-up parameter -T{flag} took the flag up again, at each replica").format(
                    flag=COMPRESS_SYNCHRONOUS
                ),
                _("DBCC TRACESTATUS ({flag}, -1) shows 1 after a restart and after a failover").format(
                    flag=COMPRESS_SYNCHRONOUS
                ),
                _("Set the start-up parameter in SQL Server Configuration Manager"),
            ),
        ),
        effort_level=Level.MEDIUM,
        risk_level=Level.MEDIUM,
        prerequisites=(
            Prerequisite(
                _("Try it with your own data first: data that does not compress gains nothing."),
                step=_("Try it with a copy of your own data"),
                seen=_("The copy takes less time with the flag set"),
            ),
        ),
    )
