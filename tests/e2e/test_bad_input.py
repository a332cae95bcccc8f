"""What bad input gets: one sentence on standard error, exit code 2, and every file as it was."""

import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.foundation.paths import resource_path
from tests.abilities import IS_ROOT
from tests.e2e.program import Ended, assert_one_sentence, call, write
from tests.files import files_below
from tests.unit.advice.packs import PACK, changed, write_pack

HEADINGS = "family,run,block,metric,value,unit,SubscriptionStreams\n"
ONE = "distribution_agent,a,1,run_time,554.79,s,1\n"
EIGHT = "distribution_agent,b,1,run_time,304.06,s,8\n"
GOOD = HEADINGS + ONE + EIGHT
PLAN = 'family = "distribution_agent"\n[factors]\nSubscriptionStreams = [1, 8]\n'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder with files that must stay as they are."""
    write(tmp_path / "good.csv", GOOD)
    write(tmp_path / "plan.toml", PLAN)
    write(tmp_path / "notes.txt", "of the consultant")
    return tmp_path


def refused(site: Path, *arguments: object) -> str:
    """Call the program, check that it refuses in one sentence and touches nothing; return the sentence."""
    before = files_below(site)
    ended = call(*arguments)
    assert_one_sentence(ended)
    assert files_below(site) == before
    return ended.err


MEASUREMENTS = {
    "an empty file": ("", "is empty"),
    "headings only": (HEADINGS, "holds headings but no measurements"),
    "no column for the value": (GOOD.replace(",value", ",note", 1), "no column holds measured values"),
    "a heading too few": (GOOD.replace(",value", "", 1), "there are 7 fields but 6 headings"),
    "a parameter that is none": (
        GOOD.replace("SubscriptionStreams", "Tubes"),
        'no column holds a parameter that was varied, such as "CommitBatchSize"',
    ),
    "text in a number": (GOOD.replace("304.06", "fast"), 'line 3, column "value": "fast" is not a number'),
    "a negative time": (GOOD.replace("304.06", "-304.06"), "greater than zero"),
    "a time of zero": (GOOD.replace("304.06", "0"), "greater than zero"),
    "NaN": (GOOD.replace("304.06", "NaN"), '"NaN" is not a number'),
    "infinity": (GOOD.replace("304.06", "inf"), "finite"),
    "a time beyond all measuring": (GOOD.replace("304.06", "1e308"), "too large or too small to have been measured"),
    "a time below all measuring": (GOOD.replace("304.06", "1e-320"), "too large or too small to have been measured"),
    "no value": (GOOD.replace("304.06", ""), "the value is missing"),
    "a unit that does not exist": (GOOD.replace(",s,8", ",fortnights,8"), 'the unit "fortnights" does not exist'),
    "a unit of something else": (GOOD.replace(",s,8", ",MB,8"), '"MB" cannot be compared'),
    "no unit": (GOOD.replace(",s,8", ",,8"), "this is empty"),
    "one setting only": (HEADINGS + ONE, "holds one setting only"),
    "a row twice": (GOOD + EIGHT, 'run "b" already has a run_time'),
    "a row twice, without run and block": (
        "family,metric,value,unit,SubscriptionStreams\n"
        + "distribution_agent,run_time,554.79,s,1\n" * 2
        + "distribution_agent,run_time,304.06,s,8\n",
        "line 3: this repeats line 2",
    ),
    "a value outside its limits": (GOOD.replace(",s,8", ",s,65"), "is outside its limits, 1 to 64"),
    "a parameter that is no whole number": (GOOD.replace(",s,8", ",s,2.5"), "must be a whole number"),
    "an unknown family": (GOOD.replace("distribution_agent,b", "delivery,b"), 'family "delivery" is not known'),
    "an unknown metric": (GOOD.replace("b,1,run_time", "b,1,speed"), 'does not take the metric "speed"'),
    "measures that only explain": (
        GOOD.replace("run_time", "lock_wait").replace(",s,", ",%,"),
        "the file holds none of these",
    ),
    "a field too many": (GOOD + "distribution_agent,c,1,run_time,5,s,4,x\n", "there are 8 fields but 7 headings"),
    "an open quote": (GOOD + '"distribution_agent,c\n', "check the quotes"),
    "JSON that breaks off": ('{"measurements": [', "this is no JSON"),
    "JSON of another shape": ('{"rows": 3}', "has another shape"),
    "JSON without a measurement": ('{"rows": []}', "holds no measurements"),
    "NaN in JSON": (
        '{"measurements": [{"family": "wan_delivery", "metric": "throughput", "value": NaN, "unit": "commands/s",'
        ' "SubscriptionStreams": 1}]}',
        "is not a number",
    ),
}


@pytest.mark.parametrize(("content", "sentence"), MEASUREMENTS.values(), ids=MEASUREMENTS)
def test_measurements_that_cannot_be_used(site: Path, content: str, sentence: str) -> None:
    """The sentence names the file, and the line and column where there is one."""
    path = write(site / "bad.csv", content)
    said = refused(site, "advise", path, "--out", site / "out")
    assert str(path) in said
    assert sentence in said


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("binary.csv", bytes(range(256)) * 8),
        ("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(64)),
        ("latin.csv", "Verzögerung".encode("latin-1") + bytes(8)),
    ],
    ids=["all bytes", "a picture", "another encoding"],
)
def test_binary_files(site: Path, name: str, content: bytes) -> None:
    """They are no text, whatever their name says; also as a plan, a session and a scenario."""
    path = write(site / name, content)
    assert "is not a text file" in refused(site, "advise", path)
    assert "is not a text file" in refused(site, "run", path, "--target", "lab")
    assert "is not a text file" in refused(site, "discover", "--target", f"lab:{path}")
    assert "session file" in refused(site, "report", path, "--out", site / "report.pdf")


@pytest.mark.parametrize("path_of", [lambda site: site / "missing", lambda site: site], ids=["missing", "a folder"])
def test_files_that_are_none(site: Path, path_of: Callable[[Path], Path]) -> None:
    """A missing file or a folder is named, for every command that reads one."""
    path = path_of(site)
    for arguments in (
        ("advise", path),
        ("run", path, "--target", "lab"),
        ("report", path, "--out", site / "report.pdf"),
        ("restore", "--journal", path),
        ("discover", "--target", f"lab:{path}"),
    ):
        assert str(path) in refused(site, *arguments)


@pytest.mark.skipif(IS_ROOT or sys.platform == "win32", reason="chmod keeps neither root nor Windows from reading")
def test_files_this_user_may_not_read(site: Path) -> None:
    """The system's own reason is in the sentence."""
    path = site / "good.csv"
    path.chmod(0)
    assert "Permission denied" in refused(site, "advise", path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file that breaks off by itself")
def test_files_that_break_off_while_being_read(site: Path) -> None:
    """A file the system cannot read is told with the system's reason."""
    assert "cannot be read" in refused(site, "advise", "/proc/self/mem")


PLANS = {
    "no TOML": (PLAN + "[[[", "is not valid TOML"),
    "an empty file": ("", 'key "family" is missing'),
    "an unknown key": (PLAN + "[design]\nblock = 3\n", 'key "design.block" is unknown'),
    "an unknown table": (PLAN + "[desing]\nblocks = 3\n", 'key "desing" is unknown'),
    "text for a number": (PLAN + '[design]\nblocks = "3"\n', 'key "design.blocks" must be a whole number, not "3"'),
    "a fraction of blocks": (PLAN + "[design]\nblocks = 2.5\n", "must be a whole number, not 2.5"),
    "true for a number": (PLAN + "[design]\nblocks = true\n", "must be a whole number, not true"),
    "no blocks": (PLAN + "[design]\nblocks = 0\n", "must be at least 1, not 0"),
    "a text among the levels": (PLAN.replace("8", '"8"'), 'value 2" must be a whole number, not "8"'),
    "one value for levels": (PLAN.replace("[1, 8]", "8"), "must be a list such as [1, 8], not 8"),
    "a list for a family": (PLAN.replace('"distribution_agent"', "[1]"), "must be a text in quotes, not [1]"),
    "a number for a table": ("workload = 5\n" + PLAN, "must be a table of keys, not 5"),
    "a scenario that is none": (PLAN + '[workload]\nscenario = "x"\n', "must be 'drained', 'continuous' or 'windows'"),
    "three sizes": (PLAN + "[workload]\ncommands_per_transaction = [1, 2, 3]\n", "the lowest and the highest such as"),
    "the higher size first": (PLAN + "[workload]\ncommands_per_transaction = [9, 2]\n", "the lower number first"),
    "too large a backlog": (PLAN + "[workload]\ncommands = 1_000_000_000\n", "must be at most 100000000"),
    "NaN for an effect": (PLAN + "[design]\nminimum_effect = nan\n", "design.minimum_effect"),
    "a negative limit": (PLAN + "[limits]\nlatency_s = -1\n", "must be greater than 0"),
    "a value above its limit": (PLAN.replace("8", "65"), "SubscriptionStreams = 65 is outside its limits, 1 to 64"),
    "a value below its limit": (PLAN.replace("8", "0"), "SubscriptionStreams = 0 is outside its limits, 1 to 64"),
    "an unknown family": (PLAN.replace("distribution_agent", "x"), 'unknown family "x"; known families are'),
    "an unknown parameter": (PLAN.replace("SubscriptionStreams", "X"), '"X" is not a parameter of distribution_agent'),
    "one level": (PLAN.replace(", 8", ""), "needs at least two different values"),
    "a level twice": (PLAN.replace("8", "1"), "needs at least two different values, each once"),
    "no factor": ('family = "log_reader"\n[factors]\n', "must be a table with at least one parameter"),
    "a baseline of something else": (PLAN + "[baseline]\nReadBatchSize = 500\n", "is not among the factors"),
    "a baseline outside its limits": (PLAN + "[baseline]\nSubscriptionStreams = 900\n", "is outside its limits"),
    "more agents than there are": (
        PLAN + "[workload]\nagent_pairs = 9\n",
        "needs 9 agent pairs, but distribution has 3",
    ),
}


@pytest.mark.parametrize(("content", "sentence"), PLANS.values(), ids=PLANS)
def test_plans_that_cannot_be_run(site: Path, content: str, sentence: str) -> None:
    """The sentence names the key and what it takes; the target is not touched."""
    path = write(site / "bad.toml", content)
    assert sentence in refused(site, "run", path, "--target", "lab", "--dry-run")


def test_a_plan_that_does_not_fit_leaves_earlier_results_alone(site: Path) -> None:
    """What the target refuses only when it is looked at changes neither scripts nor sessions of the folder."""
    out = site / "out"
    good = write(site / "small.toml", PLAN + "[workload]\ncommands = 4000\n[design]\nblocks = 1\nconfirm_blocks = 0\n")
    assert call("run", good, "--target", "lab", "--out", out, "--journal", site / "journal").code == 0
    wide = write(site / "wide.toml", PLAN + "[workload]\nagent_pairs = 9\n")
    kept = {path: path.read_bytes() for path in out.iterdir() if path.suffix in (".sql", ".pdf", ".csv")}
    ended = call("run", wide, "--target", "lab", "--out", out, "--journal", site / "journal")
    assert_one_sentence(ended)
    assert {path: path.read_bytes() for path in kept} == kept
    assert call("report", out / "session.replitune", "--out", site / "again.pdf").code == 0


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("server", 'unknown target "server"'),
        ("", 'unknown target ""'),
        ("lab:", 'unknown target "lab:"'),
        ("lab:moon", 'lab scenario "moon" is neither a file nor one of ag-2014, '),
        ("lab@127.0.0.1:99999", 'unknown target "lab@127.0.0.1:***"'),
        ("lab@10.0.0.1:50000", 'unknown target "lab@10.0.0.1:50000"'),
    ],
)
def test_targets_that_are_none(site: Path, target: str, sentence: str) -> None:
    """Every command that takes a target names what it takes."""
    assert sentence in refused(site, "discover", "--target", target)
    assert sentence in refused(site, "run", site / "plan.toml", "--target", target, "--dry-run")


