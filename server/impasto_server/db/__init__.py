"""The database: engine, sessions, column types, SQLite's write lock and migrations."""
