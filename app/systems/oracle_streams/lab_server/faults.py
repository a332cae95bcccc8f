"""Others' actions on the processes of a lab, besides the faults of every database."""

from typing import Final

APPLY_STOPPED: Final = "apply_stopped"
CAPTURE_STOPPED: Final = "capture_stopped"
PROPAGATION_STOPPED: Final = "propagation_stopped"
