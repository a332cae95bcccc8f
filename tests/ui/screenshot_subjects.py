"""What is photographed of availability groups, Oracle Streams, guided work, observing and the doctor."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QTabWidget

from app.domain.events import HandRequested
from app.domain.rights import Mode
from app.flows.shell.wizard import Step, Wizard, choose_mode
from app.foundation.texts import _
from app.services.run.run_job import JobEnded
from app.systems.availability_groups.groups import role_text
from app.ui.pages.run_page import RunPage
from app.ui.widgets.topology_tree import TopologyTree
from app.ui.wizard_frame import WizardFrame
from tests.ui.studio import Studio

_SCRIPT = """USE [msdb];
EXEC sys.sp_add_agent_parameter
    @profile_id = 42, @parameter_name = N'-SubscriptionStreams', @parameter_value = N'8';"""


def take_subjects(studio: Studio) -> None:
    """Photograph the subjects beside the replication agents, and the ways to work."""
    availability_groups(studio)
    seeding_plan(studio)
    streams(studio)
    working_modes(studio)
    incident(studio)
    observe(studio)
    doctor(studio)


def open_target(studio: Studio, target: str) -> WizardFrame:
    """Begin a session at a target, at its topology."""
    studio.window.begin_lab()
    studio.settle()
    frame = studio.find(WizardFrame, "wizard")
    frame.begin(Wizard(Step.TOPOLOGY, replace(Wizard().choices, target=target)))
    studio.settle()
    return frame


def availability_groups(studio: Studio) -> None:
    """From the tree of two groups to the findings of the commit mode."""
    open_target(studio, "lab:ag-2016")
    studio.shoot("ag-topology")
    choose_node(studio, _("Replica {server}, {role}").format(server="SQLNODE2", role=role_text("secondary")))
    studio.shoot("ag-topology-replica")
    studio.click("site.experiments_button")
    studio.click("experiment.commit_mode_radio")
    studio.shoot("ag-experiment")
    studio.click("wizard.next_button")
    studio.shoot("ag-plan")
    studio.type_into("plan.workload.inserts_edit", "1, 1, many")
    studio.shoot("ag-plan-error")
    studio.click("plan.quick_button")
    studio.click("plan.dry_run_button")
    dialog = studio.find(QDialog, "dry_run")
    studio.shoot("ag-dry-run", dialog)
    dialog.close()
    studio.click("wizard.next_button")
    studio.agree()
    studio.shoot("ag-preflight")
    studio.click("wizard.next_button")
    trials = studio.finished_trials
    studio.click("run.start_button")
    studio.wait(lambda: studio.finished_trials > trials + 2)
    studio.shoot("ag-run-running", settled=False)
    studio.wait(lambda: not studio.desk.is_running)
    studio.click("wizard.back_button")
    studio.shoot("ag-run-done")
    studio.click("wizard.next_button")
    studio.shoot("ag-findings")


def seeding_plan(studio: Studio) -> None:
    """The plan of a seeding that still lacks its folder."""
    open_target(studio, "lab:ag-seeding")
    studio.click("site.experiments_button")
    studio.click("experiment.seeding_radio")
    studio.click("wizard.next_button")
    studio.shoot("seeding-plan")


def streams(studio: Studio) -> None:
    """The pipeline, its parameters, and a plan with a hidden one."""
    open_target(studio, "lab:streams-2009")
    studio.shoot("streams-topology")
    choose_node(studio, _("Path {name}").format(name="STREAMS_CAPTURE → STREAMS_APPLY"))
    studio.shoot("streams-topology-path")
    studio.click("site.experiments_button")
    studio.click("experiment.streams_apply_radio")
    studio.click("wizard.next_button")
    studio.shoot("streams-plan")
    studio.click("plan.vary._DYNAMIC_STMTS_check")
    studio.shoot("streams-plan-hidden")


def working_modes(studio: Studio) -> None:
    """Preflight for each way to work, and what a DBA is asked for."""
    frame = open_target(studio, "lab")
    studio.click("site.experiments_button")
    studio.click("experiment.distribution_agent_radio")
    studio.click("wizard.next_button")
    studio.click("plan.quick_button")
    studio.click("wizard.next_button")
    studio.click("preflight.mode_observe_radio")
    studio.shoot("preflight-observe")
    wizard = frame.wizard
    served = replace(wizard.choices, target="lab@127.0.0.1:51433")
    frame.show_wizard(wizard.with_choices(choose_mode(served, Mode.GUIDED)))
    studio.shoot("preflight-guided")
    frame.show_wizard(wizard.with_choices(choose_mode(wizard.choices, Mode.HANDS_ON)))
    studio.agree()
    studio.click("wizard.next_button")
    title = "-SubscriptionStreams in the profile: not set → 8"
    page = studio.find(RunPage, "page.run")
    page.watch_run()
    studio.desk.bridge.events_delivered.emit((HandRequested("E1", 3, title, "DIST1", _SCRIPT, is_undo=False),))
    studio.wait(studio.find(QFrame, "run.hand").isVisible)
    studio.shoot("run-guided")
    studio.desk.job_ended.emit(JobEnded("", None, ""))


def incident(studio: Studio) -> None:
    """An agent far behind, measured on the work that waits for it, and what is offered afterwards."""
    open_target(studio, "lab:incident")
    studio.shoot("incident-site")
    studio.click("site.experiments_button")
    studio.click("experiment.distribution_agent_radio")
    studio.click("wizard.next_button")
    studio.shoot("incident-plan")
    studio.click("wizard.next_button")
    studio.agree()
    studio.shoot("incident-preflight")
    studio.click("wizard.next_button")
    trials = studio.finished_trials
    studio.click("run.start_button")
    studio.wait(lambda: studio.finished_trials > trials + 5)
    studio.shoot("incident-running", settled=False)
    studio.wait(lambda: not studio.desk.is_running)
    studio.shoot("incident-done")


def observe(studio: Studio) -> None:
    """What a busy day left in the history."""
    open_target(studio, "lab:busy-day")
    studio.shoot("site-busy-day")
    studio.click("site.history_button")
    tabs = studio.find(QTabWidget, "observe.tabs")
    for number in filter(tabs.isTabVisible, range(tabs.count())):
        tabs.setCurrentIndex(number)
        studio.shoot(f"observe-{number + 1}")


def doctor(studio: Studio) -> None:
    """This computer, and a login without all rights."""
    open_target(studio, "lab:ag-2016")
    studio.trigger("action.doctor")
    dialog = studio.find(QDialog, "doctor")
    tabs = studio.find(QTabWidget, "doctor.tabs")
    for number in range(tabs.count()):
        tabs.setCurrentIndex(number)
        studio.shoot(f"doctor-{number + 1}", dialog)
    dialog.close()


def choose_node(studio: Studio, title: str) -> None:
    """Select the first node of a title."""
    tree = studio.find(TopologyTree, "topology.tree")
    flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    tree.setCurrentItem(tree.findItems(title, flags)[0])
    studio.settle()
