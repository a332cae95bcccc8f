"""Health of this computer and rights of a login on a target, as tables and sentences."""

from pathlib import Path

from app.domain.rights import Mode
from app.domain.view import NO_VALUE, Cell, Column, Emphasis, Row, TableContent, text_cell
from app.flows.words import counted, sentence
from app.foundation.texts import _
from app.services.look.doctor import (
    Health,
    Readiness,
    TargetHealth,
    computer_health,
    grant_script,
    libraries,
    revoke_script,
    target_health,
)
from app.services.ports import TargetOpener
from app.services.program import Program
from app.services.run.journal_words import kept_sentences
from app.services.run.restoring import count_open, state_if_any


def read_computer(program: Program) -> Health:
    """Look at this computer; reads files and asks installed drivers for their versions."""
    parts = program.parts
    return computer_health(
        tuple(program.families),
        parts.target_ids,
        [(f"{pack.family}/{Path(pack.file).stem}", len(pack.rules)) for pack in program.advisor.packs],
        (*parts.installed(), *libraries()),
        count_open(parts.journal_path),
        kept_sentences(state_if_any(parts.journal_path).kept),
    )


def read_login(program: Program, target: str, open_target: TargetOpener) -> TargetHealth:
    """Read the rights of the login on a target; reads only.

    Raises:
        BadInput, TargetError: it cannot be reached, or nothing of it can be read.
    """
    return target_health(target, program.families, open_target)


def computer_line(health: Health) -> str:
    """Return in one sentence the drivers of this computer."""
    missing = [part.title for part in health.parts if not part.is_there]
    line = _("Replitune {version}, Python {python}, {system}; {families}, {rules}.").format(
        version=health.version,
        python=health.python,
        system=health.system,
        families=counted(len(health.families), _("1 experiment"), _("{count} experiments")),
        rules=counted(sum(count for _pack, count in health.rules), _("1 rule"), _("{count} rules")),
    )
    if missing:
        line += " " + _("Missing: {parts}.").format(parts=", ".join(missing))
    if health.open_changes:
        changes = counted(health.open_changes, _("1 change"), _("{count} changes"))
        line += " " + _("Still to be undone from earlier runs: {changes}; the start page offers it.").format(
            changes=changes
        )
    return " ".join((line, *(f"{kept}." for kept in health.kept)))


def parts_table(health: Health) -> TableContent:
    """Return drivers, libraries and the keyring, missing ones first."""
    columns = (
        Column("title", _("Part")),
        Column("kind", _("Kind")),
        Column("state", _("State")),
        Column("version", _("Version")),
        Column("remedy", _("What to do")),
    )
    kinds = {"driver": _("driver"), "library": _("library"), "keyring": _("keyring")}
    rows = (
        Row(
            part.part_id,
            (
                text_cell(part.title),
                text_cell(kinds.get(part.kind, part.kind)),
                text_cell(_("✓ there") if part.is_there else _("✗ missing"), emphasis=_strong(is_good=part.is_there)),
                text_cell(part.version or NO_VALUE),
                text_cell(part.remedy, hint=part.remedy),
            ),
        )
        for part in sorted(health.parts, key=lambda part: part.is_there)
    )
    return TableContent(columns, tuple(rows))


def _strong(*, is_good: bool) -> Emphasis:
    return Emphasis.PLAIN if is_good else Emphasis.STRONG


def login_line(health: TargetHealth) -> str:
    """Return as whom the target sees this computer, and the rights that could not be read."""
    login = health.rights.login or _("(unknown)")
    line = _("{target}: signed in as {login}.").format(target=health.target, login=login)
    unread = [sentence(text) for text in (*health.rights.unread, *health.discovery.unread)]
    return f"{line} {_('Not readable: {parts}').format(parts=' '.join(unread))}" if unread else line


def experiments_table(health: TargetHealth) -> TableContent:
    """Return the login's rights for each experiment, and those it lacks."""
    columns = (
        Column("title", _("Experiment")),
        *(Column(str(mode), mode_title(mode)) for mode in Mode),
        Column("missing", _("Missing for hands-on work, or why not possible here")),
    )
    rows = (Row(e.family, (text_cell(e.title), *_mode_cells(e), _missing_cell(e))) for e in health.experiments)
    return TableContent(columns, tuple(rows))


def mode_title(mode: Mode) -> str:
    """Return a way to work as a heading."""
    return {Mode.OBSERVE: _("Observe"), Mode.GUIDED: _("Guided"), Mode.HANDS_ON: _("Hands-on")}[mode]


def _mode_cells(experiment: Readiness) -> tuple[Cell, ...]:
    if experiment.impossible:
        return tuple(text_cell(NO_VALUE, emphasis=Emphasis.QUIET) for _mode in Mode)
    return tuple(text_cell(_("✓ yes") if mode in experiment.modes else _("✗ no")) for mode in Mode)


def _missing_cell(experiment: Readiness) -> Cell:
    text = sentence(experiment.impossible)
    if not text:
        text = ", ".join(f"{right.title} ({right.server})" for right in experiment.missing)
    if experiment.not_guided:
        text = f"{sentence(text)} {_('Not guided: {reason}.').format(reason=experiment.not_guided)}".strip()
    return text_cell(text, hint=text, emphasis=Emphasis.QUIET if experiment.impossible else Emphasis.PLAIN)


def grants_text(health: TargetHealth, mode: Mode = Mode.HANDS_ON) -> str:
    """Return the script that grants the missing rights and the one that takes them back, or that none is missing."""
    script = grant_script(health, mode)
    if not script:
        return _("-- This login has every right the experiments need here.")
    return "\n".join((script, _("-- To revoke all of it afterwards:"), revoke_script(health, mode)))
