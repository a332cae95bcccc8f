"""The page for the client's DBA names every kind of change this program makes, in both languages."""

import pytest

from app.domain.system import System
from app.flows.shell.help_view import help_folders
from tests.labs import SYSTEMS

# What the page says of each kind: English, German; two kinds may be told in one line.
SAID = {
    "transactional_replication": {
        "dedicated_profile": ("dedicated agent profile", "eigenes Agentprofil"),
        "profile_parameter": ("its values set", "mit Werten versehen"),
        "profile_assignment": ("assigned", "zugewiesen"),
        "job_step_token": ("one parameter of one job step", "ein Parameter eines Jobschritts"),
        "job_enabled": ("a job that a schedule starts, disabled", "ein Job, den ein Zeitplan startet, deaktiviert"),
        "agent_stopped": ("stopping the agents", "Anhalten der Agents"),
        "agent_started": ("starting and stopping the agents", "Starten und Anhalten der Agents"),
        "tracer_token": ("a tracer token every 30 seconds", "alle 30 Sekunden ein Tracertoken"),
    },
    "availability_groups": {
        "failover_mode": ("failover mode of a replica", "Failovermodus eines Replikats"),
        "availability_mode": ("commit mode", "Commit-Modus"),
        "trace_flag": ("trace flags of the whole instance", "Traceflags der ganzen Instanz"),
        "server_option": ("the server option", "die Serveroption"),
        "test_tables": ("test tables in one database", "Testtabellen in einer Datenbank"),
        "test_database": ("a test database whose name begins with", "eine Testdatenbank, deren Name"),
        "group_membership": ("adding a database to the group", "Aufnehmen einer Datenbank in die Gruppe"),
        "seeding_mode": ("seeding mode of a replica", "Seeding-Modus eines Replikats"),
        "event_session": ("extended events session", "Sitzung für erweiterte Ereignisse"),
    },
    "change_data_capture": {
        "capture_job_values": ("maxtrans, maxscans and pollinginterval", "maxtrans, maxscans und pollinginterval"),
        "capture_job_stopped": (
            "stopping and starting the capture job",
            "Anhalten und Starten des Aufzeichnungsauftrags",
        ),
        "capture_mark": ("an extended property of the database", "eine erweiterte Eigenschaft der Datenbank"),
    },
    "oracle_streams": {
        "process_parameter": ("parameters of capture and apply", "Parameter von Capture und Apply"),
        "checkpoint_retention": ("checkpoint retention", "Aufbewahrung der Checkpoints"),
        "propagation_latency": ("latency of a propagation", "Latenz einer Propagation"),
        "streams_pool_size": ("the Streams pool", "Streams-Pool"),
        "apply_stopped": ("stopping and starting the apply", "Anhalten und Starten des Apply"),
        "apply_server_traced": ("event-10046 trace", "Trace mit Ereignis 10046"),
        "test_table": ("a test table at both databases", "eine Testtabelle in beiden Datenbanken"),
        "test_table_prepared": ("prepared for capture", "für Capture vorbereitet"),
        "test_table_instantiated": ("instantiation SCN", "Instanziierungs-SCN"),
    },
}
# What a change of one of these kinds does besides: a DBA reads of it, too.
BESIDES = [
    ("copy at the secondary is dropped", "Kopie am Sekundärreplikat wird gelöscht"),
    ("backup and restore jobs", "Jobs für Sicherung und Wiederherstellung"),
    ("backup files", "Sicherungsdateien"),
    ("`GRANT CREATE ANY DATABASE`", "`GRANT CREATE ANY DATABASE`"),
    ("supplemental logging", "zusätzlicher Protokollierung"),
]


def changes_told(language: str, place: int) -> str:
    """Return the paragraph on changes in one line; the first folder of a language is its own."""
    text = (help_folders(language)[0] / "for_the_dba.md").read_text(encoding="utf-8")
    parts = text.split("\n**")
    (told,) = [part for part in parts if part.startswith(("Changes**", "Ändern**")[place])]
    return " ".join(told.split())


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=list(SYSTEMS))
def test_every_kind_of_change_has_its_words(system: System) -> None:
    """A new kind needs a line on the page; one that is gone needs none."""
    assert set(SAID[system.system_id]) == set(system.declared_texts().details)


@pytest.mark.parametrize(("place", "language"), list(enumerate(("en", "de"))))
def test_the_page_says_them(place: int, language: str) -> None:
    """Each kind's words, and what happens besides, stand in the paragraph on changes."""
    told = changes_told(language, place)
    wanted = [words[place] for words in (*BESIDES, *(said for kinds in SAID.values() for said in kinds.values()))]
    assert [words for words in wanted if words not in told] == []
