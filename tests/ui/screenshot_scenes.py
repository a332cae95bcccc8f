"""What is photographed: the whole journey on the lab, and every page beside it, in all their states."""

import threading
from dataclasses import replace

from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QMessageBox, QProgressDialog, QTabWidget

from app.domain.setting import Setting
from app.domain.statement import StatementRecord
from app.flows.shell.error_report import RecentLog
from app.flows.shell.wizard import Step
from app.foundation.paths import resource_path
from app.foundation.texts import _
from app.runner.undo import SafeChanger
from app.store import UndoJournalFile
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from app.ui.error_dialog import ErrorDialog, ErrorReporter
from app.ui.password_asker import PasswordDialog
from app.ui.widgets.table import DataTable
from app.ui.widgets.target_list import TargetList
from app.ui.wizard_frame import WizardFrame
from tests.ui.held_lab import HeldUndo
from tests.ui.screenshot_subjects import take_subjects
from tests.ui.studio import Studio


def take_all(studio: Studio) -> None:
    """Photograph everything."""
    start_and_import(studio)
    target_and_topology(studio)
    experiment_and_plan(studio)
    preflight(studio)
    run(studio)
    findings_and_hand_over(studio)
    runs_browser(studio)
    dialogs(studio)
    help_pages(studio)
    restore_offer(studio)
    take_subjects(studio)
    closing(studio)


def start_and_import(studio: Studio) -> None:
    """The start page of a newcomer, and the import with its errors."""
    studio.shoot("start-empty")
    studio.click("start.import_button")
    studio.shoot("import-empty")
    wrong = studio.folder / "measurements.csv"
    wrong.write_text("family,metric,value,unit,BatchSize\nlog_reader,run_time,3,s,500\n")
    studio.type_into("import.file_edit", str(wrong))
    studio.type_into("import.noise_edit", "150")
    studio.shoot("import-error")
    studio.type_into("import.file_edit", str(resource_path("published", "replication-agents-2018.csv")))
    studio.type_into("import.noise_edit", "3")
    studio.type_into("import.folder_edit", str(studio.folder / "study"))
    studio.shoot("import-filled")
    studio.click("import.make_button")
    studio.wait(lambda: studio.step is Step.FINDINGS)
    studio.shoot("findings-imported")


def target_and_topology(studio: Studio) -> None:
    """The lab's scenarios, a new target, one that cannot be reached, and what is there."""
    studio.window.show_start()
    studio.click("start.new_button")
    studio.shoot("target")
    studio.click("target.new_button")
    ways = studio.find(QComboBox, "target.way_combo")
    ways.setCurrentIndex(0)
    studio.shoot("target-new")
    studio.type_into("target.server_edit", "a server")
    studio.type_into("target.user_edit", "anna")
    studio.type_into("target.password_edit", "secret")
    studio.click("target.more_button")
    studio.type_into("target.login_timeout_edit", "soon")
    studio.shoot("target-new-error")
    studio.click("target.form_close_button")
    studio.desk.program.parts.saved_targets.add("Head office", "lab@127.0.0.1:1")
    studio.window.begin_new()
    studio.settle()
    targets = studio.find(TargetList, "target.list")
    saved = targets.topLevelItem(0)
    assert saved is not None
    targets.setCurrentItem(saved.child(0))
    studio.click("target.test_button")
    studio.shoot("target-unreachable")
    studio.window.begin_lab()
    studio.shoot("topology-loading", settled=False)
    studio.shoot("topology")


