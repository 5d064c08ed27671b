"""Index of parts of words in the names and descriptions of agents

On SQLite, triggers keep it current, with the function that the server adds to each connection.

Revision ID: 0039
Revises: 0038
"""

from collections.abc import Iterator

from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

_GRAMS = """
CREATE FUNCTION impasto_grams(value text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(DISTINCT substr(value, at, 3)), '{}'::text[])
    FROM generate_series(1, length(value) - 2) AS at
$$
"""
_FOLDED = "lower(regexp_replace(normalize(name || ' ' || description, NFKD), '[\u0300-\u036f]', '', 'g'))"


def upgrade() -> None:
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    for statement in _create_on_postgresql() if is_postgresql else _create_on_sqlite():
        op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    for statement in _drop_on_postgresql() if is_postgresql else _drop_on_sqlite():
        op.get_bind().exec_driver_sql(statement)


def _create_on_postgresql() -> Iterator[str]:
    yield _GRAMS
    index = f"gin (impasto_grams({_FOLDED})) WITH (fastupdate = off)"
    yield f"CREATE INDEX ix_flows_search ON flows USING {index}"


def _drop_on_postgresql() -> Iterator[str]:
    yield "DROP INDEX ix_flows_search"
    yield "DROP FUNCTION impasto_grams(text)"


def _create_on_sqlite() -> Iterator[str]:
    # The rows of a table with a text key have no number that outlasts VACUUM.
    yield "CREATE TABLE flows_search_rows (number INTEGER PRIMARY KEY, id VARCHAR(36) NOT NULL UNIQUE)"
    yield (
        "CREATE VIRTUAL TABLE flows_search"
        " USING fts5(folded, tokenize = 'trigram case_sensitive 1', detail = none)"
    )
    folded = "impasto_fold({0}name || ' ' || {0}description)"
    yield "INSERT INTO flows_search_rows (id) SELECT id FROM flows ORDER BY id"
    yield (
        f"INSERT INTO flows_search (rowid, folded) SELECT r.number, {folded.format('f.')}"  # noqa: S608
        " FROM flows f JOIN flows_search_rows r ON r.id = f.id"
    )
    number = "(SELECT number FROM flows_search_rows WHERE id = {}.id)"
    yield (
        "CREATE TRIGGER flows_search_insert AFTER INSERT ON flows BEGIN"  # noqa: S608
        " INSERT INTO flows_search_rows (id) VALUES (new.id);"
        f" INSERT INTO flows_search (rowid, folded) VALUES ({number.format('new')}, {folded.format('new.')});"
        " END"
    )
    yield (
        "CREATE TRIGGER flows_search_update AFTER UPDATE OF name, description ON flows"  # noqa: S608
        " WHEN old.name <> new.name OR old.description <> new.description BEGIN"
        f" UPDATE flows_search SET folded = {folded.format('new.')} WHERE rowid = {number.format('new')}; END"
    )
    yield (
        "CREATE TRIGGER flows_search_delete AFTER DELETE ON flows BEGIN"  # noqa: S608
        f" DELETE FROM flows_search WHERE rowid = {number.format('old')};"
        " DELETE FROM flows_search_rows WHERE id = old.id; END"
    )


def _drop_on_sqlite() -> Iterator[str]:
    for change in ("insert", "update", "delete"):
        yield f"DROP TRIGGER flows_search_{change}"
    yield "DROP TABLE flows_search"
    yield "DROP TABLE flows_search_rows"