def test_a_lab_that_does_not_answer_is_a_failure_of_the_target() -> None:
    """Exit code 3: the target is well named, and is not there."""
    ended = call("discover", "--target", "lab@127.0.0.1:1")
    assert_one_sentence(ended, code=3)
    assert "no lab answers at 127.0.0.1:1; start a lab server on this port" in ended.err


SCENARIOS = {
    "a missing constant": ("rtt_ms = 0.0", "# gone", 'constant "link.rtt_ms" is missing'),
    "a negative constant": ("rtt_ms = 0.0", "rtt_ms = -1.0", 'constant "link.rtt_ms" = -1.0 cannot be used'),
    "a zero that cannot be": ("pairs = 3", "pairs = 0", 'constant "topology.pairs" = 0 cannot be used'),
    "a text for a constant": ("rtt_ms = 0.0", 'rtt_ms = "fast"', 'constant "link.rtt_ms"'),
    "infinity": ("rtt_ms = 0.0", "rtt_ms = inf", 'constant "link.rtt_ms"'),
    "an unknown constant": ("rtt_ms = 0.0", "rtt_ms = 0.0\nspeed = 1.0", 'constant "link.speed" is unknown'),
    "no TOML": ("[link]", "[link", "is not valid TOML"),
    "an unknown fault": (
        "[link]",
        '[[faults]]\nstatement = "agents"\ncall = 1\nkind = "fire"\n[link]',
        'faults name the kind "fire"',
    ),
}


