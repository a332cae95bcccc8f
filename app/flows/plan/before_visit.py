"""The paper the client's DBA is sent before a visit: a plan, all it changes, its rights and minutes, lines to sign."""

from collections.abc import Iterator
from datetime import datetime

from app.domain.family import ExperimentFamily
from app.domain.rights import Mode
from app.domain.session import Advice, Environment, SessionRecord
from app.domain.setting import value_text
from app.domain.statement import Access
from app.domain.system import system_of
from app.domain.work_source import work_source_of
from app.flows.plan.dry_run_view import (
    changes_table,
    changes_text,
    measured_lines,
    statements_text,
    step_lines,
    time_sentences,
)
from app.flows.plan.preflight_view import check_lines
from app.flows.system_views import views_of
from app.flows.words import counted
from app.foundation.durations import duration_text
from app.foundation.texts import _, in_its_words
from app.foundation.version import VERSION
from app.reporting.blocks import Attachment, Block, Bullets, Heading, Paragraph, Section, fields
from app.reporting.load_words import limits_in_full, load_in_full
from app.reporting.printed import printed
from app.reporting.request import ReportRequest
from app.services.look.doctor import TargetHealth, grant_script, revoke_script
from app.services.plan.dry_run import DryRun

_TO_FILL_IN = "______________________________"


@in_its_words
def before_visit(dry: DryRun, family: ExperimentFamily, health: TargetHealth, issued_utc: datetime) -> ReportRequest:
    """Return the paper of a plan that was tried dry at its target; nothing was changed, nothing is claimed.

    Args:
        health: what the login that asked may do there.
    """
    sections = (
        Section(_("What will be tested"), tuple(_tested(dry, family))),
        Section(_("What happens on each server"), tuple(_at_servers(dry, family))),
        Section(_("How long it takes"), tuple(_time(dry))),
        Section(_("What is changed, and changed back"), tuple(_changes(dry))),
        Section(_("Rights"), tuple(_rights(health))),
        Section(_("What was checked already"), tuple(_checks(dry))),
        Section(_("Agreement"), tuple(_agreement(dry))),
    )
    session = SessionRecord(
        session_id=f"P{issued_utc:%Y%m%d-%H%M%S}",
        title=_("Before the visit: {family}").format(family=family.title),
        client="",
        consultant="",
        created_utc=issued_utc,
        app_version=VERSION,
        environments=(Environment(health.target),),
        runs=(),
    )
    files = tuple(file for file in _files(dry, health) if file.content.strip())
    return ReportRequest(session, Advice((), (), (), (), ()), issued_utc, observed=sections, observed_files=files)


def _tested(dry: DryRun, family: ExperimentFamily) -> Iterator[Block]:
    yield Paragraph(family.question)
    levels = [(factor.name, ", ".join(map(value_text, factor.levels))) for factor in dry.plan.factors]
    held = (
        (_("Work"), load_in_full(family.load_fields, dry.plan.load)),
        (_("Limits"), limits_in_full(family.limit_fields, dry.plan.limits)),
    )
    yield fields([*levels, (_("Compared with"), dry.plan.baseline.text()), *(pair for pair in held if pair[1])])
    yield Bullets(tuple(measured_lines(dry)), small=True)


def _at_servers(dry: DryRun, family: ExperimentFamily) -> Iterator[Block]:
    views = views_of(system_of(family))
    if work_source_of(dry.plan.load).is_own_work:
        yield Paragraph(_("No statement writes a row of its own: what is measured is the client's own work."))
    told = {f"{server.role} {server.name}": views.consequence(server.role, dry) for server in dry.servers}
    yield fields(told.items())
    yield Heading(_("Each trial"), minor=True)
    yield Bullets(tuple(step_lines(dry)), small=True)


def _time(dry: DryRun) -> Iterator[Block]:
    count, most, time = value_text(len(dry.trials)), value_text(dry.most_trials), duration_text(dry.duration_s)
    words = _("{count} trials, about {time}; {most} trials at most.")
    yield Paragraph(words.format(count=count, time=time, most=most))
    yield from (Paragraph(sentence) for sentence in time_sentences(dry))


def _changes(dry: DryRun) -> Iterator[Block]:
    table = changes_table(dry)
    if not table.rows:
        yield Paragraph(_("Nothing is changed."))
        return
    yield Paragraph(
        _(
            "Each is written to the undo journal on the consultant's disk before it is made, undone at the end, at a "
            "stop and after a crash, and read back. What somebody else changes meanwhile is left and reported. "
            "The scripts that make and undo each are attached as changes.sql."
        )
    )
    yield printed(table)


def _rights(health: TargetHealth) -> Iterator[Block]:
    lacking = health.grants(Mode.HANDS_ON)
    if not lacking:
        yield Paragraph(_("The login that was used has every right it needs."))
        return
    yield Paragraph(
        counted(
            len(lacking),
            _("1 right is missing. grant.sql gives it, revoke.sql takes it back; both are attached."),
            _("{count} rights are missing. grant.sql gives them, revoke.sql takes them back; both are attached."),
        )
    )
    yield Bullets(tuple(dict.fromkeys(f"{right.server}: {right.title}" for right in lacking)), small=True)
    yield Paragraph(_("In guided mode the DBA runs every change as a script, and reading rights are enough."))


def _checks(dry: DryRun) -> Iterator[Block]:
    lines = check_lines(dry)
    yield Bullets(tuple(f"{line.title} – {line.word}" + (f": {line.remedy}" if line.remedy else "") for line in lines))


def _agreement(dry: DryRun) -> Iterator[Block]:
    servers = dict.fromkeys(server.name for server in dry.servers)
    yield Paragraph(
        _("Agreed: this plan, on {servers}, for {time} at most, with everything undone at the end.").format(
            servers=", ".join(servers), time=duration_text(dry.longest_s)
        )
    )
    asked = (_("Not before"), _("Undone by"), _("Whom to call"), _("For the client: name, date, signature"))
    yield fields([(name, _TO_FILL_IN) for name in (*asked, _("Consultant: name, date, signature"))])


def _files(dry: DryRun, health: TargetHealth) -> Iterator[Attachment]:
    changing = sum(statement.access is Access.CHANGE for statement in dry.statements)
    told = (
        ("changes.sql", changes_text(dry), _("Each change with the script that makes it and the one that undoes it.")),
        ("grant.sql", grant_script(health), _("The rights that are missing, by server.")),
        ("revoke.sql", revoke_script(health), _("Takes these rights back.")),
        (
            "statements.sql",
            statements_text(dry),
            _("Every statement that may be sent; {count} of them change something.").format(count=value_text(changing)),
        ),
    )
    for name, text, what in told:
        yield Attachment(name, text.encode("utf-8"), "application/sql", what)
