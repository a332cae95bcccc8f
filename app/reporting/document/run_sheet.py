"""The run sheet for the maintenance window: steps for the client's DBA, the expected result, and the way out."""

from collections.abc import Sequence

from app.domain.decision import Decision, DecisionKind, Prerequisite
from app.domain.hand_over import ScriptFiles
from app.domain.setting import Value
from app.foundation.texts import _
from app.reporting.blocks import Block, Bullets, Column, Heading, Paragraph, Section, Start, Table
from app.reporting.decision_words import effect_text, is_only_together, task_text
from app.reporting.document.scripts import Scripts
from app.reporting.numbers import number

_Row = tuple[str, str, str, str]


def run_sheet_section(decisions: Sequence[Decision], scripts: Scripts, *, is_redacted: bool) -> Section:
    """Return the steps of the maintenance window, empty where nothing is to be changed."""
    changes = [decision for decision in decisions if decision.kind is DecisionKind.CHANGE]
    if not changes:
        return Section(_("Run sheet"), ())
    rows = [*_before(changes, scripts), *_changes(changes, scripts), *_after(changes, scripts)]
    columns = (
        Column("", "right"),
        Column(_("When"), width=0.8),
        Column(_("Do"), width=2.6),
        Column(_("You should see"), width=2.2),
        Column(_("If not"), width=1.7),
    )
    table = Table(columns, tuple((number(place), *row) for place, row in enumerate(rows, start=1)), small=True)
    note = _(
        "The scripts are attached, a pair for each change. Make one change at a time: the next only when the one "
        "before shows what it should."
    )
    if any(map(is_only_together, changes)):
        note += " " + _("Changes that were measured only together belong together: make all of them, then look.")
    if is_redacted:
        note += " " + _("Names are replaced in this copy: run the scripts that lie beside the session file.")
    under = tuple(
        _("{task}: valid for {where}").format(task=task_text(decision), where=decision.where)
        for decision in changes
        if decision.where
    )
    told = (Bullets(under, small=True),) if under else ()
    return Section(_("Run sheet"), (Paragraph(note), table, *told, *_by_hand(changes, scripts)), Start.NEW_PAGE)


def _before(changes: Sequence[Decision], scripts: Scripts) -> list[_Row]:
    rows: list[_Row] = []
    for files in (own for decision in changes for own in scripts.files_of(decision) if own.switch):
        read = _("Read {file} and run it as it is, which checks only: {command}").format(
            file=files.apply, command=files.command_for(files.apply)
        )
        seen = _("The server and the values of this site; the last line: nothing was changed")
        rows.append((_("day before"), read, seen, _("Ask before the window")))
    for asked, asking in _prerequisites(changes).items():
        tasks = dict.fromkeys(map(task_text, asking))
        step = _("{step} (for: {tasks})").format(step=asked.step, tasks="; ".join(tasks))
        left = _("Leave that change out")
        if any(map(is_only_together, asking)):
            left = _("Leave that change out, and what was measured together with it")
        rows.append((_("day before"), step, asked.seen, left))
    state = _("Note latency, backlog and errors of what is changed")
    return [*rows, (_("T\u00a0−\u00a05\u00a0min"), state, _("All as usual"), _("Postpone"))]


def _prerequisites(changes: Sequence[Decision]) -> dict[Prerequisite, list[Decision]]:
    """Return the prerequisites, each with the changes it is asked for, in their order."""
    asking: dict[Prerequisite, list[Decision]] = {}
    for decision in changes:
        for asked in decision.change_effort.prerequisites:
            asking.setdefault(asked, []).append(decision)
    return asking


def _changes(changes: Sequence[Decision], scripts: Scripts) -> list[_Row]:
    rows: list[_Row] = []
    for place, decision in enumerate(changes):
        before = next((one for one in changes[:place] if _sets_the_same(one, decision)), None)
        if before is not None and _values(before) == _values(decision):
            continue
        for one in _done(decision, scripts, before):
            when = (_("next") if rows else _("T")) if before is None else _("or")
            rows.append((when, *one))
    return rows


def _done(decision: Decision, scripts: Scripts, before: Decision | None) -> list[tuple[str, str, str]]:
    """Return step, expected result and way out of each script; `before` is the decision it excludes."""
    task, check = task_text(decision), decision.change_effort.check
    places = ", ".join(place for place in decision.change_effort.places if place and place not in task)
    asked = _("{task}, for {places}").format(task=task, places=places) if places else task
    if before is not None:
        instead = _("Not as well as, but instead of: {before}. {do}")
        asked = instead.format(before=task_text(before), do=asked)
    every = scripts.files_of(decision)
    if decision.together and every:
        check = _("The steps of one decision belong together; after the last: {check}").format(check=check)
    return [
        (_applied(asked, files), _("The last line: Done. {check}").format(check=check), _undone(task, files))
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
    return _("{task}: write yes for no in the line {line} of {file}, then {command}").format(
        task=task, line=files.switch, file=files.apply, command=files.command_for(files.apply)
    )


def _undone(task: str, files: ScriptFiles) -> str:
    return _("Undo {task}, in the same way: {command}").format(task=task, command=files.command_for(files.rollback))


def _after(changes: Sequence[Decision], scripts: Scripts) -> list[_Row]:
    watch = _("Compare latency, backlog and errors with what was noted")
    seen = _("At or below what was noted")
    costs = dict.fromkeys(effect_text(cost, scripts.words) for one in changes if one.gain for cost in one.gain.costs)
    if costs:
        seen = _("At or below what was noted, but for what was measured: {effects}").format(effects=", ".join(costs))
    rows: list[_Row] = [(_("T\u00a0+\u00a015\u00a0min"), watch, seen, _("Undo the last change"))]
    for decision in reversed(changes):
        undone = [_undone(task_text(decision), files) for files in reversed(scripts.files_of(decision))]
        rows += [(_("any time"), one, _("The value from before"), _("Call the consultant")) for one in undone]
    return rows


def _by_hand(changes: Sequence[Decision], scripts: Scripts) -> list[Block]:
    texts = tuple(part.finding.recommendation for one in changes for part in one.parts if not scripts.files_of(part))
    return [Heading(_("By hand"), minor=True), Bullets(texts)] if texts else []
