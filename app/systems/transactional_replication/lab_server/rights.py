"""Rights that objects of replication require, by their vendor pages, and those of the lab's second login."""

from typing import Final

from app.drivers.sqlserver.lab.logins import MONITOR, Asks, Held, LabLogin
from app.systems.transactional_replication.lab_server.site import DISTRIBUTION_DB, DISTRIBUTOR

# Sources: the "Permissions" section of each procedure's page below
# MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/.
_SYSADMIN: Final = Asks(("sysadmin",), "", 21089)
_OWNER: Final = Asks(("db_owner",), None, 21050)
ASKS: Final = (
    (r"SELECT on sys\.availability_\w+", Asks(("VIEW ANY DEFINITION",), "", is_hidden=True)),
    (r"EXECUTE on (?:sys|dbo)\.sp_\w+_agent_(?:profile|parameter)", _SYSADMIN),
    (r"EXECUTE on sys\.sp_(?:replcounters|posttracertoken|deletetracertokenhistory)", _OWNER),
    (r"EXECUTE on dbo\.sp_replmonitorsubscriptionpendingcmds", _OWNER),
    (r"EXECUTE on msdb\.dbo\.sp_(?:start|stop)_job", Asks(("SQLAgentOperatorRole",), "msdb")),
)

RIGHTS_STATEMENTS: Final = (
    "server_rights",
    "history_rights",
    "distribution_rights",
    "job_rights",
    "publication_rights",
    "subscription_rights",
)

_READ: Final = (
    "MSarticles",
    "MSdistribution_agents",
    "MSdistribution_history",
    "MSlogreader_agents",
    "MSlogreader_history",
    "MSpublications",
    "MSpublisher_databases",
    "MSredirected_publishers",
    "MSrepl_commands",
    "MSreplservers",
    "MSsubscriptions",
)


def monitor(servers: tuple[str, ...]) -> LabLogin:
    """Return a login that may read the distribution database and see the state of every server, and nothing else."""
    held = {Held(DISTRIBUTOR, DISTRIBUTION_DB, f"SELECT on dbo.{table}") for table in _READ}
    held |= {Held(DISTRIBUTOR, DISTRIBUTION_DB, "replmonitor")}
    held |= {Held(server, "", "VIEW SERVER STATE") for server in servers}
    return LabLogin(MONITOR, held, {(DISTRIBUTOR, DISTRIBUTION_DB)})
