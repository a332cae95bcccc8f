"""One parameter of a capture or an apply; undo writes the value somebody had set, else NULL, which restores the
default."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.change import RUN_FOUND, RUN_LEFT, Change, OfProcess
from app.domain.declared_change import (
    EXPECTED,
    Call,
    Declaration,
    Declared,
    Details,
    Restart,
    Run,
    Scope,
    Words,
    changed_by_others,
)
from app.domain.setting import Value
from app.drivers.oracle.scripts import Compared, literal
from app.drivers.oracle.session import End
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import StreamsComponent, StreamsProcess, Technology
from app.systems.oracle_streams.server.documented import INFINITE, LARGEST, DocumentedParameter
from app.systems.oracle_streams.server.executor import OracleExecutor
from app.systems.oracle_streams.server.process_control import ApplyControl

PROCESS_PARAMETER: Final = "process_parameter"
# "A new value may take a short while to act" (SET_PARAMETER); the views show it at once or soon after.
_READ_BACK_LIMIT_S: Final = 60.0
_REPLACED: Final = "replaced_value"
_VALUES: Final = frozenset({"original_value", "original_set", "default", "new_value", _REPLACED, RUN_FOUND, RUN_LEFT})
_RESTARTING: Final = frozenset({"PARALLELISM", "PRESERVE_ENCRYPTION"})


@dataclass(frozen=True)
class ShownValue:
    """A parameter as the view shows it: its value, and whether somebody set it; both empty where it is not shown.

    Attributes:
        is_hidden: it is shown only while somebody has it set, so one that is not shown was reset.
    """

    value: str
    is_set: bool
    is_hidden: bool = False


def end_of(component: StreamsComponent) -> End:
    """Return where a component's parameters are set."""
    return End.DESTINATION if component is StreamsComponent.APPLY else End.SOURCE


def component_of(details: Details) -> StreamsComponent:
    """Return whose parameter a change is about."""
    return StreamsComponent(str(details["component"]))


def _names(details: Details) -> Mapping[str, Value | None]:
    return {"process_name": details["process"], "parameter_name": details["parameter"]}


def reading(details: Details) -> Call[End]:
    """Return the call that reads a parameter of a process."""
    component = component_of(details)
    statement = "apply_parameter" if component is StreamsComponent.APPLY else "capture_parameter"
    return Call(statement, end_of(component), _names(details))


def setting(details: Details, value: str | None) -> Call[End]:
    """Return the call that gives a parameter of a process a value, None for its default."""
    component = component_of(details)
    values = {**_names(details), "value": value, EXPECTED: None}
    return Call(f"set_{component.value}_parameter", end_of(component), values, compares=True)


def _read(run: Run[End], details: Details) -> ShownValue:
    rows = run(reading(details))
    if not rows:
        return ShownValue("", False)
    return ShownValue(rows[0].text("value"), rows[0].text("set_by_user") == "YES")


def _expected(shown: ShownValue) -> str:
    """Return the text the statements compare a reading with, "/" of a parameter that is not shown."""
    return f"{'YES' if shown.is_set else ''}/{shown.value}"


def _set(_run: Run[End], details: Details, wanted: ShownValue) -> tuple[Call[End], ...]:
    return (setting(details, wanted.value if wanted.is_set else None),)


def _guard(details: Details) -> str:
    """Return the condition that compares a parameter as `_is_there` does: whether somebody set it, and to which
    value."""
    call = reading(details)
    return Compared(
        _subject(details),
        call.statement,
        call.values,
        {
            "found": ("VARCHAR2(4000)", "MAX(shown.value)"),
            "set_by_user": ("VARCHAR2(10)", "NVL(MAX(shown.set_by_user), 'NO')"),
        },
        is_before=_shows(_original(details)),
        is_set=" OR ".join(_shows(value) for value in (_new(details), *_replaced(details))),
    ).block()


def _shows(wanted: ShownValue) -> str:
    """Return the condition of `_is_there`, whatever a release spells a number like."""
    if not wanted.is_set:
        return "set_by_user <> 'YES'"
    spelled = f"REPLACE(UPPER(TRIM(found)), '{INFINITE}', '{LARGEST}')"
    return f"set_by_user = 'YES' AND NVL(LTRIM({spelled}, '0'), '0') = {literal(_one_spelling(wanted.value))}"


def _original(details: Details) -> ShownValue:
    """Return the original value: of one that nobody had set, older journals do not know the default."""
    was_set, is_hidden = bool(details["original_set"]), str(details["parameter"]).startswith("_")
    return ShownValue(str(details["original_value"] if was_set else details.get("default", "")), was_set, is_hidden)


def _is_there(shown: ShownValue, wanted: ShownValue) -> bool:
    """Tell whether the wanted value is there where somebody set it, else whether nobody has."""
    return shown.is_set is wanted.is_set and (not wanted.is_set or _is_same(shown.value, wanted.value))


def _is_same(value_now: str, given: str) -> bool:
    """Tell whether a view shows the value that was given, however a release spells it."""
    return _one_spelling(value_now) == _one_spelling(given)


def _one_spelling(value: str) -> str:
    return value.strip().upper().replace(INFINITE, str(LARGEST)).lstrip("0") or "0"


def _shown(value: ShownValue) -> str:
    if value.is_set:
        return value.value
    if value.value:
        return _("{value} (default)").format(value=value.value)
    return _("the default, which the views do not show") if value.is_hidden else _("the default")


