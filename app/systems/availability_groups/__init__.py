"""SQL Server availability groups: the cost of a commit, and seeding of a database to a replica."""
