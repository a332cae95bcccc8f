"""What a reader must know of the trials behind comparisons before believing them."""

from collections.abc import Iterator

from app.analysis.comparing.evidence import Compared
from app.domain.comparison import Comparison
from app.domain.measurement import Measurement
from app.foundation.texts import _, local_number


def cautions(piece: Compared) -> Iterator[str]:
    """Yield which trials stand out, what that does to a claim, and whether a stated noise level can be believed."""
    for disturbed in piece.disturbed:
        yield _stands_out(disturbed)
    for comparison in piece.evidence.comparisons:
        yield from _of_confirmation(comparison)
    if piece.doubted is not None:
        yield _("Noise of {stated} is stated, but these runs show {observed}; the larger one counts.").format(
            stated=_percent(piece.doubted.stated_cv), observed=_percent(piece.doubted.observed_cv)
        )


def _stands_out(disturbed: Measurement) -> str:
    return _(
        "{trial} ({setting}) stands out from all other exploring trials, as if something else had run on the server. "
        "It stays in every table and mean; the noise is judged without it."
    ).format(trial=disturbed.trial_id, setting=disturbed.setting.label())


def _of_confirmation(comparison: Comparison) -> Iterator[str]:
    told = comparison.confirmation
    if told is None or not told.disturbed_trial:
        return
    if not told.is_set_aside:
        yield _(
            "{trial} stands out among the confirming trials. {pairs} blocks are too few to tell by themselves that it "
            "was disturbed, so it counts."
        ).format(trial=told.disturbed_trial, pairs=told.pairs)
        return
    yield _(
        "{trial} was disturbed: the other confirming blocks show it by themselves, so its block does not count. With "
        "it the ratio would be {whole_ratio} ({whole_low} to {whole_high}), without it it is {ratio} ({low} to {high})."
    ).format(
        trial=told.disturbed_trial,
        whole_ratio=_ratio(told.whole_ratio),
        whole_low=_ratio(told.whole[0]),
        whole_high=_ratio(told.whole[1]),
        ratio=_ratio(comparison.ratio),
        low=_ratio(comparison.low),
        high=_ratio(comparison.high),
    )


def _ratio(value: float) -> str:
    return local_number(f"{value:.3f}")


def _percent(share: float) -> str:
    return local_number(f"{share * 100:.2g} %")
