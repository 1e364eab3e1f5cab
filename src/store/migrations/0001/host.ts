/** What the host needs: actors and their steps, work and delays, what it cannot deliver, and who writes. */
export const host = `
CREATE TABLE actor(
  id TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL, parent TEXT, chart INTEGER NOT NULL, version INTEGER NOT NULL,
  status TEXT NOT NULL, state TEXT NOT NULL, snapshot TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX actor_kind ON actor(kind, status) WHERE kind <> 'evaluation';
CREATE INDEX actor_done ON actor(updated_at) WHERE status = 'done';

CREATE TABLE journal(
  seq INTEGER PRIMARY KEY, actor TEXT NOT NULL, version INTEGER NOT NULL, sender TEXT, event TEXT NOT NULL,
  from_state TEXT, to_state TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX journal_actor ON journal(actor, version);

CREATE TABLE message_seen(id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX message_seen_at ON message_seen(at);

CREATE TABLE outbox(
  key TEXT PRIMARY KEY NOT NULL, actor TEXT NOT NULL, invoke TEXT NOT NULL, kind TEXT NOT NULL, input TEXT NOT NULL,
  state TEXT NOT NULL CHECK(state IN ('pending', 'started', 'done', 'failed', 'unknown', 'cancelled')),
  attempts INTEGER NOT NULL DEFAULT 0, result TEXT, created_at INTEGER NOT NULL, settled_at INTEGER
) STRICT;
CREATE INDEX outbox_open ON outbox(created_at, key) WHERE state IN ('pending', 'started');
CREATE INDEX outbox_settled ON outbox(settled_at) WHERE settled_at IS NOT NULL;

CREATE TABLE timer(
  actor TEXT NOT NULL, name TEXT NOT NULL, due_at INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY(actor, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX timer_due ON timer(due_at);

CREATE TABLE dead_letter(
  seq INTEGER PRIMARY KEY, actor TEXT NOT NULL, event TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;

CREATE TABLE kept(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE lease(id INTEGER PRIMARY KEY CHECK(id = 1), token TEXT NOT NULL) STRICT;
`
