/** Worlds and their ticks, what these came to, and what was told and done. */
export const loop = `
CREATE TABLE world(
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL, state TEXT NOT NULL, reason TEXT,
  generation INTEGER NOT NULL DEFAULT 0, last_tick_at INTEGER, next_tick_at INTEGER, total_ticks INTEGER NOT NULL DEFAULT 0,
  consecutive_failures INTEGER NOT NULL DEFAULT 0, seen_through INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX world_next ON world(next_tick_at) WHERE next_tick_at IS NOT NULL;

CREATE TABLE tick(
  id TEXT PRIMARY KEY NOT NULL, world TEXT NOT NULL, generation INTEGER NOT NULL, force INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT,
  model_calls INTEGER NOT NULL DEFAULT 0, evaluations INTEGER NOT NULL DEFAULT 0, calls_avoided INTEGER NOT NULL DEFAULT 0, started_at INTEGER NOT NULL, ended_at INTEGER
) STRICT;
CREATE INDEX tick_world ON tick(world, generation);
CREATE INDEX tick_ended ON tick(ended_at);
CREATE INDEX tick_quiet ON tick(ended_at) WHERE state = 'quiet';

CREATE TABLE evaluation(
  id TEXT PRIMARY KEY NOT NULL, task TEXT NOT NULL, world TEXT NOT NULL, tick TEXT, batch INTEGER NOT NULL, state TEXT NOT NULL, phase TEXT,
  decision TEXT, reason TEXT, text TEXT, sources TEXT, from_seq INTEGER NOT NULL, through_seq INTEGER NOT NULL, call TEXT, failure TEXT,
  retry_of TEXT, tainted INTEGER NOT NULL, created_at INTEGER NOT NULL, settled_at INTEGER
) STRICT;
CREATE INDEX evaluation_created ON evaluation(created_at);
CREATE INDEX evaluation_task ON evaluation(task, created_at);
CREATE INDEX evaluation_tick ON evaluation(tick, batch) WHERE tick IS NOT NULL;
CREATE INDEX evaluation_open ON evaluation(tick, batch, id) WHERE state = 'inProgress';

CREATE TABLE escalation(
  id TEXT PRIMARY KEY NOT NULL, task TEXT NOT NULL, world TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL, title TEXT NOT NULL,
  summary TEXT NOT NULL, priority TEXT NOT NULL, calls TEXT NOT NULL, provenance TEXT NOT NULL, digest TEXT NOT NULL,
  fingerprint TEXT NOT NULL, external INTEGER NOT NULL, bundled INTEGER NOT NULL, created_at INTEGER NOT NULL,
  refreshed_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, answered_at INTEGER, answered_by TEXT, answer TEXT,
  silent_until INTEGER
) STRICT;
CREATE INDEX escalation_open ON escalation(created_at) WHERE state = 'open';
CREATE INDEX escalation_task ON escalation(task) WHERE state = 'open';
CREATE INDEX escalation_day ON escalation(world, created_at);
CREATE INDEX escalation_action ON escalation(task, fingerprint) WHERE silent_until IS NOT NULL;

CREATE TABLE before_image(
  key TEXT PRIMARY KEY, evaluation TEXT NOT NULL, path TEXT NOT NULL, before BLOB, before_hash TEXT, after_hash TEXT NOT NULL,
  at INTEGER NOT NULL, undone_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX before_image_evaluation ON before_image(evaluation);

CREATE TABLE notification(
  seq INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
`
