/*
name: capture_marks
purpose: marks of runs of this program in a captured database: extended properties, each named by its session
access: read
runs at: any
database: captured
permission: db_owner in the database
versions: SQL Server 2012 and later
form: select
parameters: none
columns:
  mark sysname <word> -- name of the property, which ends with its session
client-owned: none
source: MicrosoftDocs/sql-docs:docs/relational-databases/system-catalog-views/extended-properties-catalog-views-sys-extended-properties.md; own marks
*/
SELECT marks.name AS mark
FROM sys.extended_properties AS marks
WHERE marks.class = 0 AND marks.name LIKE N'Replitune capture %'
ORDER BY marks.name;
