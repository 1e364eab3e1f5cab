/**
 * The host's tables, then what people see. Tables of long rows have rowids: with none, every level of their tree is made of
 * whole rows, and every index holds the whole key. Times are integer milliseconds UTC; JSON columns end in no suffix and are
 * text.
 */
export const first = `
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

CREATE TABLE world(
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL, state TEXT NOT NULL, reason TEXT,
  generation INTEGER NOT NULL DEFAULT 0, last_tick_at INTEGER, next_tick_at INTEGER, total_ticks INTEGER NOT NULL DEFAULT 0,
  consecutive_failures INTEGER NOT NULL DEFAULT 0, seen_through INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX world_next ON world(next_tick_at) WHERE next_tick_at IS NOT NULL;

CREATE TABLE task(
  id TEXT PRIMARY KEY, world TEXT NOT NULL, title TEXT NOT NULL, origin TEXT NOT NULL, source TEXT NOT NULL, judge TEXT NOT NULL,
  intent TEXT NOT NULL, intent_by TEXT NOT NULL, asks_to_write INTEGER NOT NULL, effects TEXT NOT NULL, schedule TEXT NOT NULL,
  inputs TEXT NOT NULL, only_if_changed INTEGER NOT NULL, catch_up TEXT NOT NULL, max_lateness_ms INTEGER, enabled INTEGER NOT NULL,
  paused TEXT, completed INTEGER NOT NULL, retired INTEGER NOT NULL, created_at INTEGER NOT NULL, last_run_at INTEGER, next_run_at INTEGER,
  retry_at INTEGER, attempts INTEGER NOT NULL, retry_of TEXT, judged_through INTEGER NOT NULL,
  due_at INTEGER GENERATED ALWAYS AS (coalesce(retry_at, next_run_at)) VIRTUAL,
  live INTEGER GENERATED ALWAYS AS (enabled = 1 AND paused IS NULL AND completed = 0 AND retired = 0) VIRTUAL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX task_title ON task(world, title) WHERE retired = 0 AND completed = 0;
CREATE INDEX task_checked ON task(judge) WHERE judge <> 'model';
CREATE INDEX task_due ON task(world, due_at) WHERE enabled = 1 AND paused IS NULL AND completed = 0 AND retired = 0;

CREATE TABLE goal(id TEXT PRIMARY KEY, text TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

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

CREATE TABLE model_call(
  id TEXT PRIMARY KEY NOT NULL, tick TEXT, batch INTEGER, provider TEXT NOT NULL, model TEXT NOT NULL, purpose TEXT NOT NULL, prompt_digest TEXT NOT NULL,
  answer TEXT NOT NULL, repaired INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX model_call_at ON model_call(at);

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
CREATE INDEX change_item ON change(source, key);

CREATE TABLE before_image(
  key TEXT PRIMARY KEY, evaluation TEXT NOT NULL, path TEXT NOT NULL, before BLOB, before_hash TEXT, after_hash TEXT NOT NULL,
  at INTEGER NOT NULL, undone_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX before_image_evaluation ON before_image(evaluation);

CREATE TABLE notification(
  seq INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;

CREATE TABLE kept(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE lease(id INTEGER PRIMARY KEY CHECK(id = 1), token TEXT NOT NULL) STRICT;
`
