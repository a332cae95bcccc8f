"""One parameter of a capture or an apply; undo writes what somebody had set, else NULL, which puts the default back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.domain.change import Change
from app.domain.errors import VerificationFailed
from app.domain.setting import Value
from app.drivers.oracle.scripts import Where, block_script
from app.drivers.oracle.session import End, Session
from app.foundation.clock import Clock
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsProcess, Technology
from app.systems.oracle_streams.server.documented import INFINITE, LARGEST, DocumentedParameter
from app.systems.oracle_streams.server.others import changed_by_others
from app.systems.oracle_streams.server.polling import polls
from app.systems.oracle_streams.server.process_control import ApplyControl

PROCESS_PARAMETER: Final = "process_parameter"
# "A new value may take a short while to act" (SET_PARAMETER); the views show it at once or soon after.
_READ_BACK_LIMIT_S: Final = 60.0


@dataclass(frozen=True)
class ShownValue:
    """What the view says of a parameter: its value, and whether somebody set it; both empty where it is not shown."""

    value: str
    is_set: bool


def end_of(component: StreamsComponent) -> End:
    """Return where a component's parameters are set."""
    return End.DESTINATION if component is StreamsComponent.APPLY else End.SOURCE


def read_shown(session: Session, component: StreamsComponent, process: str, name: str) -> ShownValue:
    """Read one parameter of one process."""
    statement = "apply_parameter" if component is StreamsComponent.APPLY else "capture_parameter"
    rows = session.run(statement, end_of(component), process_name=process, parameter_name=name)
    if not rows:
        return ShownValue("", False)
    return ShownValue(rows[0].text("value"), rows[0].text("set_by_user") == "YES")


def plan_process_parameter(
    session: Session, where: Where, process: StreamsProcess, parameter: DocumentedParameter, value: str
) -> tuple[Change, ...]:
    """Return the change that gives a parameter a value, () where the view shows that value already."""
    name = parameter.server_name
    now = read_shown(session, process.component, process.name, name)
    if now.value == value:
        return ()
    subject = _("{parameter} of {component} {process}").format(
        parameter=name, component=process.component.value, process=process.name
    )
    statement = f"set_{process.component.value}_parameter"

    def script(title: str, given: str | None, *, is_undo: bool = False) -> str:
        values = {"process_name": process.name, "parameter_name": name, "value": given}
        return block_script(title, where, statement, values, is_undo=is_undo)

    original = now.value if now.is_set else None
    details: tuple[tuple[str, Value], ...] = (
        ("component", process.component.value),
        ("process", process.name),
        ("technology", process.technology.value),
        ("parameter", name),
        ("original_value", now.value if now.is_set else ""),
        ("original_set", int(now.is_set)),
        ("new_value", value),
    )
    return (
        Change(
            kind=PROCESS_PARAMETER,
            subject=subject,
            original=now.value if now.is_set else _default_words(now, is_hidden=parameter.is_hidden),
            new=value,
            details=details,
            apply_sql=script(_("Set {subject} to {value}").format(subject=subject, value=value), value),
            undo_sql=script(_("Put back {subject}").format(subject=subject), original, is_undo=True),
            needs_consent=_consent(process, parameter),
        ),
    )


def _default_words(now: ShownValue, *, is_hidden: bool = False) -> str:
    if now.value:
        return _("{value} (default)").format(value=now.value)
    return _("the default, which the views do not show") if is_hidden else _("the default")


def _consent(process: StreamsProcess, parameter: DocumentedParameter) -> str:
    parts = []
    if parameter.server_name == "PARALLELISM":
        parts.append(_("the server may stop and start this process by itself"))
    if parameter.is_hidden:
        parts.append(_("hidden parameter: {name} {risk}").format(name=parameter.server_name, risk=parameter.risk))
    elif parameter.risk:
        parts.append(_("risk: {name} {risk}").format(name=parameter.server_name, risk=parameter.risk))
    if process.technology is Technology.XSTREAM:
        parts.append(_("the process belongs to XStream"))
    return "; ".join(parts)


class ProcessParameter:
    """Sets one parameter; undo works from the change alone and does nothing where the original is there."""

    def __init__(self, session: Session, clock: Clock, control: ApplyControl) -> None:
        self._session = session
        self._clock = clock
        self._control = control

    def is_applied(self, change: Change) -> bool:
        """Tell whether the view shows the new value."""
        return self._read(change).value == change.detail("new_value")

    def is_undone(self, change: Change) -> bool:
        """Tell whether the old value is there where somebody had set it, else whether nobody has."""
        now, was_set = self._read(change), bool(change.detail("original_set"))
        return now.is_set is was_set and (not was_set or now.value == change.detail("original_value"))

    def apply(self, change: Change) -> None:
        """Set the new value and read it back; raises VerificationFailed."""
        self._set(change, str(change.detail("new_value")))
        self._await(change, self.is_applied)

    def undo(self, change: Change) -> None:
        """Write the old value where somebody had set it, else NULL; raises VerificationFailed.

        A hidden parameter is shown only while somebody has it set, so one that is not shown was reset.

        Raises:
            ChangedByOthers: what is set is neither what was found nor the value of this change; it is left as it is.
        """
        if self.is_undone(change):
            return
        now = self._read(change)
        if not _is_same(now.value, str(change.detail("new_value"))):
            raise changed_by_others(change, now.value if now.is_set else _default_words(now))
        self._set(change, str(change.detail("original_value")) if change.detail("original_set") else None)
        self._await(change, self.is_undone)

    def _set(self, change: Change, value: str | None) -> None:
        component = _component(change)
        self._session.run(
            f"set_{component.value}_parameter",
            end_of(component),
            process_name=str(change.detail("process")),
            parameter_name=str(change.detail("parameter")),
            value=value,
        )

    def _read(self, change: Change) -> ShownValue:
        return read_shown(
            self._session, _component(change), str(change.detail("process")), str(change.detail("parameter"))
        )

    def _await(self, change: Change, is_there: Callable[[Change], bool]) -> None:
        for _waited_s in polls(self._clock, _READ_BACK_LIMIT_S):
            if is_there(change):
                self._await_apply(change)
                return
        now = self._read(change)
        raise VerificationFailed(
            _('{subject} reads "{found}" ({who}) after it was changed; look at its view of parameters').format(
                subject=change.subject, found=now.value, who=_("set by a user") if now.is_set else _("default")
            )
        )

    def _await_apply(self, change: Change) -> None:
        """An apply that runs may have been restarted by the server; wait until it runs again."""
        if _component(change) is not StreamsComponent.APPLY:
            return
        name, technology = str(change.detail("process")), Technology(str(change.detail("technology")))
        if self._control.status(name, technology).status == "ENABLED":
            self._control.await_running(name, technology)


def _is_same(found: str, given: str) -> bool:
    """Tell whether a view shows the value that was given, however a release spells it."""
    one, other = (text.strip().upper().replace(INFINITE, str(LARGEST)) for text in (found, given))
    return one == other or (one.isdigit() and other.isdigit() and int(one) == int(other))


def _component(change: Change) -> StreamsComponent:
    return StreamsComponent(str(change.detail("component")))