@pytest.mark.parametrize(("old", "new", "sentence"), SCENARIOS.values(), ids=SCENARIOS)
def test_scenarios_that_cannot_be_used(site: Path, old: str, new: str, sentence: str) -> None:
    """The sentence names the file and the constant, in this process and for a served lab."""
    text = resource_path("lab", "lan.toml").read_text(encoding="utf-8")
    assert old in text
    path = write(site / "lab.toml", text.replace(old, new, 1))
    assert sentence in refused(site, "discover", "--target", f"lab:{path}")
    assert sentence in refused(site, "lab", "serve", "--scenario", path)


RULES = {
    "an unknown fact": ("gain_percent >= 5", "gain_percnt >= 5", "gain_percnt"),
    "a wrong type": ("gain_percent >= 5", "gain_percent >= 'five'", "larger-batch"),
    "a bad expression": ("gain_percent >= 5", "gain_percent >=", "larger-batch"),
    "no cases": (PACK[PACK.index("    cases:") :], "    cases: []\n", "cases"),
    "an unknown key": ("priority: 2", "priority: 2\n    colour: red", "colour"),
    "a text for a number": ("priority: 2", "priority: high", "priority"),
    "a source that is none": ("sources: [page]", "sources: [book]", "book"),
    "no YAML": ("title: A pack", "title: [", "line"),
}


