"""The values to expect before and after a change, as they were measured: for run sheet and scripts."""

from app.domain.decision import Decision
from app.foundation.texts import _, in_sentence
from app.reporting.decision_words import before_after, before_and_after, task_text
from app.reporting.wording import Vocabulary


def looked_at(decision: Decision, words: Vocabulary, task: str = "") -> tuple[str, str] | None:
    """Return the measure to look at after a change, the values to expect and to undo it at; None without means.

    Args:
        task: how the change is called, "" for its task in full.
    """
    gain = decision.gain
    if gain is None or not before_after(gain) or gain.elsewhere:
        return None
    before, after = before_and_after(gain)
    text = _(
        "{after} under a load like that of the trials; undo it where it stays at {before}, as it was before, or worse."
    )
    looked = _("{task}: look at {metric}").format(task=task or task_text(decision), metric=_metric(decision, words))
    return looked, text.format(after=after, before=before)


def expected_texts(decision: Decision, words: Vocabulary, *, is_after: bool) -> tuple[str, ...]:
    """Return the measured values of the state that a script reads, () without means."""
    told = looked_at(decision, words)
    if told is None or decision.gain is None:
        return ()
    if is_after:
        return (_("Expected: {metric}: {value}").format(metric=_metric(decision, words), value=told[1]),)
    before, _after = before_and_after(decision.gain)
    text = _("Measured before the change, under the load of the trials: {metric}: {value}.")
    return (text.format(metric=_metric(decision, words), value=before),)


def _metric(decision: Decision, words: Vocabulary) -> str:
    assert decision.gain is not None
    compared = decision.gain.comparison
    return in_sentence(words.metric(compared.family, compared.metric))
