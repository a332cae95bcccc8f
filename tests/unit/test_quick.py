"""What `make quick` looks at for a change."""

import re
from pathlib import Path

import pytest

from tests.quick import BUDGET_S, COSTS, ROOT, Costs, Imports, changed_modules, choose, edited_modules


@pytest.fixture(scope="module")
def imports() -> Imports:
    """Who imports whom."""
    return Imports()


def test_the_nearest_tests_are_run_first(imports: Imports) -> None:
    """The test named after a module leads, before those that reach it through others."""
    choice = choose({"app.flows.plan.trial_grid"}, imports, Costs())
    assert choice.files[0] == "tests/unit/flows/test_trial_grid.py"


def test_a_test_named_after_a_module_leads_though_it_starts_the_whole_program(imports: Imports) -> None:
    """No import leads from it to the module."""
    assert choose({"app.analysis.by_setting"}, imports, Costs()).files[0] == "tests/unit/analysis/test_by_setting.py"


@pytest.mark.parametrize(
    ("module", "test"),
    [("run_plan", "test_secrets"), ("advise", "test_advise"), ("restore", "test_interrupting")],
)
def test_a_command_concerns_the_tests_that_name_it(imports: Imports, module: str, test: str) -> None:
    """They start the program with it."""
    choice = choose({f"app.cli.commands.{module}"}, imports, Costs())
    assert f"tests/e2e/{test}.py" in {*choice.files, *choice.farther}
    assert choose({"app.cli.arguments"}, imports, Costs()).files


def test_every_module_of_the_program_concerns_some_test(imports: Imports) -> None:
    """Also what only the system that tests drop in uses, and that system's own."""
    packages = {module.rpartition(".")[0] for module in imports.modules}  # most hold a sentence only
    modules = [m for m in sorted(imports.modules - packages) if m.startswith(("app.", "tests.toy."))]
    assert "tests.toy.app.systems.turnstile.trial" in modules
    alone = [m for m in modules if not imports.tests & imports.distances({m}, is_through_root=True).keys()]
    assert alone == []


def test_a_test_that_changed_is_run_whatever_it_costs(imports: Imports) -> None:
    """No budget keeps a test from whoever edits it."""
    changed = "tests/unit/test_quick.py"
    edited = edited_modules([changed])
    choice = choose(edited, imports, Costs({changed: 1_000.0}), budget_s=1.0, edited=edited)
    assert choice.files == (changed,)


def test_tests_that_only_name_a_changed_file_stay_within_the_budget(imports: Imports) -> None:
    """Statements, rules, scenarios and texts: only a test that was edited itself is run whatever it costs.

    A word of the field is the name of many a file and stands in most tests.
    """
    costs = Costs.read(COSTS)
    kinds = ("app/**/statements/**/*.sql", "advisor_rules/**/*.yaml", "resources/**/*.*")
    of_kinds = [sorted(path for path in ROOT.glob(kind) if path.is_file()) for kind in kinds]
    assert all(of_kinds)
    agents = "app/systems/transactional_replication/statements/sqlserver/agents.sql"
    for path in [agents, *(str(path.relative_to(ROOT)) for paths in of_kinds for path in paths[::30])]:
        choice = choose(changed_modules([path], imports), imports, costs, edited=edited_modules([path]))
        assert sum(costs.of(file) for file in choice.files) <= BUDGET_S, path


def test_a_statement_concerns_what_names_it_as_a_whole_text(imports: Imports) -> None:
    """Where its name is but a word of a sentence, nothing is sent."""
    agents = "app/systems/transactional_replication/statements/sqlserver/agents.sql"
    modules = changed_modules([agents], imports)
    assert "app.systems.transactional_replication.server.discover" in modules
    assert "app.systems.transactional_replication.families.log_reader.plan" not in modules


def test_what_the_budget_has_no_room_for_is_told(imports: Imports) -> None:
    """A change of the core concerns most tests: the nearest are run, the others counted."""
    choice = choose({"app.domain.plan"}, imports, Costs(), budget_s=20.0)
    assert len(choice.files) == 20
    assert len(choice.farther) > 100
    assert choose({"app.flows.plan.trial_grid"}, imports, Costs()).far_off > 100