@pytest.mark.parametrize(("old", "new", "sentence"), RULES.values(), ids=RULES)
@pytest.mark.parametrize("action", ["check", "test"])
def test_rule_packs_that_cannot_be_used(site: Path, action: str, old: str, new: str, sentence: str) -> None:
    """The sentence names file and line, and the rule where one is meant."""
    path = write_pack(site / "rules", changed(old, new))
    said = refused(site, "rules", action, site / "rules")
    assert f"{path}, line " in said
    assert sentence in said


def test_a_case_that_does_not_hold(site: Path) -> None:
    """`rules check` takes the pack, `rules test` names the case."""
    write_pack(site / "rules", changed("{gain_percent: 5}", "{gain_percent: 4}"))
    assert call("rules", "check", site / "rules").code == 0
    ended = call("rules", "test", site / "rules")
    assert ended.code == 2
    assert ended.out == ""
    assert 'rule "larger-batch", case "exactly five": expected fires, got does_not_fire' in ended.err
    assert ended.err.splitlines()[-1].startswith("replitune: 2 cases do not hold; the first: ")


def test_folders_that_hold_no_rules(site: Path) -> None:
    """Missing, a file, empty, or a folder that is no family."""
    (site / "empty").mkdir()
    (site / "other" / "moon").mkdir(parents=True)
    for folder in ("missing", "good.csv", "empty", "other"):
        assert str(site / folder) in refused(site, "rules", "check", site / folder)


@pytest.mark.parametrize("text", ["abc", "-0.03", "0", "1", "nan", "inf", "", "3%", "0,03"])
def test_noise_levels_that_are_none(site: Path, text: str) -> None:
    """A share between 0 and 1 is wanted, and an example given."""
    assert f'--noise-cv "{text}" must be a share' in refused(site, "advise", site / "good.csv", f"--noise-cv={text}")


def test_results_go_to_no_file(site: Path) -> None:
    """--out names a folder; a file of that name stays as it is."""
    notes = site / "notes.txt"
    for arguments in (
        ("advise", site / "good.csv", "--out", notes),
        ("run", site / "plan.toml", "--target", "lab", "--out", notes, "--journal", site / "journal"),
        ("demo", "--out", notes),
        ("advise", site / "good.csv", "--out", notes / "below"),
    ):
        assert str(notes) in refused(site, *arguments)


