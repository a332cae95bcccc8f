"""Where a batch for a group's primary replica acts, and says why it does not elsewhere."""

from app.drivers.sqlserver.scripts import literal
from app.foundation.texts import _


def only_at_primary(group: str) -> str:
    """Return the beginning of a batch that ends it wherever the primary replica of a group is not.

    Where there is no group (a server by itself) it is "": the batch is then kept to its server.
    """
    if not group:
        return ""
    message = _("Skipped: this part is for the primary replica of group {group}; nothing was changed by it.")
    return f"""IF NOT EXISTS (SELECT 1
    FROM sys.availability_groups AS groups
    JOIN sys.dm_hadr_availability_replica_states AS states ON states.group_id = groups.group_id
    WHERE groups.name = {literal(group)} AND states.is_local = 1 AND states.role_desc = N'PRIMARY')
BEGIN
    PRINT {literal(message.format(group=group))};
    RETURN;
END;
"""


def title_at_primary(title: str, group: str) -> str:
    """Return the title of such a batch: where it runs, and that it runs before those of the other replicas."""
    if not group:
        return title
    return _("{title}; at the primary replica of group {group}, before the others").format(title=title, group=group)
