"""SQL Server availability groups: what a commit costs, and how a database reaches a replica."""
