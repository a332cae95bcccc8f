"""Values of parameters as they are compared and shown, whatever system they are of."""

from app.domain.server import EffectiveParameter


def differs(parameter: EffectiveParameter) -> bool:
    """Tell whether the value in effect is another one than the default."""
    mine, usual = as_number(parameter.value), as_number(parameter.default)
    if mine is not None and usual is not None:
        return mine != usual
    return parameter.value.casefold() != parameter.default.casefold()


def as_number(text: str) -> int | None:
    """Return a value that is a whole number, None for words."""
    try:
        return int(text)
    except ValueError:
        return None
