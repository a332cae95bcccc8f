"""A field of a plan is declared once: file, form, abort rule, report and comparison come from the declaration."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.limits import NO_LIMIT, TRIAL_DURATION, LimitField, Limits, usual_limits
from app.domain.load import complete_load
from app.domain.plan import Plan
from app.domain.plan_field import Asked, PlanField, ValueKind
from app.flows.plan.plan_fields import Section
from app.flows.plan.plan_form import PlanForm, plan_form
from app.reporting.document.method import _plan_pairs
from app.reporting.wording import Vocabulary
from app.runner.limits import exceeded_limit
from app.services.explain.comparison.differences import _plan_facts
from app.services.plan.plan_file import dump_plan, load_plan
from app.systems.transactional_replication.families.log_reader import LogReaderFamily

SLACK = LimitField(
    "slack_share",
    ValueKind.NUMBER,
    "Slack below",
    "share",
    0.5,
    "How much slack is left.",
    above=0,
    high=1,
    typed_in="%",
    when_empty=NO_LIMIT,
    reading="slack",
    stated="slack under {value}",
    is_least=True,
)
MODE = PlanField("mode", ValueKind.CHOICE, "Mode", "", "calm", "How.", choices=("calm", "wild"), table="workload")
PACE = PlanField(
    "pace_per_s",
    ValueKind.NUMBER,
    "Pace",
    "commands/s",
    None,
    "How fast.",
    above=0,
    table="workload",
    shown_when=("mode", "wild"),
    asked=Asked("paced", "Paced", "Whether.", (("free", "Free"), ("paced", "Paced"))),
    stated="at {value}",
    stated_open="at any pace",
    compared_as="pace",
)


class ToyFamily(LogReaderFamily):
    """The Log Reader Agent's, with a load and limits nobody else has."""

    family_id = "toy"
    load_fields: tuple[PlanField, ...] = (MODE, PACE)
    limit_fields: tuple[LimitField, ...] = (SLACK, TRIAL_DURATION)

    def default_plan(self) -> Plan:
        """Return the usual one, with the load and the limits of this family."""
        usual = replace(super().default_plan(), family="toy", limits=usual_limits(self.limit_fields))
        return replace(usual, load=complete_load(self.load_fields, {}, "the default plan"))


FAMILY = ToyFamily()
HEAD = 'family = "toy"\n[factors]\nReadBatchSize = [500, 5000]\n'


def read(folder: Path, text: str) -> Plan:
    """Return the plan of a file."""
    path = folder / "plan.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    return load_plan(path, {"toy": FAMILY})


def form() -> PlanForm:
    """Return the form with everything filled in."""
    wild = plan_form(FAMILY, None).enter("workload.mode", "wild").enter("workload.paced", "paced")
    return wild.enter("workload.pace_per_s", "7").enter("limits.slack_share", "25")


def test_file_and_form_say_the_same(tmp_path: Path) -> None:
    """What a file says, the form types; written and read back nothing is lost."""
    plan = read(tmp_path, '[workload]\nmode = "wild"\npace_per_s = 7\n[limits]\nslack_share = 0.25\n')
    made = form().to_plan()
    assert made is not None
    assert (made.load, made.limits) == (plan.load, plan.limits)
    assert plan.limits == Limits.of(slack_share=0.25, trial_duration_s=14_400.0)
    path = tmp_path / "again.toml"
    path.write_text(dump_plan(plan, FAMILY), encoding="utf-8")
    assert load_plan(path, {"toy": FAMILY}) == plan


def test_what_is_left_open_stays_open(tmp_path: Path) -> None:
    """A limit with a default is switched off by a word, a value without one by leaving it out."""
    plan = read(tmp_path, '[limits]\nslack_share = "none"\n')
    assert dict(plan.limits) == {"trial_duration_s": 14_400.0}
    assert dict(plan.load) == {"mode": "calm"}
    assert 'slack_share = "none"' in dump_plan(plan, FAMILY)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[limits]\nslack_share = 2\n", 'key "limits.slack_share" must be at most 1.0, not 2'),
        ('[limits]\nslack_share = "much"\n', 'key "limits.slack_share" must be a number, not "much"'),
        ("[limits]\nslack = 2\n", 'key "limits.slack" is unknown; remove it or correct its spelling'),
        ('[workload]\nmode = "odd"\n', "key \"workload.mode\" must be 'calm' or 'wild', not \"odd\""),
        ("[workload]\npace_per_s = 0\n", 'key "workload.pace_per_s" must be greater than 0.0, not 0'),
        ("[workload]\ncommands = 5\n", 'key "workload.commands" is unknown'),
    ],
)
def test_each_mistake_has_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    """File, key, what is wrong, what is allowed."""
    with pytest.raises(BadInput) as caught:
        read(tmp_path, text)
    assert said in str(caught.value)


def test_the_form_shows_what_matters() -> None:
    """Units as a person types them, bounds, and nothing the other answers rule out."""
    filled = form()
    slack = filled.field("limits.slack_share")
    assert (slack.label, slack.unit, slack.text, slack.when_empty) == ("Slack below", "%", "25", "no limit")
    assert filled.enter("limits.slack_share", "101").field("limits.slack_share").error
    assert filled.field("workload.pace_per_s").is_shown
    assert not filled.enter("workload.mode", "calm").field("workload.pace_per_s").is_shown
    assert [field.field_id for field in filled.in_section(Section.LIMITS)] == [
        "limits.slack_share",
        "limits.trial_duration_s",
    ]


def test_report_abort_rule_and_comparison_use_its_words(tmp_path: Path) -> None:
    """Each says what was declared."""
    plan = form().to_plan()
    assert plan is not None
    pairs = dict(_plan_pairs(plan, Vocabulary([FAMILY])))
    assert pairs["Workload"] == "at 7\u00a0commands/s"
    assert pairs["Ends a trial"].startswith("slack under 25\u00a0%; longer than 4\u00a0h")
    readings = {"slack_share": 0.2, "trial_duration_s": 0.0}
    assert exceeded_limit(FAMILY.limit_fields, plan.limits, readings) == "slack fell to 0.20, the plan's limit is 0.25"
    assert ("pace", "7") in list(_plan_facts(plan, FAMILY.load_fields))
