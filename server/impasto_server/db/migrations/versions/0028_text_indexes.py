"""Full-text indexes of assets and runs

It splits texts into terms by a copy of that version's `db/text_search.py`, which may change later.

Revision ID: 0028
Revises: 0027
"""

import re
import unicodedata
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_BATCH_SIZE = 1000
_TABLES = {"assets": "id", "run_listings": "run_id"}
_MAX_TERM_CHARS = 60
_ASCII_TERM = re.compile(r"[a-z0-9]+")
# Thai, Lao, Burmese, Khmer, kana and Chinese characters.
_WITHOUT_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_VECTOR = (
    "array_to_tsvector(array_remove(regexp_split_to_array("
    r"regexp_replace(owner_id || ' ' || words, '\S{255}\S*', ' ', 'g'), '\s+'), ''))"
)


def upgrade() -> None:
    dialect = op.get_bind().dialect.name
    for table, key in _TABLES.items():
        _split_into_terms(sa.table(table, sa.column(key), sa.column("words")), key)
        for statement in _create_index(dialect, table, key):
            op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    # The words stay split into terms, which the search before this revision finds too.
    for table in _TABLES:
        for statement in _drop_index(op.get_bind().dialect.name, table):
            op.get_bind().exec_driver_sql(statement)


def _split_into_terms(table: sa.TableClause, key: str) -> None:
    column = table.c[key]
    page = sa.select(column, table.c.words).order_by(column)
    change = sa.update(table).where(column == sa.bindparam("row_id")).values(words=sa.bindparam("terms"))
    last = ""
    while rows := op.get_bind().execute(page.where(column > last).limit(_BATCH_SIZE)).all():
        last = rows[-1][0]
        values = [{"row_id": row[0], "terms": _indexed_text(row[1])} for row in rows]
        op.get_bind().execute(change, values)


def _create_index(dialect: str, table: str, key: str) -> Iterator[str]:
    if dialect == "postgresql":
        yield f"CREATE INDEX ix_{table}_search ON {table} USING gin (({_VECTOR})) WITH (fastupdate = off)"
        return
    search, rows = f"{table}_search", f"{table}_search_rows"
    # The rows of a table with a text key have no number that outlasts VACUUM.
    yield f"CREATE TABLE {rows} (number INTEGER PRIMARY KEY, id VARCHAR(36) NOT NULL UNIQUE)"
    options = "tokenize = 'ascii', detail = none, prefix = '2 3'"
    yield f"CREATE VIRTUAL TABLE {search} USING fts5(terms, {options})"
    yield f"INSERT INTO {rows} (id) SELECT {key} FROM {table} ORDER BY {key}"  # noqa: S608
    terms = "replace({0}owner_id, '-', '') || ' ' || {0}words"
    yield (
        f"INSERT INTO {search} (rowid, terms) SELECT r.number, {terms.format('t.')}"  # noqa: S608
        f" FROM {table} t JOIN {rows} r ON r.id = t.{key}"
    )
    number = f"(SELECT number FROM {rows} WHERE id = {{}}.{key})"  # noqa: S608
    yield (
        f"CREATE TRIGGER {search}_insert AFTER INSERT ON {table} BEGIN"  # noqa: S608
        f" INSERT INTO {rows} (id) VALUES (new.{key});"
        f" INSERT INTO {search} (rowid, terms) VALUES ({number.format('new')}, {terms.format('new.')}); END"
    )
    yield (
        f"CREATE TRIGGER {search}_update AFTER UPDATE OF words ON {table} WHEN old.words <> new.words BEGIN"  # noqa: S608
        f" UPDATE {search} SET terms = {terms.format('new.')} WHERE rowid = {number.format('new')}; END"
    )
    yield (
        f"CREATE TRIGGER {search}_delete AFTER DELETE ON {table} BEGIN"  # noqa: S608
        f" DELETE FROM {search} WHERE rowid = {number.format('old')};"
        f" DELETE FROM {rows} WHERE id = old.{key}; END"
    )


def _drop_index(dialect: str, table: str) -> Iterator[str]:
    if dialect == "postgresql":
        yield f"DROP INDEX ix_{table}_search"
        return
    for event in ("insert", "update", "delete"):
        yield f"DROP TRIGGER {table}_search_{event}"
    yield f"DROP TABLE {table}_search"
    yield f"DROP TABLE {table}_search_rows"


def _indexed_text(source: str) -> str:
    terms = dict.fromkeys(_terms(source))
    return f" {' '.join(terms)} " if terms else ""


def _terms(source: str) -> Iterator[str]:
    for word in _words(source):
        for part in _parts(word):
            if _WITHOUT_SPACES.fullmatch(part):
                yield from (part[at : at + 2] for at in range(len(part)))
            else:
                yield part[:_MAX_TERM_CHARS]


def _parts(word: str) -> Iterator[str]:
    at = 0
    for run in _WITHOUT_SPACES.finditer(word):
        if run.start() > at:
            yield word[at : run.start()]
        yield run.group()
        at = run.end()
    if at < len(word):
        yield word[at:]


def _words(source: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", source).casefold())
    if folded.isascii():
        return _ASCII_TERM.findall(folded)
    return "".join(_spelled(character) for character in folded).split()


def _spelled(character: str) -> str:
    if character.isalnum():
        return character
    category = unicodedata.category(character)
    if category[0] == "M":
        return " " if "\ufe00" <= character <= "\ufe0f" else character
    # The databases take symbols for spaces: they are indexed by their code point.
    return f" u{ord(character):x} " if category[0] == "S" and character > "\x7f" else " "
