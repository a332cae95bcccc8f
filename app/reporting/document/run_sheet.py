"""The run sheet for the maintenance window: steps for the client's DBA, the expected result, and the way out."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from app.domain.decision import Decision, DecisionKind, Prerequisite
from app.domain.hand_over import ScriptFiles
from app.domain.setting import Value
from app.foundation.texts import _
from app.reporting.blocks import Block, Bullets, Column, Heading, Paragraph, Section, Start, Table
from app.reporting.decision_words import effect_text, is_only_together, task_text
from app.reporting.document.scripts import Scripts
from app.reporting.expected import looked_at
from app.reporting.numbers import number

_DAY: Final = timedelta(days=1)
_WINDOW: Final = timedelta()
_FIRST_LOOK: Final = timedelta(minutes=15)


class Step(NamedTuple):
    """One row of the run sheet.

    Attributes:
        when: the time as it is printed. step: what is done, as a task.
        seen: what is seen then. otherwise: what is done where that is not seen.
        after: the time from the begin of the window, None where an occasion brings it.
    """

    when: str
    step: str
    seen: str
    otherwise: str
    after: timedelta | None = None


def run_sheet_steps(decisions: Sequence[Decision], scripts: Scripts) -> tuple[Step, ...]:
    """Return the steps of the maintenance window in order, () where nothing is to be changed."""
    changes = _changes_of(decisions)
    return (*_before(changes, scripts), *_changes(changes, scripts), *_after(changes, scripts)) if changes else ()


def _changes_of(decisions: Sequence[Decision]) -> list[Decision]:
    return [decision for decision in decisions if decision.kind is DecisionKind.CHANGE]


def run_sheet_section(decisions: Sequence[Decision], scripts: Scripts, *, is_redacted: bool) -> Section:
    """Return the steps of the maintenance window, empty where nothing is to be changed."""
    changes = _changes_of(decisions)
    if not changes:
        return Section(_("Run sheet"), ())
    steps = run_sheet_steps(changes, scripts)
    columns = (
        Column("", "right"),
        Column(_("When"), width=0.7),
        Column(_("Do"), width=3.2),
        Column(_("You should see"), width=2.2),
        Column(_("If not"), width=1.7),
        Column(_("Who, when"), width=0.7),
    )
    signed = (
        (number(place), one.when, one.step, one.seen, one.otherwise, "") for place, one in enumerate(steps, start=1)
    )
    table = Table(columns, tuple(signed), small=True)
    note = _(
        "The scripts are attached: for each change one that makes it, one that undoes it, and where values can be "
        "read, one that reads them before and one afterwards. Make one change at a time: the next only when the one "
        "before shows what it should."
    )
    if any(map(is_only_together, changes)):
        note += " " + _("Changes that were measured only together belong together: make all of them, then look.")
    note += " " + _("Owner of the window: ____________________ Date: ____________")
    if is_redacted:
        note += " " + _("Names are replaced in this copy: run the scripts that lie beside the session file.")
    under = tuple(_valid_for(changes))
    told = (Bullets(under, small=True),) if under else ()
    return Section(_("Run sheet"), (Paragraph(note), table, *told, *_by_hand(changes, scripts)), Start.NEW_PAGE)


def _task(decision: Decision, changes: Sequence[Decision]) -> str:
    """Return a change as rows beside its own call it: its conditions stand there, but where they tell two apart."""
    bare = task_text(decision, tells_conditions=False)
    others = [other for other in changes if other is not decision]
    is_alike = any(_sets_the_same(o, decision) or task_text(o, tells_conditions=False) == bare for o in others)
    return task_text(decision) if is_alike or not decision.where else bare


def _valid_for(changes: Sequence[Decision]) -> Iterator[str]:
    """Yield the experiments and conditions that changes are valid for, each once, with the changes."""
    told: dict[str, list[str]] = {}
    for decision in changes:
        if decision.where:
            told.setdefault(decision.where, []).append(task_text(decision, tells_conditions=False))
    for where, tasks in told.items():
        yield _("{task}: valid for {where}").format(task="; ".join(dict.fromkeys(tasks)), where=where)


def _before(changes: Sequence[Decision], scripts: Scripts) -> list[Step]:
    rows: list[Step] = []
    checked = [files for decision in changes for files in scripts.files_of(decision) if files.switch]
    if checked:
        read = _("Read {files} and run it as it is, which checks only: {command}")
        if len(checked) > 1:
            read = _("Read {files} and run each as it is, which checks only, the first one by {command}")
        names = ", ".join(dict.fromkeys(files.apply for files in checked))
        told = read.format(files=names, command=checked[0].command_for(checked[0].apply))
        seen = _("The server and the values of this site; the last line: nothing was changed")
        rows.append(Step(_("day before"), told, seen, _("Ask before the window"), -_DAY))
    for asked, asking in _prerequisites(changes).items():
        tasks = dict.fromkeys(_task(decision, changes) for decision in asking)
        step = _("{step} (for: {tasks})").format(step=asked.step, tasks="; ".join(tasks))
        left = _("Leave that change out")
        if any(map(is_only_together, asking)):
            left = _("Leave that change out, and what was measured together with it")
        rows.append(Step(_("day before"), step, asked.seen, left, -_DAY))
    state = _with_scripts(
        _("Note latency, backlog and errors of what is changed"), changes, scripts, lambda files: files.before
    )
    ahead = Step(_("T\u00a0−\u00a05\u00a0min"), state, _("All as usual"), _("Postpone"), -timedelta(minutes=5))
    return [*rows, ahead]


def _with_scripts(task: str, changes: Sequence[Decision], scripts: Scripts, look: Callable[[ScriptFiles], str]) -> str:
    """Return a task with the scripts that read the state for it, which are run as those that set values are."""
    every = dict.fromkeys(files for decision in changes for files in scripts.files_of(decision))
    names = ", ".join(filter(None, map(look, every)))
    return _("{task}: run {files} in the same way").format(task=task, files=names) if names else task


def _prerequisites(changes: Sequence[Decision]) -> dict[Prerequisite, list[Decision]]:
    """Return the prerequisites, each with the changes it is asked for, in their order."""
    asking: dict[Prerequisite, list[Decision]] = {}
    for decision in changes:
        for asked in decision.change_effort.prerequisites:
            asking.setdefault(asked, []).append(decision)
    return asking


def _changes(changes: Sequence[Decision], scripts: Scripts) -> list[Step]:
    rows: list[Step] = []
    for place, decision in enumerate(changes):
        before = next((one for one in changes[:place] if _sets_the_same(one, decision)), None)
        if before is not None and _values(before) == _values(decision):
            continue
        for one in _done(decision, changes, scripts, before):
            when = (_("next") if rows else _("T")) if before is None else _("or")
            rows.append(Step(when, *one, _WINDOW))
    return rows


def _done(
    decision: Decision, changes: Sequence[Decision], scripts: Scripts, before: Decision | None
) -> list[tuple[str, str, str]]:
    """Return step, expected result and way out of each script; `before` is the decision it excludes."""
    task, check = task_text(decision), decision.change_effort.check
    places = ", ".join(place for place in decision.change_effort.places if place and place not in task)
    asked = _("{task}, for {places}").format(task=task, places=places) if places else task
    if decision.is_worth_open:
        asked = _("{task}, only if it was decided that so small a gain is worth it").format(task=asked)
    if before is not None:
        instead = _("Not as well as, but instead of: {before}. {do}")
        asked = instead.format(before=_task(before, changes), do=asked)
    every = scripts.files_of(decision)
    if decision.together and len(every) > 1:
        check = _("The steps of one decision belong together; after the last: {check}").format(check=check)
    check = f"{check} {decision.change_effort.stood}".rstrip()
    return [
        (_applied(asked, files), _("The last line: Done. {check}").format(check=check), _undone(files))
        for files in every
    ] or [(_("{task} (by hand)").format(task=asked), check, _("Undo it"))]


def _sets_the_same(one: Decision, other: Decision) -> bool:
    """Tell whether two changes, each measured under its own conditions, are of the same parameter of one place."""
    places = set(one.change_effort.places) & set(other.change_effort.places)
    return bool(_values(one).keys() & _values(other).keys()) and bool(places)


def _values(decision: Decision) -> dict[str, Value | None]:
    return {part.parameter: part.to_value for part in decision.parts}


def _applied(task: str, files: ScriptFiles) -> str:
    if not files.switch:
        return _("{task}: {command}").format(task=task, command=files.command_for(files.apply))
    return _("{task}: write yes instead of no in the line {line} of {file}, then {command}").format(
        task=task, line=files.switch, file=files.apply, command=files.command_for(files.apply)
    )


def _undone(files: ScriptFiles) -> str:
    return _("Undo it in the same way: {command}").format(command=files.command_for(files.rollback))


def _after(changes: Sequence[Decision], scripts: Scripts) -> list[Step]:
    watch, seen = _("Compare latency, backlog and errors with what was noted"), _seen_afterwards(changes, scripts)
    signs = " ".join(dict.fromkeys(each for one in changes for each in one.change_effort.stop_when))
    undo = _("Undo the last change")
    busiest = _("Compare the busiest hour with the same hour of the day before")
    soon = _("T\u00a0+\u00a015\u00a0min")
    looked = filter(None, (looked_at(one, scripts.words, _task(one, changes)) for one in changes))
    first = _with_scripts(watch, changes, scripts, lambda files: files.verify)
    rows: list[Step] = [
        *(Step(soon, *told, _("Undo it"), _FIRST_LOOK) for told in looked),
        Step(soon, first, f"{seen}. {signs}" if signs else seen, undo, _FIRST_LOOK),
        Step(_("T\u00a0+\u00a01\u00a0h"), watch, seen, undo, timedelta(hours=1)),
        Step(_("next day"), busiest, seen, undo, _DAY),
    ]
    rows += _later(changes)
    if any(map(scripts.files_of, changes)):
        undone = _("Undo what was changed, the last change first: its command is in the column “If not”")
        rows.append(Step(_("any time"), undone, _("The value from before"), _("Call the consultant")))
    return rows


def _seen_afterwards(changes: Sequence[Decision], scripts: Scripts) -> str:
    """Return the state to be seen behind a change, with the costs that were measured."""
    costs = dict.fromkeys(effect_text(cost, scripts.words) for one in changes if one.gain for cost in one.gain.costs)
    if not costs:
        return _("At or below what was noted")
    return _("At or below what was noted, but for what was measured: {effects}").format(effects=", ".join(costs))


def _later(changes: Sequence[Decision]) -> list[Step]:
    """Return the looks on occasions after the window, each once."""
    later = dict.fromkeys(each for decision in changes for each in decision.change_effort.later)
    return [Step(each.when, each.step, each.seen, each.otherwise) for each in later]


def _by_hand(changes: Sequence[Decision], scripts: Scripts) -> list[Block]:
    texts = tuple(part.finding.recommendation for one in changes for part in one.parts if not scripts.files_of(part))
    return [Heading(_("By hand"), minor=True), Bullets(texts)] if texts else []
