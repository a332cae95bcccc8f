/*
name: subscriber_objects
purpose: objects on replicated tables that make several streams block each other
access: read
runs at: subscriber
database: subscription
permission: VIEW DEFINITION in the database; SELECT on sys.sql_expression_dependencies
versions: SQL Server 2012 and later
form: select
parameters:
  @tables nvarchar <table> -- replicated tables, as |schema.table|schema.table|
columns:
  foreign_keys int [count] -- enabled foreign keys that agents are checked by, too
  unique_nonclustered_indexes int [count] -- unique nonclustered indexes
  indexed_views int [count] -- views with a clustered index
  triggers int [count] -- enabled DML triggers that fire for agents, too
client-owned: none
source: Microsoft KB953199; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-foreign-keys-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-indexes-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-triggers-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/sys-sql-expression-dependencies-transact-sql.md
*/
WITH replicated AS (
    SELECT tables.object_id AS object_id
    FROM sys.tables AS tables
    WHERE CHARINDEX(N'|' + SCHEMA_NAME(tables.schema_id) + N'.' + tables.name + N'|', @tables) > 0
)
SELECT (SELECT COUNT(*)
        FROM sys.foreign_keys AS foreign_key
        WHERE foreign_key.is_disabled = 0
          AND foreign_key.is_not_for_replication = 0
          AND foreign_key.parent_object_id IN (SELECT replicated.object_id FROM replicated)) AS foreign_keys,
       (SELECT COUNT(*)
        FROM sys.indexes AS unique_index
        WHERE unique_index.is_unique = 1
          AND unique_index.type = 2
          AND unique_index.is_disabled = 0
          AND unique_index.object_id IN (SELECT replicated.object_id FROM replicated)) AS unique_nonclustered_indexes,
       (SELECT COUNT(DISTINCT indexed_view.object_id)
        FROM sys.views AS indexed_view
        JOIN sys.indexes AS view_index ON view_index.object_id = indexed_view.object_id AND view_index.index_id = 1
        JOIN sys.sql_expression_dependencies AS dependency ON dependency.referencing_id = indexed_view.object_id
        WHERE dependency.referenced_id IN (SELECT replicated.object_id FROM replicated)) AS indexed_views,
       (SELECT COUNT(*)
        FROM sys.triggers AS dml_trigger
        WHERE dml_trigger.is_disabled = 0
          AND dml_trigger.is_not_for_replication = 0
          AND dml_trigger.parent_id IN (SELECT replicated.object_id FROM replicated)) AS triggers
-- To a login that may not see definitions these views are empty, which would read as nothing being there.
WHERE HAS_PERMS_BY_NAME(DB_NAME(), N'DATABASE', N'VIEW DEFINITION') = 1;