def test_dear_tests_of_chosen_files_are_left_out_and_told(imports: Imports) -> None:
    """Single tests of seconds wait for `make test`."""
    dear = "tests/unit/flows/test_trial_grid.py::test_dear"
    choice = choose({"app.flows.plan.trial_grid"}, imports, Costs(dear={dear: 5.0, "tests/e2e/test_kill.py::far": 9.0}))
    assert choice.dear == (dear,)


def test_what_a_system_loads_by_name_concerns_its_tests(imports: Imports) -> None:
    """Views are reached through the system that shows them."""
    assert imports.distances({"app.systems.oracle_streams.views"})["app.systems.oracle_streams.system"] == 1


def test_a_change_of_a_system_concerns_the_tests_that_run_it(imports: Imports) -> None:
    """They start the program, which loads systems by name; the other tests that do are counted."""
    rigs = [
        module for module in imports.modules if re.fullmatch(r"app\.systems\.\w+\.(rig\.\w+|\w+_trial|trial)", module)
    ]
    assert {module.split(".")[2] for module in rigs} == {
        path.parent.name for path in ROOT.glob("app/systems/*/system.py")
    }
    for module in rigs:
        choice = choose({module}, imports, Costs())
        runs = [file for file in choice.files if "run_on_lab" in (ROOT / file).read_text(encoding="utf-8")]
        assert runs, module
        assert choice.far_off > 0, module


def test_what_is_loaded_by_name_is_reached_through_the_root(imports: Imports) -> None:
    """Pages, drivers and systems: a change that no import leads to is no change that concerns nothing."""
    for module in ("app.ui.pages.findings_page", "app.drivers.oracle", "app.systems.oracle_streams.system"):
        assert choose({module}, imports, Costs()).far_off > 0, module


def test_proofs_and_benches_are_never_chosen(imports: Imports) -> None:
    """They have commands of their own."""
    assert not {test for test in imports.tests if test.startswith(("tests.benchmarks", "tests.tsql"))}


def test_every_statement_concerns_what_sends_it_and_the_checks_of_statements(imports: Imports) -> None:
    """A statement is no module, and yet something sends it, also one that is like another but for names."""
    statements = sorted((ROOT / "app").glob("**/statements/**/*.sql"))
    like_others = [path for path in statements if "\nlike: " in path.read_text(encoding="utf-8")]
    assert like_others
    for statement in (*statements[::25], *like_others):
        modules = changed_modules([str(statement.relative_to(ROOT))], imports)
        assert {"tests.contract.statements.test_statements"} <= modules, statement
        assert any(module.startswith("app.") for module in modules), statement


def test_every_rule_pack_concerns_its_family(imports: Imports) -> None:
    """So are rules: those of a family concern what its folder does."""
    families = {module.rsplit(".", 1)[1] for module in imports.modules if re.search(r"\.families\.\w+$", module)}
    for family in sorted((ROOT / "advisor_rules").iterdir()):
        concerned = families if family.name == "common" else {family.name}
        for pack in sorted(family.glob("*.yaml"))[:1]:
            modules = changed_modules([str(pack.relative_to(ROOT))], imports)
            assert "tests.contract.rules.test_shipped_rules" in modules
            found = {module.rsplit(".", 1)[1] for module in modules if re.search(r"\.families\.\w+$", module)}
            assert concerned <= found, family


def test_costs_are_those_of_a_run_with_dear_tests_apart(tmp_path: Path) -> None:
    """What a whole run noted is kept by file."""
    lines = [
        '{"test": "tests/a.py::x", "processor_s": 0.25}',
        '{"test": "tests/a.py::y", "processor_s": 0.25}',
        '{"test": "tests/a.py::z", "processor_s": 3.0}',
    ]
    costs = Costs.of_run(lines)
    assert costs.files == {"tests/a.py": 0.5}
    assert costs.dear == {"tests/a.py::z": 3.0}
    assert Costs.read(tmp_path / "none.json") == Costs()