def _unread(change: Change, shown: ShownValue, _wanted: ShownValue) -> str:
    return _('{subject} reads "{found}" ({who}) after it was changed; look at its view of parameters').format(
        subject=change.subject, found=shown.value, who=_("set by a user") if shown.is_set else _("default")
    )


def _subject(details: Details) -> str:
    return _("{parameter} of {component} {process}").format(
        parameter=details["parameter"], component=details["component"], process=details["process"]
    )


def _new(details: Details) -> ShownValue:
    return ShownValue(str(details["new_value"]), True)


def _replaced(details: Details) -> tuple[ShownValue, ...]:
    return (ShownValue(str(details[_REPLACED]), True),) if _REPLACED in details else ()


DECLARED: Final = Declaration[End, ShownValue](
    kind=PROCESS_PARAMETER,
    scope=Scope.PROCESS,
    read=_read,
    set=_set,
    original=_original,
    new=_new,
    words=Words(
        subject=_subject,
        shown=_shown,
        making=lambda subject, value: _("Set {subject} to {value}").format(subject=subject, value=value),
        undoing=lambda subject, _value: _("Undo {subject}").format(subject=subject),
        unread=_unread,
        consent=lambda details: str(details["consent"]),
        others=lambda change, reading: changed_by_others(change, _shown(reading)),
    ),
    restarts=Restart.PROCESS,
    same=_is_there,
    limit_s=_READ_BACK_LIMIT_S,
    expected=_expected,
    guard=_guard,
    replaced=_replaced,
)


def await_apply(control: ApplyControl, details: Details) -> None:
    """Wait until an apply runs again: one that ran may have been restarted by the server."""
    if component_of(details) is not StreamsComponent.APPLY:
        return
    name, technology = str(details["process"]), Technology(str(details["technology"]))
    if control.status(name, technology).status == "ENABLED":
        control.await_running(name, technology)


def parameter_process(change: Change) -> OfProcess | None:
    """Return the process whose start makes a parameter's value count, None for a value that counts at once.

    A capture or apply whose PARALLELISM changes is restarted by the server where it has to be (SET_PARAMETER of
    DBMS_CAPTURE_ADM and DBMS_APPLY_ADM, Oracle Database PL/SQL Packages and Types Reference); of hidden parameters no
    page says when they count.
    """
    if change.kind != PROCESS_PARAMETER or change.detail("parameter") in _RESTARTING:
        return None
    component = component_of(dict(change.details))
    return OfProcess(process_title(component, str(change.detail("process"))), is_stop=False)


def process_title(component: StreamsComponent, name: str) -> str:
    """Return a capture or apply as a person calls it."""
    if component is StreamsComponent.CAPTURE:
        return _("capture {name}").format(name=name)
    return _("apply {name}").format(name=name)


def restarting_capture(executor: OracleExecutor, change: Change) -> Change:
    """Return the change of PARALLELISM after which the server stops and starts the capture another change is about.

    Taken back, it restarts it again (DBMS_CAPTURE_ADM.SET_PARAMETER, Oracle Database PL/SQL Packages and Types
    Reference).
    """
    declared, details = Declared(DECLARED, executor), dict(change.details)
    # placed as the change that has it restarted: where it was made, and who may have
    kept = {name: value for name, value in change.details if name not in _VALUES}
    named = tuple({**kept, "parameter": "PARALLELISM"}.items())
    now = declared.read({**details, "parameter": "PARALLELISM"})
    values = (
        ("original_value", now.value if now.is_set else ""),
        ("original_set", int(now.is_set)),
        ("default", "" if now.is_set else now.value),
        ("new_value", str(int(now.value) + 1 if now.value.isdigit() else 2)),
    )
    return declared.plan((*named, *values), {"consent": ""})


def run_of_process(control: ApplyControl, change: Change) -> str:
    """Read when the process of a change was started, "" while it stands."""
    details = dict(change.details)
    name, technology = str(details.get("process", details.get("apply"))), Technology(str(details["technology"]))
    if change.kind == PROCESS_PARAMETER and component_of(details) is StreamsComponent.CAPTURE:
        return control.capture_started(name, technology)
    return control.status(name, technology).started


def plan_process_parameter(
    executor: OracleExecutor,
    process: StreamsProcess,
    parameter: DocumentedParameter,
    value: str,
    undone_soon: Sequence[Change] = (),
) -> tuple[Change, ...]:
    """Return the change that gives a parameter a value, () where the view shows that value already.

    Args:
        undone_soon: changes that are taken as undone, though they show until then.
    """
    declared = Declared(DECLARED, executor)
    named: tuple[tuple[str, Value], ...] = (
        ("component", process.component.value),
        ("process", process.name),
        ("technology", process.technology.value),
        ("parameter", parameter.server_name),
    )
    replaced = [dict(change.details) for change in undone_soon if change.kind == PROCESS_PARAMETER]
    replaced = [details for details in replaced if named == tuple((name, details[name]) for name, _value in named)]
    now = _original(replaced[-1]) if replaced else declared.read(dict(named))
    if now.value == value:
        return ()
    values: tuple[tuple[str, Value], ...] = (
        ("original_value", now.value if now.is_set else ""),
        ("original_set", int(now.is_set)),
        ("default", "" if now.is_set else now.value),
        ("new_value", value),
        *((_REPLACED, details["new_value"]) for details in replaced[-1:]),
    )
    return (declared.plan((*named, *values), {"consent": _consent(process, parameter)}),)


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
