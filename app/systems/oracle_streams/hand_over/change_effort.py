"""Effort, interruption and prerequisites of changing a parameter of Oracle Streams."""

from collections.abc import Sequence
from typing import Final

from app.domain.decision import ChangeEffort, Level, Prerequisite
from app.domain.finding import Finding
from app.domain.hand_over import Recommendation
from app.domain.session import SessionRecord
from app.foundation.texts import _
from app.reporting.stood import stood_text
from app.systems.oracle_streams.hand_over.recommended import POOL, StreamsChange, plan_streams_changes
from app.systems.oracle_streams.pipeline import StreamsComponent

_ASKED: Final = ("apply_status", "apply_status_goldengate", "apply_status_xstream")
_SUPPORT: Final = (
    Prerequisite(
        _("Set hidden parameters only on Oracle Support's advice."),
        step=_("Ask Oracle Support about the hidden parameter"),
        seen=_("Oracle Support advises it"),
    ),
)


def _applies(changes: Sequence[StreamsChange]) -> list[str]:
    return [change.process for change in changes if change.component is StreamsComponent.APPLY and change.process]


def change_effort_of(finding: Finding, session: SessionRecord) -> ChangeEffort:
    """Return effort, interruption, check and levels of one change.

    Which parameters restart a process is said at
    https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_APPLY_ADM.html.
    """
    changes = plan_streams_changes([Recommendation(finding, str(finding.to_value), "")], session)
    places = tuple(
        f"{', '.join(filter(None, (change.process, change.database)))} ({change.target})"
        for change in changes
        if change.is_known
    )
    is_pool, is_hidden = finding.parameter == POOL, finding.parameter.startswith("_")
    of_several = ""
    interruption = _("A short delay: the process may restart itself and continues where it was.")
    check = _("The parameter reads {value}, the process is ENABLED, and DBA_APPLY_ERROR has no new row.")
    if is_pool:
        interruption = _("None if the memory is free: an instance without a pool needs a restart.")
    elif is_hidden:  # no page says when one counts; trials restart the process
        interruption = _("A restart by hand: the process is stopped and started, and continues where it was.")
        of_several = _(
            "{count} restarts by hand: the process is stopped and started each time, and continues where it was."
        )
        check = _(
            "The parameter reads {value}, the process was stopped and started since and is ENABLED, and "
            "DBA_APPLY_ERROR has no new row."
        )
    return ChangeEffort(
        places=places,
        effort=_("1 parameter, in {count} places").format(count=len(places)) if len(places) > 1 else _("1 parameter"),
        interruption=interruption,
        interruption_of_several=of_several,
        stood=stood_text(session, "stop_apply", "start_apply", _ASKED, _applies(changes)) if is_hidden else "",
        check=check.format(value=finding.to_value),
        risk_level=Level.HIGH if is_hidden else Level.MEDIUM if is_pool else Level.LOW,
        prerequisites=_SUPPORT if is_hidden else (),
    )
