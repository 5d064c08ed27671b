"""The database: engine, sessions, column types, the write lock of SQLite, and migrations."""
