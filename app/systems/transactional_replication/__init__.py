"""SQL Server transactional replication: Log Reader Agents and Distribution Agents of one Distributor."""
