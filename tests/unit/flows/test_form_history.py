"""What the key of undo takes back of a plan, step by step."""

from app.bootstrap import load_families
from app.flows.plan.form_history import FormHistory
from app.flows.plan.plan_form import PlanForm, plan_form

_FIELD = "design.blocks"


def form() -> PlanForm:
    """Return a form nobody typed into."""
    return plan_form(load_families()["log_reader"], None, None)


def typed(history: FormHistory, before: PlanForm, *texts: str, field_id: str = _FIELD) -> PlanForm:
    """Enter one text after the other into a field; return the last state."""
    for text in texts:
        before = before.enter(field_id, text)
        history.keep(before, (field_id, text))
    return before


def test_what_is_typed_into_one_field_is_one_step() -> None:
    """Letter by letter, also where some are taken off again; another field is another step."""
    history, new = FormHistory(), form()
    history.keep(new)
    ninety = typed(history, new, "9", "90", "9", "")
    other = typed(history, ninety, "4")
    last = typed(history, other, "2", "25", field_id="design.confirm_blocks")
    assert history.undo() == other
    assert history.undo() == new
    assert history.undo() is None
    assert [history.redo(), history.redo()] == [other, last]
    assert history.redo() is None


def test_another_step_forgets_what_was_taken_back() -> None:
    """What is shown again after undoing is no step of its own."""
    history, new = FormHistory(), form()
    history.keep(new)
    typed(history, new, "9")
    back = history.undo()
    assert back == new
    history.keep(new)
    assert history.redo() is not None
    history.undo()
    other = typed(history, new, "7")
    assert history.redo() is None
    assert history.undo() == new
    assert history.redo() == other