def experiment_and_plan(studio: Studio) -> None:
    """The families, the form with a mistake and without, and the dry run."""
    studio.click("site.experiments_button")
    studio.shoot("experiment-empty")
    studio.click("experiment.distribution_agent_radio")
    studio.shoot("experiment")
    studio.click("wizard.next_button")
    studio.shoot("plan")
    studio.type_into("plan.design.blocks_edit", "many")
    studio.shoot("plan-error")
    studio.type_into("plan.design.blocks_edit", "60")
    studio.type_into("plan.workload.commands_edit", "100000")
    studio.click("plan.dry_run_button")
    dialog = studio.find(QDialog, "dry_run")
    tabs = dialog.findChild(QTabWidget)
    for number in range(0 if tabs is None else tabs.count()):
        if tabs is not None:
            tabs.setCurrentIndex(number)
            studio.shoot(f"dry-run-{number + 1}", dialog)
    dialog.close()


def preflight(studio: Studio) -> None:
    """Before and after agreeing."""
    studio.click("wizard.next_button")
    studio.shoot("preflight")
    studio.agree()
    studio.shoot("preflight-agreed")
    frame = studio.find(WizardFrame, "wizard")
    wizard, dry_run = frame.wizard, frame.wizard.choices.dry_run
    assert dry_run is not None
    failed = replace(dry_run.checks[0], passed=False, blocking=True)
    unfit = replace(wizard.choices, dry_run=replace(dry_run, checks=(failed, *dry_run.checks[1:])))
    frame.show_wizard(replace(wizard, choices=unfit))
    studio.shoot("preflight-failed")
    frame.show_wizard(wizard)


def run(studio: Studio) -> None:
    """Ready, running, asked to close, cancelled, and done."""
    studio.click("wizard.next_button")
    studio.shoot("run-empty")
    studio.click("run.start_button")
    studio.wait(lambda: studio.finished_trials > 12)
    studio.shoot("run-running", settled=False)
    studio.window.close()
    question = studio.find(QMessageBox, "closing.question")
    studio.shoot("closing-question", question, settled=False)
    question.reject()
    studio.click("run.pause_button")
    headline = studio.find(QLabel, "run.headline.text")
    studio.wait(lambda: headline.text().startswith(_("Paused; every change is undone").partition(";")[0]))
    studio.shoot("run-paused", settled=False)
    studio.click("run.statements_button")
    dialog = studio.find(QDialog, "statements")
    studio.shoot("statements", dialog)
    dialog.close()
    studio.click("run.cancel_button")
    studio.wait(lambda: not studio.desk.is_running)
    studio.shoot("run-cancelled")
    studio.click("wizard.back_button")
    studio.click("wizard.back_button")
    studio.type_into("plan.design.blocks_edit", "3")
    studio.type_into("plan.workload.commands_edit", "20000")
    studio.click("wizard.next_button")
    studio.agree()
    studio.click("wizard.next_button")
    studio.click("run.start_button")
    studio.wait(lambda: not studio.desk.is_running)
    studio.click("wizard.back_button")
    studio.shoot("run-done")


def findings_and_hand_over(studio: Studio) -> None:
    """Every tab of the findings, and the report before and after it was written."""
    studio.click("wizard.next_button")
    tabs = studio.find(QTabWidget, "findings.tabs")
    for number in filter(tabs.isTabVisible, range(tabs.count())):
        tabs.setCurrentIndex(number)
        studio.shoot(f"findings-{number + 1}")
    studio.click("findings.not_shown_button")
    studio.shoot("findings-not-shown")
    studio.click("wizard.next_button")
    studio.shoot("hand-over")
    studio.click("hand_over.everything_button")
    studio.shoot("hand-over-done")


def runs_browser(studio: Studio) -> None:
    """All runs, two of them over each other, and nothing found."""
    studio.window.show_runs()
    studio.settle()
    table = studio.find(DataTable, "runs.table")
    flags = QItemSelectionModel.SelectionFlag
    table.selectionModel().select(table.model().index(1, 0), flags.Select | flags.Rows)
    studio.shoot("runs")
    tabs = studio.find(QTabWidget, "runs.tabs")
    tabs.setCurrentIndex(1)
    studio.shoot("runs-trials")
    tabs.setCurrentIndex(0)
    studio.type_into("runs.filter_edit", "nothing like this")
    studio.shoot("runs-none")
    studio.type_into("runs.filter_edit", "")


