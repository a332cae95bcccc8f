"""Abort rules: a trial ends when production could suffer."""

from collections.abc import Iterable, Mapping

from app.domain.limits import LimitField, Limits


def exceeded_limit(fields: Iterable[LimitField], limits: Limits, readings: Mapping[str, float]) -> str:
    """Return one sentence on the first limit exceeded, or "".

    Args:
        fields: the limits a trial watches, in the order they are looked at.
        readings: what each is held against, by its key and in its unit.
    """
    for field in fields:
        if field.name in limits and (sentence := field.exceeded(readings[field.name], limits[field.name])):
            return sentence
    return ""
