/** What sources held when they were last read, and the sequence of all changes. */
export const sources = `
CREATE TABLE source(
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL, health TEXT NOT NULL, read_at INTEGER, failure TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE item(
  source TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL, author TEXT, time INTEGER, body TEXT NOT NULL,
  link TEXT NOT NULL, external INTEGER NOT NULL, stamp TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY(source, key)
) STRICT;

CREATE TABLE change(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, item_kind TEXT NOT NULL,
  title TEXT NOT NULL, author TEXT, time INTEGER, link TEXT NOT NULL, external INTEGER NOT NULL, at INTEGER NOT NULL,
  before_hash TEXT, after_hash TEXT, lines TEXT NOT NULL, omitted INTEGER NOT NULL
) STRICT;
`