def test_what_is_read_is_never_overwritten(site: Path) -> None:
    """The measurements, session file or journal given to read cannot be the file that is written."""
    measurements = write(site / "measurements.csv", GOOD)
    assert "would be overwritten" in refused(site, "advise", measurements, "--out", site)
    assert call("advise", site / "good.csv", "--out", site / "out").code == 0
    session = site / "out" / "session.replitune"
    assert "would be overwritten" in refused(site, "report", session, "--out", session)
    small = write(site / "small.toml", PLAN + "[workload]\ncommands = 4000\n[design]\nblocks = 1\nconfirm_blocks = 0\n")
    journal = site / "journal"
    assert call("run", small, "--target", "lab", "--out", site / "run", "--journal", journal).code == 0
    assert "would be overwritten" in refused(site, "restore", "--journal", journal, "--script", journal)


def test_reports_that_cannot_be_written(site: Path) -> None:
    """A folder, a missing folder, a logo that is none: the sentence names the path."""
    assert call("advise", site / "good.csv", "--out", site / "out").code == 0
    session, out = site / "out" / "session.replitune", site / "report.pdf"
    broken = write(site / "logo.png", "no picture")
    assert str(site) in refused(site, "report", session, "--out", site)
    assert "missing" in refused(site, "report", session, "--out", site / "missing" / "report.pdf")
    assert "logo" in refused(site, "report", session, "--out", out, "--logo", site / "missing.png")
    assert "logo" in refused(site, "report", session, "--out", out, "--logo", broken)
    assert "logo" in refused(site, "report", session, "--out", out, "--logo", site / "notes.txt")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("moon",), "invalid choice: 'moon'"),
        (("advise",), "the following arguments are required: FILE"),
        (("run",), "run needs a plan and --target"),
        (("run", "plan.toml"), "run needs a plan and --target"),
        (("report",), "the following arguments are required: SESSION, --out"),
        (("discover",), "the following arguments are required: --target"),
        (("rules",), "the following arguments are required: action"),
        (("rules", "burn"), "invalid choice: 'burn'"),
        (("lab",), "the following arguments are required: action"),
        (("demo", "--moon"), "unrecognized arguments: --moon"),
        (("demo", "--family", "moon"), 'unknown family "moon"'),
        (("demo", "--seed", "-1"), '"-1" must be a whole number'),
        (("demo", "--seed", "one"), '"one" must be a whole number'),
        (("lab", "serve", "--port", "65536"), '"65536" must be a whole number, 0 to 65535'),
        (("lab", "serve", "--port", "-1"), '"-1" must be a whole number'),
        (("lab", "serve", "--scenario", "moon"), 'lab scenario "moon" is neither a file nor one of'),
        (("run", "--resume", "plan.toml"), "--resume takes plan and target from the earlier run"),
        (("run", "--extend", "plan.toml"), "--extend takes plan and target from the earlier run"),
        (("run", "--extend", "--resume"), "give --resume for a run that was interrupted, or --extend for one"),
        (("run", "--extend", "--out", "nowhere"), "nowhere holds no session.replitune"),
        (("run", "--resume", "--out", "nowhere"), "nowhere holds no session.replitune"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_use(site: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str) -> None:
    """What is missing or wrong is named; nothing is made in the present folder."""
    monkeypatch.chdir(site)
    assert sentence in refused(site, *arguments)


def test_a_port_in_use(site: Path) -> None:
    """The sentence names the port and the system's reason."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(site, "lab", "serve", "--port", port)
    reason = "" if sys.platform == "win32" else "Address already in use"  # Windows has a sentence of its own
    assert f"port {port} of this machine cannot be used: {reason}" in said


def test_names_on_the_cover_may_be_anything(site: Path) -> None:
    """Marks of other scripts, of the typesetter and control characters in client and consultant do no harm."""
    assert call("advise", site / "good.csv", "--out", site / "out").code == 0
    names = ("--client", 'Žluťoučký & "Kůň" #1 $x$ \\end [b] 漢字 🐴\x07', "--consultant", "*_`<>@{}~^")
    session = site / "out" / "session.replitune"
    ended = call("report", session, "--out", site / "report.pdf", *names)
    assert ended == Ended(0, f"Report: {site / 'report.pdf'}\n", "")