def dialogs(studio: Studio) -> None:
    """Settings, About, and the report of an unexpected error."""
    studio.window.show_start()
    studio.shoot("start")
    studio.trigger("action.settings")
    settings = studio.find(QDialog, "settings")
    studio.shoot("settings", settings)
    studio.type_into("settings.folder_edit", "sessions")
    studio.type_into("settings.logo_edit", "/logo.doc")
    studio.shoot("settings-error", settings)
    settings.close()
    studio.trigger("action.about")
    about = studio.find(QDialog, "about")
    studio.shoot("about", about)
    about.close()
    studio.trigger("action.keys")
    keys = studio.find(QDialog, "keys")
    studio.shoot("keys", keys)
    keys.close()
    password = PasswordDialog("sqlserver://anna@dist1", studio.window, can_keep=True)
    password.open()
    studio.shoot("password", password)
    password.close()
    reporter = ErrorReporter(RecentLog(), studio.window)
    reporter.show_error(ValueError("something nobody expected"))
    dialog = studio.find(ErrorDialog, "error_dialog")
    studio.shoot("error", dialog)
    dialog.close()


def help_pages(studio: Studio) -> None:
    """The help of the first page, beside the window."""
    studio.trigger("action.help")
    dialog = studio.find(QDialog, "help")
    studio.shoot("help", dialog)
    dialog.close()


def restore_offer(studio: Studio) -> None:
    """What a crash left, offered and put back."""
    target = studio.desk.program.parts.open_target("lab", 1, _ignore)
    journal = UndoJournalFile(studio.desk.program.parts.journal_path)
    changer = SafeChanger(target, journal, "S20260304-093000-abc123")
    agents = [agent for agent in agent_ports(target).agents.discover().agents if agent.kind is AgentKind.DISTRIBUTION]
    setting = Setting.of(SubscriptionStreams=8, CommitBatchSize=500)
    for agent in agents:
        for change in agent_ports(target).agent_changes.plan_setting(agent, setting, "pictures"):
            changer.apply(change)
    journal.close()
    target.close()
    studio.window.show_start()
    studio.shoot("start-restore-offer")
    studio.click("start.restore_button")
    studio.shoot("start-restored")


def closing(studio: Studio) -> None:
    """Closing in mid-run, on a server that is slow to be put back, and while something is still being read."""
    program = studio.desk.program
    hold = HeldUndo(program.parts.open_target)
    program.parts = replace(program.parts, open_target=hold)
    studio.window.begin_lab()
    studio.settle()
    for name in ("site.experiments_button", "experiment.distribution_agent_radio", "wizard.next_button"):
        studio.click(name)
    studio.type_into("plan.workload.commands_edit", "100000")
    studio.click("wizard.next_button")
    studio.agree()
    studio.click("wizard.next_button")
    trials = studio.finished_trials
    studio.click("run.start_button")
    studio.wait(lambda: studio.finished_trials > trials)
    may_end = threading.Event()
    studio.window.close()
    studio.find(QMessageBox, "closing.question").accept()
    studio.wait(hold.held.is_set)
    progress = studio.find(QProgressDialog, "closing.progress")
    studio.wait(lambda: progress.labelText().startswith(_("Undone: {subject}").partition("{")[0]))
    studio.shoot("closing-restoring", settled=False)
    studio.shoot("closing-restoring-dialog", progress, settled=False)
    studio.desk.tasks.query(studio.window, may_end.wait, _ended, studio.desk.trouble.emit)
    hold.go_on()
    studio.wait(lambda: not studio.desk.is_running)
    studio.shoot("closing-progress", studio.find(QProgressDialog, "closing.progress"), settled=False)
    may_end.set()
    studio.settle()


def _ended(_answer: bool) -> None:
    """Nothing to show."""


def _ignore(_record: StatementRecord) -> None:
    """Nobody reads the statements of a picture."""
