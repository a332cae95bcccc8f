"""What the lab's logins may do in its databases: `monitor` is a member of replmonitor."""

from collections.abc import Mapping
from typing import Final

from app.drivers.sqlserver.lab.rights_answers import SERVER_RIGHTS, LoginRows

RIGHTS: Final[Mapping[str, LoginRows]] = {
    **SERVER_RIGHTS,
    "distribution_rights": LoginRows(((1, 0),), ((0, 1),)),
    "publication_rights": LoginRows(((1, 0),), ((0, 0),)),
}
"""By statement."""
