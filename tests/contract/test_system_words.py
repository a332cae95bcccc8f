"""Words of systems stay in the systems' folders: a generic room that names one has begun to know it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
APP: Final = ROOT / "app"

TERMS: Final = re.compile(
    r"""
    distributor | distribution[_ ](?:db|agent|database) | subscri(?:ber|ption) | publisher | publication
    | log[_ ]?reader | tracer | (?<![a-z]) agents? (?![a-z]) | (?-i:Agent(?=[A-Z])) | job[_ ]step | profile
    | availability | \breplicas?\b | secondar(?:y|ies) | seeding | trace[_ ]?flag | redo[_ ]queue | send[_ ]queue
    | (?-i:\bStreams\b) | (?<![a-z]) streams_ | \bcaptures?\b | _capture | propagation | \bapply[_ ](?:process|server)
    | \bLCRs?\b | flow[_ ]control
    """,
    re.VERBOSE | re.IGNORECASE,
)

# What may be said, by file: the words, and why there.
ALLOWED: Final = {
    # One sentence about all systems that are installed: it would say less if each system said its part.
    "cli/commands/observe.py": {"availability", "streams"},
    "cli/main.py": {"agents"},
    "ui/widgets/observing_pane.py": {"distributor", "availability", "streams"},
    "flows/hand_over/bundle_view.py": {"publication"},
    "flows/hand_over/hand_over_view.py": {"publication"},
    "flows/plan/preflight_view.py": {"agents"},
    "reporting/document/whole.py": {"agents", "publication"},
    "reporting/document/scripts.py": {"agent"},
    "reporting/redact/redaction.py": {"agents", "publication", "profile"},
    "store/rollback.py": {"replica"},
    # What kinds of names there are, so that one name is replaced by one word in every text.
    "domain/naming.py": {"agent", "publication"},
    "reporting/redact/client_names.py": {"agent", "profile", "availability", "publication"},
    # The kind of the first scenario files, which named none; and what an old session file holds.
    "store/migrations/m0001_initial.py": {"agents"},
    # SQL Server's own: the roles a statement's header may name, its Agent service, names of its databases and tables.
    "drivers/sqlserver/catalogue.py": {"distributor", "publisher", "subscriber", "replica", "secondary"}
    | {"publication", "subscription"},
    "drivers/sqlserver/errors.py": {"agent"},
    "drivers/sqlserver/declared.py": {"secondary"},
    "drivers/sqlserver/odbc/settings.py": {"distribution database"},
    "drivers/sqlserver/ways.py": {"distributor", "distribution database", "availability"},
    "cli/commands/target.py": {"distributor"},
    "drivers/sqlserver/rights.py": {"job step", "job_step"},
    "drivers/sqlserver/lab/rights_answers.py": {"publication"},
    "drivers/sqlserver/lab/faults.py": {"agent"},
    # The forms of an Oracle connection, and a guard that keeps a lower retention of a capture from being set.
    "drivers/oracle/ways.py": {"streams"},
    "drivers/oracle/scripts.py": {"capture", "_capture"},
    # Guards of its scripts that find a group's primary replica and an agent's job.
    "drivers/sqlserver/scripts.py": {"replica", "availability", "profile", "agent"},
}


def words_in(text: str) -> Iterator[str]:
    """Yield every word of a system in a text, small."""
    return (match.group().lower() for match in TERMS.finditer(text))


def _generic_files() -> list[Path]:
    return [path for path in sorted(APP.rglob("*.py")) if path.relative_to(APP).parts[0] != "systems"]


def test_generic_rooms_name_no_system() -> None:
    """What stands outside the systems' folders serves all of them."""
    found = {}
    for path in _generic_files():
        place = path.relative_to(APP).as_posix()
        words = set(words_in(path.read_text(encoding="utf-8"))) - ALLOWED.get(place, set())
        if words:
            found[place] = sorted(words)
    assert found == {}


def test_every_exception_is_needed() -> None:
    """An exception for a word that is gone would let it come back."""
    unused = {}
    for place, allowed in ALLOWED.items():
        words = set(words_in((APP / place).read_text(encoding="utf-8")))
        if allowed - words:
            unused[place] = sorted(allowed - words)
    assert unused == {}


@pytest.mark.parametrize(
    "planted",
    [
        "def read_distributor() -> None: ...",
        "agent_kind = kinds[0]",
        '_("The Log Reader Agent is stopped.")',
        "site.replicas",
        "class AgentSite:",
        "seeding_mode",
        "STREAMS_POOL = 1",
        "# waits for the apply process",
        "redo_queue_kb: int",
    ],
)
def test_a_planted_word_is_found(planted: str) -> None:
    """The check looks at names, texts and comments."""
    assert list(words_in(planted))


@pytest.mark.parametrize("harmless", ["distribution of the residuals", "to apply a change", "capsys.readouterr()"])
def test_words_of_everybody_are_not_found(harmless: str) -> None:
    """Statistics has distributions, and every change is applied."""
    assert not list(words_in(harmless))
