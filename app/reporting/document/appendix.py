"""All trials, both scripts, and the raw data inside the PDF."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from app.domain.events import status_word
from app.domain.measurement import Measurement, TrialResult, TrialStatus
from app.domain.session import RunRecord, SessionRecord
from app.domain.setting import Setting
from app.foundation.texts import _
from app.reporting.blocks import (
    MOST_INLINE_BYTES,
    Attachment,
    Block,
    Cell,
    Code,
    Column,
    Fields,
    Group,
    Heading,
    Medium,
    Paragraph,
    Section,
    Start,
    Table,
    cut_note,
)
from app.reporting.document.worked_out import MARK, worked_out_conditions, worked_out_note
from app.reporting.numbers import duration, moment, number, quantity
from app.reporting.wording import Vocabulary, setting_text

# Longer lists are cut in print and complete in the attached tables.
_MOST_TRIALS: Final = 400
_MOST_IMPORTED: Final = 200
_LONGEST_SCRIPT: Final = 240


def trials_section(session: SessionRecord, words: Vocabulary) -> Section:
    """Return every trial of every run, used or not, and the imported measurements."""
    blocks: list[Block] = []
    for run in session.runs:
        blocks += _run_trials(run, words)
    if session.imported:
        title = _("Measurements from {file}, not measured by this program")
        blocks.append(Heading(title.format(file=session.imported_from or _("elsewhere")), minor=True))
        blocks.append(_imported_table(session.imported, words))
    if not blocks:
        blocks.append(Paragraph(_("No trial was run.")))
    return Section(_("All trials"), tuple(blocks), Start.BY_SIZE)


def _run_trials(run: RunRecord, words: Vocabulary) -> list[Block]:
    title = _("{run}: {family}, {status}").format(
        run=run.run_id, family=words.family(run.plan.family), status=status_word(run.status)
    )
    blocks: list[Block] = [Heading(title, minor=True)]
    if run.reason:
        blocks.append(Paragraph(run.reason, quiet=True))
    shown = run.trials[:_MOST_TRIALS]
    has_reasons = any(trial.status is not TrialStatus.USED for trial in shown)
    has_several = any(len(_main_measures(run, trial, words)) > 1 for trial in shown)
    columns = (
        Column(_("Trial")),
        Column(_("Block"), "right"),
        Column(_("Phase")),
        Column(_("Setting"), width=2.2),
        Column(_("Main measure"), "right", width=2.2 if has_several else 0),
        Column(_("Started (UTC)"), "right"),
        Column(_("Took"), "right"),
        Column(_("Used"), width=2.2 if has_reasons else 0),
    )
    rows = tuple(_trial_row(run, trial, words) for trial in shown)
    is_marked = any(worked_out_conditions(trial.measurements) for trial in shown)
    blocks.append(Table(columns, rows, caption=worked_out_note() if is_marked else "", small=True))
    blocks += cut_note(len(run.trials), _MOST_TRIALS, "trials.csv")
    return blocks


def _trial_row(run: RunRecord, trial: TrialResult, words: Vocabulary) -> tuple[str | Cell, ...]:
    used = {
        TrialStatus.USED: _("used"),
        TrialStatus.NOT_USED: _("not used: {why}"),
        TrialStatus.ABORTED: _("aborted: {why}"),
    }[trial.status]
    return (
        trial.trial_id,
        number(trial.block),
        trial.phase.value,
        setting_text(trial.setting),
        _values(_main_measures(run, trial, words), worked_out_conditions(trial.measurements)),
        f"{trial.started_utc:%m-%d %H:%M:%S}",
        duration((trial.finished_utc - trial.started_utc).total_seconds()),
        used.format(why=" ".join(trial.failed_checks) or _("no reason recorded")),
    )


def _main_measures(run: RunRecord, trial: TrialResult, words: Vocabulary) -> list[Measurement]:
    main = words.main_metric(run.plan.family)
    return [m for m in trial.measurements if m.metric == main] or list(trial.measurements[:1])


def _values(shown: Sequence[Measurement], worked_out: frozenset[Setting]) -> str:
    """Return the values of one measure of a trial, several where a condition varies within it, the unit once."""
    if not shown:
        return "–"
    marks = [f"{MARK}\u00a0" if m.conditions in worked_out else "" for m in shown]
    texts = [*(number(m.value) for m in shown[:-1]), quantity(shown[-1].value, shown[-1].unit)]
    return " / ".join(mark + text for mark, text in zip(marks, texts, strict=True))


def _imported_table(measurements: Sequence[Measurement], words: Vocabulary) -> Table:
    columns = (
        Column(_("Run"), width=1.1),
        Column(_("Block"), "right"),
        Column(_("Experiment"), width=1.4),
        Column(_("Setting"), width=2),
        Column(_("Under"), width=1.8),
        Column(_("Measure"), width=1.2),
        Column(_("Value"), "right", 1.1),
    )
    rows = tuple(
        (
            m.trial_id,
            number(m.block),
            words.family(m.family),
            setting_text(m.setting),
            words.conditions(m.conditions),
            words.metric(m.family, m.metric),
            quantity(m.value, m.unit),
        )
        for m in measurements[:_MOST_IMPORTED]
    )
    caption = ""
    if len(measurements) > _MOST_IMPORTED:
        caption = _("The first {shown} of {count}; all are in the attached measurements.csv.").format(
            shown=number(_MOST_IMPORTED), count=number(len(measurements))
        )
    return Table(columns, rows, caption=caption, small=True)


def scripts_section(scripts: Sequence[tuple[str, str]], is_redacted: bool = False) -> Section:
    """Return scripts by name and text, cut where they are long: what is run is the attached file."""
    note = _("All are attached as files. Read them before you run them; what they change or restart stands in them.")
    if is_redacted:
        note += " " + _("Names are replaced in this copy: run the scripts that lie beside the session file.")
    return Section(
        _("Scripts"),
        (
            Paragraph(note),
            *(Code(_cut_script(text), name) for name, text in scripts),
        ),
        Start.BY_SIZE,
    )


def _cut_script(text: str) -> str:
    lines = text.splitlines()
    if len(lines) <= _LONGEST_SCRIPT:
        return text
    return "\n".join(lines[:_LONGEST_SCRIPT]) + "\n" + _("-- … goes on; the attached file is complete")


def raw_data_section(
    session: SessionRecord,
    attachments: Sequence[Attachment],
    session_hash: str,
    issued: datetime,
    medium: Medium = Medium.PDF,
) -> Section:
    """Return what is attached to the report, and the fingerprint of the session file.

    The last lines stay together, so that the last page never holds a single one.
    """
    columns = (Column(_("File"), width=1.2), Column(_("What it holds"), width=3), Column(_("Size"), "right", 0.7))
    rows = tuple((Cell(a.name, mono=True), a.description, quantity(len(a.content) / 1000, "KB")) for a in attachments)
    pairs = [
        (_("Session"), session.session_id),
        (_("Session began"), moment(session.created_utc)),
        (_("Report issued"), moment(issued)),
        (_("Program"), f"Replitune {session.app_version}"),
    ]
    if session_hash:
        pairs.append((_("SHA-256 of the session's records"), session_hash))
    return Section(
        _("Raw data"),
        (
            Paragraph(_where_attached(attachments, medium)),
            Table(columns, rows, small=True),
            Group((Heading(_("Fingerprint"), minor=True), Fields(tuple(pairs)))),
        ),
        Start.BY_SIZE,
    )


def _where_attached(attachments: Sequence[Attachment], medium: Medium) -> str:
    if medium is Medium.PDF:
        return _("These files are inside this PDF; open its attachments to save them.")
    if medium is Medium.HTML:
        text = _("These files are inside this page; each name saves its file.")
    else:
        text = _("These files lie in the folder beside this one; each name leads to its file.")
    if any(len(a.content) > MOST_INLINE_BYTES for a in attachments):
        text += " " + _("Those above {size} are left out; the PDF report holds them.").format(
            size=quantity(MOST_INLINE_BYTES / 1e6, "MB")
        )
    return text
