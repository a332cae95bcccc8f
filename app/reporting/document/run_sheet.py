"""The run sheet for the maintenance window: what the client's DBA does, sees, and does where it is not so."""

from collections.abc import Sequence

from app.domain.decision import Decision, DecisionKind, Prerequisite
from app.domain.hand_over import ScriptFiles
from app.foundation.texts import _
from app.reporting.blocks import Block, Bullets, Column, Heading, Paragraph, Section, Start, Table
from app.reporting.decision_words import effect_text, task_text
from app.reporting.document.scripts import Scripts
from app.reporting.numbers import number
from app.reporting.wording import Vocabulary

_Row = tuple[str, str, str, str]


def run_sheet_section(decisions: Sequence[Decision], scripts: Scripts, *, is_redacted: bool) -> Section:
    """Return the steps of the maintenance window, empty where nothing is to be changed."""
    changes = [decision for decision in decisions if decision.kind is DecisionKind.CHANGE]
    if not changes:
        return Section(_("Run sheet"), ())
    files = tuple(dict.fromkeys(own for one in changes for own in scripts.files_of(one.finding)))
    rows = [*_before(changes, files), *_changes(changes, scripts), *_after(changes, files, scripts.words)]
    columns = (
        Column("", "right"),
        Column(_("When"), width=0.8),
        Column(_("Do"), width=2.6),
        Column(_("You should see"), width=2.2),
        Column(_("If not"), width=1.7),
    )
    table = Table(columns, tuple((number(place), *row) for place, row in enumerate(rows, start=1)), small=True)
    note = _(
        "The scripts are attached. Make one change at a time: the next only when the one before shows what it should."
    )
    if is_redacted:
        note += " " + _("Names are replaced in this copy: run the scripts that lie beside the session file.")
    return Section(_("Run sheet"), (Paragraph(note), table, *_by_hand(changes, scripts)), Start.NEW_PAGE)


def _before(changes: Sequence[Decision], files: Sequence[ScriptFiles]) -> list[_Row]:
    rows: list[_Row] = []
    if files:
        read = _("Read {files} and run them in check mode, which changes nothing").format(files=_names(files, "apply"))
        seen = _("The servers and values of this site; the last line: nothing was changed")
        rows.append((_("day before"), read, seen, _("Ask before the window")))
    for asked, tasks in _prerequisites(changes).items():
        step = _("{step} (for: {tasks})").format(step=asked.step, tasks="; ".join(tasks))
        rows.append((_("day before"), step, asked.seen, _("Leave that change out")))
    state = _("Note latency, backlog and errors of what is changed")
    return [*rows, (_("T\u00a0−\u00a05\u00a0min"), state, _("All as usual"), _("Postpone"))]


def _prerequisites(changes: Sequence[Decision]) -> dict[Prerequisite, list[str]]:
    """Return what must be so before, each with the changes it is asked for, in their order."""
    tasks: dict[Prerequisite, list[str]] = {}
    for decision in changes:
        for asked in decision.undertaking.prerequisites:
            tasks.setdefault(asked, []).append(task_text(decision))
    return {asked: list(dict.fromkeys(own)) for asked, own in tasks.items()}


def _changes(changes: Sequence[Decision], scripts: Scripts) -> list[_Row]:
    rows: list[_Row] = []
    for number_of, decision in enumerate(changes):
        files = scripts.files_of(decision.finding)
        by = _names(files, "apply") or _("by hand")
        task = task_text(decision)
        places = ", ".join(place for place in decision.places if place and place not in task)
        text = _("{task} ({by}), for {places}") if places else _("{task} ({by})")
        do = text.format(task=task, by=by, places=places)
        before = next((one for one in changes[:number_of] if _sets_the_same(one, decision)), None)
        if before is not None and before.to_value == decision.to_value:
            continue
        when = _("next") if rows else _("T")
        if before is not None:
            when = _("or")
            do = _("Not as well as, but instead of: {before}. {do}").format(before=task_text(before), do=do)
        if_not = _("Undo: {file}").format(file=_names(files, "rollback")) if files else _("Undo it")
        rows.append((when, do, decision.undertaking.check, if_not))
    return rows


def _sets_the_same(one: Decision, other: Decision) -> bool:
    """Tell whether two changes, each measured under its own conditions, are of the same parameter of one place."""
    places = set(one.undertaking.places) & set(other.undertaking.places)
    return one.parameter == other.parameter and bool(places)


def _after(changes: Sequence[Decision], files: Sequence[ScriptFiles], words: Vocabulary) -> list[_Row]:
    watch = _("Compare latency, backlog and errors with what was noted")
    seen = _("At or below what was noted")
    costs = dict.fromkeys(effect_text(cost, words) for one in changes if one.gain for cost in one.gain.costs)
    if costs:
        seen = _("At or below what was noted, but for what was measured: {effects}").format(effects=", ".join(costs))
    rows: list[_Row] = [(_("T\u00a0+\u00a015\u00a0min"), watch, seen, _("Undo the last change"))]
    if files:
        undo = _("Undo everything: {files}").format(files=_names(files, "rollback"))
        rows.append((_("any time"), undo, _("The values from before"), _("Call the consultant")))
    return rows


def _names(files: Sequence[ScriptFiles], which: str) -> str:
    return ", ".join(own.apply if which == "apply" else own.rollback for own in files)


def _by_hand(changes: Sequence[Decision], scripts: Scripts) -> list[Block]:
    texts = tuple(one.finding.recommendation for one in changes if not scripts.files_of(one.finding))
    return [Heading(_("By hand"), minor=True), Bullets(texts)] if texts else []
