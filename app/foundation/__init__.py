"""What every part may use and that knows no replication: paths, clock, ids, secrets, texts, discovery."""
