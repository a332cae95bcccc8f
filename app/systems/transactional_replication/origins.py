"""Where the value of an agent's parameter comes from, as `EffectiveParameter` says it."""

from typing import Final

STEP: Final = "job step"
STEP_PROFILE: Final = "profile in the job step"
"""A profile that the step names: the assigned one does not count then."""
