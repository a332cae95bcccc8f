/*
name: write_load
purpose: commit transactions of mixed DML, 30 % inserts, 60 % updates, 10 % deletes of 1 KB rows
access: change
runs at: publisher
database: publication
permission: db_owner in the database; VIEW SERVER STATE
versions: SQL Server 2012 and later
form: batch
parameters:
  @transactions int [transactions] -- how many to commit
  @commands_low float [commands] -- fewest commands of one transaction
  @commands_high float [commands] -- most commands of one transaction
  @seed int -- start of the random numbers
columns:
  commands int [commands] -- rows inserted, updated and deleted
  position nvarchar? <word> -- newest log record of the last transaction before its commit: ten bytes, hexadecimal
client-owned:
  dbo.ReplituneLoad (id bigint, amount int, payload char(1000)) -- test table, an article of the publication
source: own test workload; MicrosoftDocs/sql-docs:docs/t-sql/functions/rand-transact-sql.md, docs/t-sql/statements/set-xact-abort-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-tran-database-transactions-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-dynamic-management-views/sys-dm-tran-current-transaction-transact-sql.md; MicrosoftDocs/sql-docs:docs/relational-databases/system-stored-procedures/sp-repltrans-transact-sql.md (a transaction's sequence number is that of its last record)
*/
SET NOCOUNT ON;
-- A cancel or a time-out in the middle of a transaction rolls it back; otherwise it would stay open and hold the log.
SET XACT_ABORT ON;
DECLARE @written int, @transaction int, @left int, @dice float, @first bigint, @last bigint, @row bigint;
DECLARE @lsn numeric(25, 0);
SET @written = 0;
SET @transaction = 0;
SET @dice = RAND(@seed);
-- Deletes take the lowest id and inserts the next one, so that ids between @first and @last have no gaps.
SELECT @first = ISNULL(MIN(load_row.id), 1), @last = ISNULL(MAX(load_row.id), 0) FROM dbo.ReplituneLoad AS load_row;
WHILE @transaction < @transactions
BEGIN
    -- A fraction is a probability: 2.5 means 2 or 3 commands, half of the time each.
    SET @left = FLOOR(@commands_low + RAND() * (@commands_high - @commands_low) + RAND());
    IF @left < 1 SET @left = 1;
    SET @written = @written + @left;
    BEGIN TRANSACTION;
    WHILE @left > 0
    BEGIN
        SET @dice = RAND();
        IF @dice < 0.3 OR @last - @first < 10
        BEGIN
            SET @last = @last + 1;
            INSERT INTO dbo.ReplituneLoad (id, amount, payload) VALUES (@last, @left, REPLICATE('r', 1000));
        END
        ELSE IF @dice < 0.9
        BEGIN
            SET @row = @first + FLOOR(RAND() * (@last - @first + 1));
            UPDATE dbo.ReplituneLoad SET amount = amount + 1, payload = REPLICATE('u', 1000) WHERE id = @row;
        END
        ELSE
        BEGIN
            DELETE FROM dbo.ReplituneLoad WHERE id = @first;
            SET @first = @first + 1;
        END;
        SET @left = @left - 1;
    END;
    -- The commit record that follows is what replication numbers the transaction by: it is above this one.
    IF @transaction = @transactions - 1
        SELECT @lsn = MAX(own.database_transaction_last_lsn)
        FROM sys.dm_tran_database_transactions AS own
        JOIN sys.dm_tran_current_transaction AS here ON here.transaction_id = own.transaction_id
        WHERE own.database_id = DB_ID();
    COMMIT TRANSACTION;
    SET @transaction = @transaction + 1;
END;
SET XACT_ABORT OFF;
-- As a decimal number it has ten digits for the log file, ten for the block and five for the record in it.
SELECT @written AS commands,
       CONVERT(nvarchar(20), CONVERT(binary(4), CONVERT(bigint, FLOOR(@lsn / 1000000000000000)))
                             + CONVERT(binary(4), CONVERT(bigint, FLOOR(@lsn / 100000) % 10000000000))
                             + CONVERT(binary(2), CONVERT(int, @lsn % 100000)), 2) AS position;
